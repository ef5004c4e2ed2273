import type { Citation, Receipt } from '@docent/contract/messages.ts'

export interface Cited {
  citations: Record<string, Citation>
  receipts: Record<string, Receipt>
}
