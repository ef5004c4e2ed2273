import type { Words } from '../../../languages/words.ts'
import type { WebhookEvent } from '../api/records.ts'

export function eventTexts({ webhooks }: Words): Record<WebhookEvent, string> {
  return {
    'message.finished': webhooks.messageFinished,
    'source.finished': webhooks.sourceFinished,
    'source.failed': webhooks.sourceFailed,
  }
}
