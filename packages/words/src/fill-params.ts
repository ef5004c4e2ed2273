import { fill } from './words.ts'

/**
 * Inserts parameters into a sentence and formats amounts in its language. Returns undefined if a parameter is missing.
 */
export function fillParams(
  sentence: string,
  kinds: Readonly<Record<string, string>>,
  params: Readonly<Record<string, unknown>>,
  language: string,
): string | undefined {
  const shown: Record<string, string> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const value = params[name]
    if (typeof value !== (kind === 'text' ? 'string' : 'number')) return undefined
    const isAmount = kind === 'amount' && typeof value === 'number'
    shown[name] = isAmount ? new Intl.NumberFormat(language).format(value) : String(value)
  }
  return fill(sentence, shown)
}
