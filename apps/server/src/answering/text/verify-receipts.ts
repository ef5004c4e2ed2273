import type { CitationCheck, Receipt } from '@docent/contract/messages.ts'
import type { Cited } from '@docent/quote/citations.ts'
import type { Database } from '../../database/database.ts'
import { findRevisionRange } from '../../features/sources/revisions.store.ts'

type Verification = CitationCheck['citations'][number]

/** Compares each receipt's quote with its range in the revision, character by character. */
export function verifyReceipts(
  searchDb: Database,
  receipts: Record<string, Receipt>,
): Promise<Verification[]> {
  return Promise.all(
    Object.entries(receipts).map(async ([marker, receipt]) => {
      const { data_source_uuid, revision } = receipt
      const text = await findRevisionRange(searchDb, data_source_uuid, revision, receipt)
      const verified = text === receipt.quote
      const reason = verified ? null : text === undefined ? 'source gone' : 'text differs'
      return { marker, verified, reason }
    }),
  )
}

/** Keeps only citations that can be verified. */
export async function keepVerified(searchDb: Database, cited: Cited): Promise<Cited> {
  const kept: Cited = { citations: {}, receipts: {} }
  for (const { marker, verified } of await verifyReceipts(searchDb, cited.receipts)) {
    if (!verified) continue
    kept.citations[marker] = cited.citations[marker]!
    kept.receipts[marker] = cited.receipts[marker]!
  }
  return kept
}
