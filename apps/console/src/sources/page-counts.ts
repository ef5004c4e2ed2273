import { fill, type Language, type Words } from '@docent/words/words.ts'
import { isWorking, metaOf, type Source } from '../api/records.ts'
import { formatNumber } from '../format.ts'

/** The number of indexed pages of a site. */
export function pageCountOf(source: Source, words: Words, language: Language): string | undefined {
  const { crawl, progress } = metaOf(source)
  if (!crawl || !progress || isWorking(source)) return undefined
  const { indexed = 0, unchanged = 0 } = progress
  return fill(words.sources.pageCount, { count: formatNumber(indexed + unchanged, language) })
}

/** Adds the number of pages without text and of pages that no longer exist. */
export function pageCountsOf(source: Source, words: Words, language: Language): string[] {
  const pages = pageCountOf(source, words, language)
  if (pages === undefined) return []
  const { skipped = 0, gone = 0 } = metaOf(source).progress!
  const counts: [number, string][] = [
    [skipped, words.sources.skippedCount],
    [gone, words.sources.goneCount],
  ]
  const others = counts.filter(([count]) => count > 0)
  return [
    pages,
    ...others.map(([count, text]) => fill(text, { count: formatNumber(count, language) })),
  ]
}
