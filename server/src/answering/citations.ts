import type { Citation, Receipt } from '../../../contract/src/messages.ts'

export interface Cited {
  citations: Record<string, Citation>
  receipts: Record<string, Receipt>
}
