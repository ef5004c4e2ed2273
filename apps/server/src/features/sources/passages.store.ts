import { listReader } from '../../database/rows/list-reader.ts'
import type { Row } from '../../database/tables.ts'

export type Passage = Row<'passages'>

/** What a source became, in the order in which it was read. */
export const readPassages = listReader('passages', {
  parent: 'source_id',
  texts: ['text', 'words'],
  start: -1,
})
