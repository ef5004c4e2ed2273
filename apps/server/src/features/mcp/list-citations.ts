import type { Citation } from './tools.ts'

/** Lists the citations of a stored message with their locations and exact quotes. */
export function listCitations(citeData: string, meta: string): Citation[] {
  const receipts = JSON.parse(meta).receipts ?? {}
  return Object.entries<Cited>(JSON.parse(citeData)).map(([marker, cited]) => ({
    marker,
    title: cited.title,
    quote: receipts[marker]?.quote ?? cited.text,
    page: receipts[marker]?.page ?? null,
    url: receipts[marker]?.url ?? null,
    data_source_uuid: cited.data_source_uuid,
  }))
}

interface Cited {
  data_source_uuid: string
  title: string
  text: string
}
