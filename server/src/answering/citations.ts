/** What the published interface says of a cited passage: exactly these five. */
export interface Citation {
  data_source_uuid: string
  title: string
  text: string
  file_name: string
  type: string
}

/** Where exactly a citation stands, so that it can be checked. */
export interface Receipt {
  data_source_uuid: string
  revision: string
  start: number
  end: number
  /** What stands there: character by character the revision's text from start to end. */
  quote: string
  /** Counted from 1; null for a source without pages. */
  page: number | null
  url: string | null
  score: number
}

export interface Cited {
  citations: Record<string, Citation>
  receipts: Record<string, Receipt>
}
