import { listReader } from '../../database/rows/list-reader.ts'
import type { Row } from '../../database/tables.ts'

export type Passage = Row<'passages'>

/** Reads the passages of a source in reading order. */
export const readPassages = listReader('passages', {
  parent: 'source_id',
  texts: ['text', 'words'],
  start: -1,
})
