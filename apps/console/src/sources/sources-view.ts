import { hasFailed, metaOf, type Source } from '../api/records.ts'

export type SourceFilter = 'all' | Source['type'] | 'failed'

/** What of the list of sources is shown. It stands in the address, and comes along to a source and back. */
export interface SourcesView {
  filter?: SourceFilter
  search?: string
}

export const MATCHES: Record<SourceFilter, (source: Source) => boolean> = {
  all: () => true,
  upload: ({ type }) => type === 'upload',
  link: ({ type }) => type === 'link',
  qa: ({ type }) => type === 'qa',
  failed: hasFailed,
}

const isFilter = (given: unknown): given is SourceFilter =>
  typeof given === 'string' && Object.hasOwn(MATCHES, given)

/** As an address names it; what is usual is left out. */
export function sourcesView({ filter, search = '' }: Record<string, unknown>): SourcesView {
  const text = String(search)
  return {
    ...(isFilter(filter) && filter !== 'all' && { filter }),
    ...(text !== '' && { search: text }),
  }
}

/** What is searched of a source: how it is called, and where it comes from. */
export function searchedText(source: Source): string {
  const { title, file_name, type } = source
  const address = type === 'link' ? (metaOf(source).url ?? '') : ''
  return `${title}\n${file_name}\n${address}`.toLocaleLowerCase()
}
