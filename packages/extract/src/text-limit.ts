// About ten thousand book pages. Only documents made to exhaust the server exceed it.
export const MAX_CHARACTERS = 25_000_000

export const TOO_LONG = {
  code: 'too_much_text',
  params: { millions: MAX_CHARACTERS / 1_000_000 },
} as const
