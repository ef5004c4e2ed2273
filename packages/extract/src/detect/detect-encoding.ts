const SAMPLE = 64 * 1024

type Ranges = [from: number, to: number][]

interface DoubleByte {
  encoding: string
  leads: Ranges
  /** Lead bytes of common characters: phonetic scripts and the first level of each standard. */
  common: Ranges
  trails: Ranges
  /** Bytes of phonetic characters. A text in this language almost always contains them. */
  sounds?: Ranges
}

// On a tie, the first wins: Korean syllables are valid Chinese characters, but rarely the other way around.
const DOUBLE_BYTE: DoubleByte[] = [
  doubleByte('euc-jp', { leads: 'a1-fe', common: 'a1-a5 b0-cf', trails: 'a1-fe', sounds: 'a4-a5' }),
  doubleByte('euc-kr', { leads: 'a1-fe', common: 'a1-a3 b0-c8', trails: 'a1-fe', sounds: 'b0-c8' }),
  doubleByte('gb18030', { leads: 'a1-f7', common: 'a1-a3 b0-d7', trails: 'a1-fe' }),
  doubleByte('big5', { leads: 'a1-f9', common: 'a1-c6', trails: '40-7e a1-fe' }),
  doubleByte('shift_jis', { leads: '81-9f e0-fc', common: '81-83 88-97', trails: '40-7e 80-fe' }),
]

function doubleByte(encoding: string, given: Record<string, string>): DoubleByte {
  const ranges = Object.entries(given).map(([name, text]) => [name, readRanges(text)])
  return { encoding, ...Object.fromEntries(ranges) }
}

/** Parses ranges of bytes in hexadecimal. */
function readRanges(text: string): Ranges {
  return Array.from(text.matchAll(/(..)-(..)/g), ([, from, to]) => [
    Number.parseInt(from!, 16),
    Number.parseInt(to!, 16),
  ])
}

interface SingleByte {
  encoding: string
  /** The most frequent letters. For Latin scripts, only those with accents. */
  frequent: string
  isLatin: boolean
}

const CYRILLIC = 'оеаинтсрвлкмдпуябьыг'
const WESTERN = 'éèàçüöäßñóíáêôâîïûùëœæøåãõúÉÖÜÄÅØÀ'
const CENTRAL = 'ąćęłńóśźżáčďéěíňřšťúůýžőűöüäßŁŚŻŠČŘŽ'

const SINGLE_BYTE: SingleByte[] = [
  { encoding: 'windows-1252', frequent: WESTERN, isLatin: true },
  { encoding: 'windows-1250', frequent: CENTRAL, isLatin: true },
  { encoding: 'iso-8859-2', frequent: CENTRAL, isLatin: true },
  { encoding: 'windows-1254', frequent: 'ıışğüöçİŞĞ', isLatin: true },
  { encoding: 'windows-1251', frequent: CYRILLIC, isLatin: false },
  { encoding: 'koi8-r', frequent: CYRILLIC, isLatin: false },
  { encoding: 'ibm866', frequent: CYRILLIC, isLatin: false },
  { encoding: 'iso-8859-5', frequent: CYRILLIC, isLatin: false },
  { encoding: 'windows-1253', frequent: 'αοιετσνηυρπκςάέήίόύώ', isLatin: false },
  { encoding: 'windows-1255', frequent: 'יוהלאמרשתבנ', isLatin: false },
  { encoding: 'windows-1256', frequent: 'اليمنترةبعدسهوفحك', isLatin: false },
]

/** Guesses the encoding of a text that is not UTF-8. Falls back to windows-1252. */
export function detectEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE)
  let best = { encoding: 'windows-1252', score: 0 }
  for (const candidate of DOUBLE_BYTE) {
    const score = scoreDoubleByte(sample, candidate)
    if (score > best.score) best = { encoding: candidate.encoding, score }
  }
  if (best.score > 0.5) return best.encoding
  best = { encoding: 'windows-1252', score: 0 }
  for (const candidate of SINGLE_BYTE) {
    const score = scoreSingleByte(sample, candidate)
    if (score > best.score) best = { encoding: candidate.encoding, score }
  }
  return best.encoding
}

/** Detects UTF-16 without a mark: Latin text has a zero in every other byte. */
export function detectUnmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, 1024)
  let even = 0
  let odd = 0
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) even += 1
    if (sample[i + 1] === 0) odd += 1
  }
  const pairs = sample.length >> 1
  if (pairs < 2) return undefined
  if (even > pairs * 0.6 && odd < pairs * 0.05) return 'utf-16be'
  if (odd > pairs * 0.6 && even < pairs * 0.05) return 'utf-16le'
  return undefined
}

/** From -1 to 1: the share of common characters minus that of rare ones. 0 if the bytes are invalid. */
function scoreDoubleByte(sample: Uint8Array, candidate: DoubleByte): number {
  const { leads, common, trails, sounds } = candidate
  let commons = 0
  let others = 0
  let heard = 0
  for (let i = 0; i < sample.length - 1; i++) {
    const lead = sample[i]!
    if (lead < 0x80) continue
    if (!within(lead, leads)) {
      others += 1
      continue
    }
    i += 1
    if (!within(sample[i]!, trails)) return 0
    if (within(lead, common)) commons += 1
    else others += 1
    if (sounds && within(lead, sounds)) heard += 1
  }
  const total = commons + others
  if (total === 0 || (sounds && heard < total / 4)) return 0
  return (commons - others) / total
}

function within(byte: number, ranges: Ranges): boolean {
  return ranges.some(([from, to]) => byte >= from && byte <= to)
}

function scoreSingleByte(sample: Uint8Array, { encoding, frequent, isLatin }: SingleByte): number {
  const text = new TextDecoder(encoding).decode(sample)
  const letters = new Set(frequent)
  let score = 0
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char < '\u0080') continue
    count += 1
    const before = text[i - 1] ?? ' '
    const after = text[i + 1] ?? ' '
    if (!isLetter(char)) {
      // Symbols stand next to words, not inside them.
      score -= isLetter(before) && isLetter(after) && !/['’\u00AD·-]/.test(char) ? 2 : 0.3
      continue
    }
    const isMixed = !isLatin && (isAsciiLetter(before) || isAsciiLetter(after))
    const isRaised = isUpper(char) && isLetter(before) && !isUpper(before)
    if (isMixed || isRaised) score -= 2
    else if (letters.has(char)) score += 1
    else score += letters.has(char.toLowerCase()) && !isLatin ? 0.6 : 0.1
  }
  return count === 0 ? 0 : score / count
}

function isLetter(char: string): boolean {
  return /[\p{L}\p{M}]/u.test(char)
}

function isAsciiLetter(char: string): boolean {
  return /[A-Za-z]/.test(char)
}

function isUpper(char: string): boolean {
  return char !== char.toLowerCase()
}
