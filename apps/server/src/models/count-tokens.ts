// The cost of a character, in eighths of a token.
const WHOLE = 8
const HALF = 4
const WORD_LENGTH = 5

/**
 * Estimates the tokens of a text, rather too many than too few: each provider has its own tokenizer, and a prompt must
 * fit all of them. Tokenizer tables take a hundred megabytes. This function reads each character once.
 */
export function estimateTokens(text: string): number {
  let eighths = 0
  let word = 0
  let lower = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isLower = code >= 97 && code <= 122
    if (isLower || (code >= 65 && code <= 90)) {
      word += 1
      // A short word is mostly one token, and a longer word is several. Tokenizers hardly know letters that change case
      // in the middle, as in a key.
      const changes = word > 1 && lower !== isLower && !(isLower && word === 2)
      if (word === 1 || changes) eighths += WHOLE
      else if (word > WORD_LENGTH) eighths += HALF
      lower = isLower
      continue
    }
    const follows = word > 0
    word = 0
    lower = false
    if (code === 32) eighths += startsWord(text.charCodeAt(i + 1)) ? 0 : WHOLE
    else if (code >= 48 && code <= 57) eighths += follows ? WHOLE : HALF
    else if (code < 128) eighths += WHOLE
    // Accented letters, other alphabets, then characters for a syllable or a word.
    else if (code < 0x250) eighths += 7
    else if (code < 0x700) eighths += 5
    else if (code < 0x2000) eighths += 7
    else eighths += WHOLE + 2
  }
  return Math.ceil(eighths / 8)
}

function startsWord(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 0xc0
}
