// About ten thousand pages of a book. More comes out of a document that was made to burst.
export const MAX_CHARACTERS = 25_000_000

export const TOO_LONG = {
  code: 'too_much_text',
  params: { millions: MAX_CHARACTERS / 1_000_000 },
} as const
