// Built-in formats, which have numbers instead of codes.
const BUILT_IN = new Map<number, string>([
  [1, '0'],
  [2, '0.00'],
  [3, '#,##0'],
  [4, '#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'yyyy-mm-dd h:mm'],
  [37, '#,##0'],
  [38, '#,##0'],
  [39, '#,##0.00'],
  [40, '#,##0.00'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
  [49, '@'],
])
for (let id = 27; id <= 36; id++) BUILT_IN.set(id, 'yyyy-mm-dd')
for (let id = 50; id <= 58; id++) BUILT_IN.set(id, 'yyyy-mm-dd')

export function builtInFormat(id: number): string {
  return BUILT_IN.get(id) ?? ''
}

const DAY_MS = 86_400_000
// Office does not write longer formats.
const LONGEST_FORMAT = 255
const EPOCH_1900 = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)

/** Formats a stored number as the sheet shows it. Dates use year-month-day. */
export function formatNumber(stored: string, format: string, from1904: boolean): string {
  const value = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(value)) return stored
  const [positive = '', negative] = format.slice(0, LONGEST_FORMAT).split(';')
  const code = value < 0 && negative !== undefined ? negative : positive
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '')
  if (/[ymdhs]/i.test(bare)) return formatDate(value, bare, from1904)
  if (!/[0#?]/.test(bare)) return plain(value)
  const isPercent = bare.includes('%')
  // For fractions and scientific notation, the plain number is clearer.
  if (/[/]|e[+-]/i.test(bare)) return plain(value)
  const decimals = /\.([0#?]+)/.exec(bare)?.[1]?.length ?? 0
  const number = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: /\.(0+)/.exec(bare)?.[1]?.length ?? 0,
    maximumFractionDigits: Math.min(decimals, 20),
    useGrouping: /[#0?],[#0?]/.test(bare),
  }).format(Math.abs(isPercent ? value * 100 : value))
  const currency = /\[\$([^\]-]+)[^\]]*\]|"?([$€£¥])"?/.exec(code)
  const sign = value < 0 ? '-' : ''
  return `${sign}${currency?.[1] ?? currency?.[2] ?? ''}${number}${isPercent ? '%' : ''}`
}

/** Rounds off floating-point errors, as Excel does. */
function plain(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function formatDate(serial: number, code: string, from1904: boolean): string {
  // A duration, not a time of day.
  if (/\[[hms]+\]/i.test(code)) {
    const seconds = Math.round(serial * 86_400)
    const two = (count: number) => String(count).padStart(2, '0')
    return `${Math.trunc(seconds / 3600)}:${two(Math.trunc(seconds / 60) % 60)}:${two(seconds % 60)}`
  }
  // Excel wrongly counts February 29, 1900, so earlier days are off by one.
  const days = !from1904 && serial < 60 && serial >= 1 ? serial + 1 : serial
  const epoch = from1904 ? EPOCH_1904 : EPOCH_1900
  const moment = new Date(epoch + Math.round((days * DAY_MS) / 1000) * 1000)
  if (Number.isNaN(moment.getTime())) return plain(serial)
  const [date = '', time = ''] = moment.toISOString().replace('.000Z', '').split('T')
  const hasDate = /[yd]/i.test(code) || /^m+$/i.test(code)
  const hasTime = /[hs]/i.test(code)
  const shownTime = time.replace(/:00$/, '')
  if (!hasDate) return shownTime
  if (!/d/i.test(code)) return date.slice(0, 7)
  return hasTime && serial % 1 !== 0 ? `${date} ${shownTime}` : date
}
