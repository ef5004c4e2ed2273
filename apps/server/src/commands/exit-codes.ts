/** Scripts rely on these: docs/command-line.md documents them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  interrupted: 130,
} as const
