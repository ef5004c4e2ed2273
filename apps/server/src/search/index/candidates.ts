import { sql } from 'kysely'

// How many passages each way of finding names at most. They are then judged one by one.
export const CANDIDATES_BY_WORDS = 50
export const CANDIDATES_BY_MEANING = 50

/** What a passage is judged by, however it was found: a `CandidatePassage` without its nearness. */
export const CANDIDATE_COLUMNS = sql.raw(`
  passages.id AS passage_id, passages.source_id, passages.revision, passages.build, passages.position, passages.starts_at,
  passages.ends_at, passages.gap, passages.lead, passages.text, passages.words, passages.page,
  coalesce(source_pages.title, sources.title) AS title, sources.type, sources.file_name, sources.meta, passages.page_url`)

/** A page of a site has a title of its own. */
export const WITH_PAGE = sql.raw(`
  LEFT JOIN source_pages ON source_pages.source_id = passages.source_id AND source_pages.url = passages.page_url`)

/** Neither what still grows nor what was replaced. */
export const IS_SHOWN = sql.raw(
  'NOT EXISTS (SELECT 1 FROM hidden_builds WHERE hidden_builds.build = passages.build)',
)
