import type { Cited } from './citations.ts'
import type { FoundPassage } from './found-passage.ts'

/** A passage with its marker X.Y: source X of this answer, passage Y of that source. */
export interface MarkedPassage extends FoundPassage {
  marker: string
}

export function markPassages(passages: FoundPassage[]): MarkedPassage[] {
  const bySource = new Map<string, number>()
  const sources: string[] = []
  return passages.map((passage) => {
    if (!bySource.has(passage.source_id)) sources.push(passage.source_id)
    const y = (bySource.get(passage.source_id) ?? 0) + 1
    bySource.set(passage.source_id, y)
    return { ...passage, marker: `${sources.indexOf(passage.source_id) + 1}.${y}` }
  })
}

/** Returns the citations and receipts of the markers in a text. Ignores markers that match no passage. */
export function citeSources(text: string, passages: readonly MarkedPassage[]): Cited {
  const citations: Cited['citations'] = {}
  const receipts: Cited['receipts'] = {}
  for (const passage of passages) {
    if (!text.includes(`[${passage.marker}]`)) continue
    citations[passage.marker] = {
      data_source_uuid: passage.source_id,
      title: passage.title,
      text: passage.text,
      file_name: passage.file_name,
      type: passage.type,
    }
    receipts[passage.marker] = {
      data_source_uuid: passage.source_id,
      revision: passage.revision,
      start: passage.starts_at,
      end: passage.ends_at,
      quote: passage.quote ?? passage.text,
      page: passage.page,
      url: urlOf(passage),
      score: passage.weigh?.() ?? passage.score,
    }
  }
  return { citations, receipts }
}

/** The link for readers: the page of a site, the address that the owner set, or the URL the source was read from. */
export function urlOf({ page_url, meta }: FoundPassage): string | null {
  if (page_url) return page_url
  const { final_url, url, reference_source_link } = JSON.parse(meta)
  return reference_source_link ?? final_url ?? url ?? null
}
