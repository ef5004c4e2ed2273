const CODE_PAGES = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [65001, 'utf-8'],
])

const CHARSETS = new Map([
  [2, 'symbol'],
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gbk'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
])

const ISO_8859 = 28_590

export function codePageEncoding(page: number): string {
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page > ISO_8859 && page <= ISO_8859 + 16) return `iso-8859-${page - ISO_8859}`
  return CODE_PAGES.get(page) ?? 'windows-1252'
}

/** The encoding of a font's character set; 'symbol' for fonts of signs. */
export function charsetEncoding(charset: number): string {
  return CHARSETS.get(charset) ?? 'windows-1252'
}
