import type { z } from 'zod'
import type * as events from '../../server/src/answering/events.ts'
import type { ModelRecord, UserRecord } from '../../server/src/api/account.routes.ts'
import type { AnsweringRecord, AnsweringUpdate } from '../../server/src/api/answering.routes.ts'
import type { ChatbotRecord, chatbotSchemas } from '../../server/src/api/chatbots.schemas.ts'
import type { Success } from '../../server/src/api/common.schemas.ts'
import type { ConnectionRecord } from '../../server/src/api/connection.routes.ts'
import type { Conversation, ExportedMessage } from '../../server/src/api/conversations.schemas.ts'
import type { DayOfUse, Unanswered } from '../../server/src/api/insights.routes.ts'
import type {
  CitationCheck,
  Feedback,
  MessageRecord,
} from '../../server/src/api/messages.schemas.ts'
import type { FoundPassage, SearchQuery } from '../../server/src/api/search.routes.ts'
import type { NewSessionRecord, SessionRecord } from '../../server/src/api/sessions.schemas.ts'
import type { Credentials, NewAccount, SignInState } from '../../server/src/api/sign-in.schemas.ts'
import type { Excerpt, PassageRecord } from '../../server/src/api/source-text.routes.ts'
import type {
  ReadingUpdate,
  RescrapeResult,
  SourceRecord,
  UrlSource,
} from '../../server/src/api/sources.schemas.ts'
import type { StreamEvent } from '../../server/src/api/sse.ts'
import type { NewToken, TokenRecord } from '../../server/src/api/tokens.routes.ts'
import type { UsageRecord } from '../../server/src/api/usage.routes.ts'
import type {
  ChannelQuery,
  OpenChatbot,
  VisitorMessage,
  VisitRecord,
} from '../../server/src/api/visitors.schemas.ts'
import type {
  DeliveryRecord,
  NewWebhook,
  NewWebhookRecord,
  WebhookRecord,
} from '../../server/src/api/webhooks.routes.ts'
import type { Widget, WidgetUpdate } from '../../server/src/api/widgets.routes.ts'
import type * as client from '../src/index.ts'
import type { ServerEvent } from '../src/read-events.ts'

// Compiled, never run: each line holds a type of the client against the server's own. Either has to be assignable to
// the other, with the same keys, or "npm run check" fails here.

type Keys<T> = T extends readonly (infer Item)[] ? keyof Item : keyof T
type Same<Ours, Theirs> = [Ours] extends [Theirs]
  ? [Theirs] extends [Ours]
    ? [Keys<Ours>] extends [Keys<Theirs>]
      ? [Keys<Theirs>] extends [Keys<Ours>]
        ? []
        : [never, 'the client lacks', Exclude<Keys<Theirs>, Keys<Ours>>]
      : [never, 'the server lacks', Exclude<Keys<Ours>, Keys<Theirs>>]
    : [never, 'the server has what the client does not take', Theirs]
  : [never, 'the client has what the server does not take', Ours]

declare function same<Ours, Theirs>(...verdict: Same<Ours, Theirs>): void

export function holdTypes(): void {
  same<client.Chatbot, z.output<typeof ChatbotRecord>>()
  same<client.Source, z.output<typeof SourceRecord>>()
  same<client.RescrapeResult[], z.output<typeof RescrapeResult>>()
  same<client.SourcePassage, z.output<typeof PassageRecord>>()
  same<client.Excerpt, z.output<typeof Excerpt>>()
  same<client.FoundPassage, z.output<typeof FoundPassage>>()
  same<client.NewSession, z.output<typeof NewSessionRecord>>()
  same<client.Session, z.output<typeof SessionRecord>>()
  same<client.Message, z.output<typeof MessageRecord>>()
  same<client.CitationCheck, z.output<typeof CitationCheck>>()
  same<client.Conversation, z.output<typeof Conversation>>()
  same<client.ExportedMessage, z.output<typeof ExportedMessage>>()
  same<client.UnansweredQuestion, z.output<typeof Unanswered>>()
  same<client.DayOfUse, z.output<typeof DayOfUse>>()
  same<client.Usage, z.output<typeof UsageRecord>>()
  same<client.Answering, z.output<typeof AnsweringRecord>>()
  same<client.Widget, z.output<typeof Widget>>()
  same<client.Webhook, z.output<typeof WebhookRecord>>()
  same<client.CreatedWebhook, z.output<typeof NewWebhookRecord>>()
  same<client.WebhookDelivery, z.output<typeof DeliveryRecord>>()
  same<client.Token, z.output<typeof TokenRecord>>()
  same<client.Model, z.output<typeof ModelRecord>>()
  same<client.User, z.output<typeof UserRecord>>()
  same<client.Connection, z.output<typeof ConnectionRecord>>()
  same<client.SignInState, z.output<typeof SignInState>>()
  same<client.OpenChatbot, z.output<typeof OpenChatbot>>()
  same<client.Visit, z.output<typeof VisitRecord>>()
  same<client.VisitorMessage, z.output<typeof VisitorMessage>>()
  same<client.Success, z.output<typeof Success>>()
  same<client.Citation, events.Citation>()
  same<client.Receipt, events.Receipt>()
  same<ServerEvent, StreamEvent>()

  // What is sent. The server takes other spellings of a chatbot's settings, too, which the client has no need of.
  type Sent = z.input<ReturnType<typeof chatbotSchemas>['NewChatbot']>
  type Changed = z.input<ReturnType<typeof chatbotSchemas>['ChatbotUpdate']>
  same<client.NewChatbot, Omit<Sent, 'meta' | 'show_citation'>>()
  same<client.ChatbotUpdate, Omit<Changed, 'meta' | 'show_citation'>>()
  same<client.UrlSourceOptions, Omit<z.input<typeof UrlSource>, 'url'>>()
  same<client.ReadingChange, z.input<typeof ReadingUpdate>>()
  same<Pick<client.SearchOptions, 'limit'>, Pick<z.input<typeof SearchQuery>, 'limit'>>()
  same<client.Feedback, z.input<typeof Feedback>>()
  same<client.Changes<Omit<client.Answering, 'model_used'>>, z.input<typeof AnsweringUpdate>>()
  same<client.Changes<client.Widget>, z.input<typeof WidgetUpdate>>()
  same<client.NewWebhook, z.input<typeof NewWebhook>>()
  same<client.NewToken, z.input<typeof NewToken>>()
  same<client.NewAccount, z.input<typeof NewAccount>>()
  same<Parameters<client.SignIn['signIn']>[0], z.input<typeof Credentials>>()
  same<client.Channel, z.input<typeof ChannelQuery>['channel']>()
}
