import { sql } from 'kysely'

// The maximum that words and meaning each contribute. Every candidate is then scored.
export const CANDIDATES_BY_WORDS = 50
export const CANDIDATES_BY_MEANING = 50

/** The columns of a `CandidatePassage` without its nearness. */
export const CANDIDATE_COLUMNS = sql.raw(`
  passages.id AS passage_id, passages.source_id, passages.revision, passages.build, passages.position, passages.starts_at,
  passages.ends_at, passages.gap, passages.lead, passages.text, passages.words, passages.page,
  coalesce(source_pages.title, sources.title) AS title, sources.type, sources.file_name, sources.meta, passages.page_url`)

/** Pages of a site have their own titles. */
export const WITH_PAGE = sql.raw(`
  LEFT JOIN source_pages ON source_pages.source_id = passages.source_id AND source_pages.url = passages.page_url`)

/** Excludes builds that still grow and builds that were replaced. */
export const IS_SHOWN = sql.raw(
  'NOT EXISTS (SELECT 1 FROM hidden_builds WHERE hidden_builds.build = passages.build)',
)
