const SAMPLE = 64 * 1024

interface DoubleByte {
  encoding: string
  isTrail: (byte: number) => boolean
  /** Lead bytes of characters that everybody uses: scripts of sounds, and the first level of each standard. */
  common: [from: number, to: number][]
  leads: [from: number, to: number][]
  /** Bytes of sounds without which a text is hardly in this language. */
  sounds?: [from: number, to: number]
}

const upperHalf = (byte: number) => byte >= 0xa1 && byte <= 0xfe
const wide = (byte: number) => (byte >= 0x40 && byte <= 0x7e) || (byte >= 0x80 && byte <= 0xfe)

// Where two fit alike, the first is taken: Korean syllables are also Chinese characters, but seldom the reverse.
const DOUBLE_BYTE: DoubleByte[] = [
  {
    encoding: 'euc-jp',
    isTrail: upperHalf,
    leads: [[0xa1, 0xfe]],
    common: [
      [0xa1, 0xa5],
      [0xb0, 0xcf],
    ],
    sounds: [0xa4, 0xa5],
  },
  {
    encoding: 'euc-kr',
    isTrail: upperHalf,
    leads: [[0xa1, 0xfe]],
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xc8],
    ],
    sounds: [0xb0, 0xc8],
  },
  {
    encoding: 'gb18030',
    isTrail: upperHalf,
    leads: [[0xa1, 0xf7]],
    common: [
      [0xa1, 0xa3],
      [0xb0, 0xd7],
    ],
  },
  {
    encoding: 'big5',
    isTrail: (byte) => (byte >= 0x40 && byte <= 0x7e) || upperHalf(byte),
    leads: [[0xa1, 0xf9]],
    common: [[0xa1, 0xc6]],
  },
  {
    encoding: 'shift_jis',
    isTrail: wide,
    leads: [
      [0x81, 0x9f],
      [0xe0, 0xfc],
    ],
    common: [
      [0x81, 0x83],
      [0x88, 0x97],
    ],
  },
]

interface SingleByte {
  encoding: string
  /** Its most frequent letters; of Latin scripts those with accents. */
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

/** The encoding of a text that is not UTF-8 and does not say what it is; the Web's Latin-1 when nothing fits. */
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

/** UTF-16 without its mark: Latin text has a zero in every other byte. */
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

/** From -1 to 1: the share of common characters less that of rare ones; 0 when it is none. */
function scoreDoubleByte(sample: Uint8Array, candidate: DoubleByte): number {
  const { isTrail, leads, common, sounds } = candidate
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
    if (!isTrail(sample[i]!)) return 0
    if (within(lead, common)) commons += 1
    else others += 1
    if (sounds && within(lead, [sounds])) heard += 1
  }
  const total = commons + others
  if (total === 0 || (sounds && heard < total / 4)) return 0
  return (commons - others) / total
}

function within(byte: number, ranges: [from: number, to: number][]): boolean {
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
      // Signs stand beside words, not inside of them.
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
