// What a character counts for, in eighths of a token.
const WHOLE = 8
const HALF = 4
const WORD_LENGTH = 5

/**
 * About how many tokens a text has, and rather too many than too few: each provider counts by tables of its own, and
 * a prompt has to fit in all of them. Loading such tables takes a hundred megabytes; this looks at each character once.
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
      // A short word is mostly known whole, a longer one comes in pieces. Letters that change their case in the
      // middle, as in a key, are hardly known at all.
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
    // Accented letters, other alphabets, then signs that stand for a syllable or a word.
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
