import { hasFailed, metaOf, type Source } from '../api/records.ts'

export type SourceFilter = 'all' | Source['type'] | 'failed'

/** The filters of the list. They are part of the URL, so that the way back from a source keeps them. */
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

/** The view as URL parameters. Default values are left out. */
export function sourcesView({ filter, search = '' }: Record<string, unknown>): SourcesView {
  const text = String(search)
  return {
    ...(isFilter(filter) && filter !== 'all' && { filter }),
    ...(text !== '' && { search: text }),
  }
}

/** The text that the search field matches: title, file name and URL. */
export function searchedText(source: Source): string {
  const { title, file_name, type } = source
  const address = type === 'link' ? (metaOf(source).url ?? '') : ''
  return `${title}\n${file_name}\n${address}`.toLocaleLowerCase()
}
