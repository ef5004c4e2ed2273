import type { Words } from '@docent/words/words.ts'
import type { DeliveryEvent } from '../api/records.ts'

export function eventTexts({ webhooks }: Words): Record<DeliveryEvent, string> {
  return {
    'message.finished': webhooks.messageFinished,
    'source.finished': webhooks.sourceFinished,
    'source.failed': webhooks.sourceFailed,
    'webhook.test': webhooks.test,
  }
}
