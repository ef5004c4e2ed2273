/** Scripts rely on these. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  interrupted: 130,
} as const

/** For the reference. */
export const EXIT_MEANINGS: Record<keyof typeof EXIT, string> = {
  done: 'Success.',
  failed:
    'The command failed or reports a problem, such as a source that could not be read, a failed eval, or a finding of `docent doctor`.',
  usage: 'The input is invalid: a command, an option, a file or a setting.',
  unreachable: 'No server answers.',
  refused: 'The token is missing, invalid, or lacks a scope.',
  interrupted: 'Stopped by Ctrl-C, SIGTERM or SIGHUP.',
}
