import type { FoundPassage } from '@docent/contract/passages.ts'
import { urlOf } from '@docent/quote/cite-sources.ts'
import type { FoundPassage as Found } from '@docent/quote/found-passage.ts'

export function toFoundPassage(passage: Found): FoundPassage {
  return {
    data_source_uuid: passage.source_id,
    title: passage.title,
    text: passage.text,
    score: Math.round(passage.score * 1000) / 1000,
    revision: passage.revision,
    start: passage.starts_at,
    end: passage.ends_at,
    page: passage.page,
    url: urlOf(passage),
  }
}
