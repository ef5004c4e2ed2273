// About ten thousand pages of a book. More comes out of a document that was made to burst.
export const MAX_CHARACTERS = 25_000_000

export const TOO_LONG = 'It holds more than 25 million characters of text. Try it in smaller parts.'
