import ENCODINGS from './code-pages.json' with { type: 'json' }

const CODE_PAGES = new Map(Object.entries(ENCODINGS.codePages))
// Font character sets of RTF.
const CHARSETS = new Map(Object.entries(ENCODINGS.charsets))

const ISO_8859 = 28_590

export function codePageEncoding(page: number): string {
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page > ISO_8859 && page <= ISO_8859 + 16) return `iso-8859-${page - ISO_8859}`
  return CODE_PAGES.get(String(page)) ?? 'windows-1252'
}

/** The encoding of a font's character set. Symbol fonts return 'symbol'. */
export function charsetEncoding(charset: number): string {
  return CHARSETS.get(String(charset)) ?? 'windows-1252'
}
