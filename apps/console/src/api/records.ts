// The records are generated in the client package from the API description.
import type { Source } from '@docent/client'
import { sourceMeta } from '@docent/client/http/json-fields.ts'
import { isWorkedOn } from '@docent/client/wait-until-ready.ts'

export type {
  Answering,
  Chatbot,
  Conversation as ConversationRecord,
  DayOfUse,
  DeliveryEvent,
  FoundPassage,
  Message,
  Model,
  Receipt,
  Scope,
  SignInState,
  Source,
  SourcePassage as Passage,
  Token,
  UnansweredQuestion,
  Usage as MonthOfUse,
  Use as StorageUse,
  Visibility,
  Webhook,
  WebhookDelivery as Delivery,
  Widget,
} from '@docent/client'

export const metaOf = sourceMeta

export function isWorking({ status }: Source): boolean {
  return isWorkedOn(status)
}

export function hasFailed({ status }: Source): boolean {
  return status === 'fail' || status.startsWith('error')
}
