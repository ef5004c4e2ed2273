// The public API of the package. Everything else is internal.
// biome-ignore-all lint/performance/noBarrelFile: a package has a single entry point
export type { Account, Models, SignIn, Tokens } from './account.ts'
export type { AnswerEvent } from './answer-event.ts'
export type { Chatbots, SearchOptions } from './chatbots.ts'
export { Docent } from './client.ts'
export type * from './conversations.ts'
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  DocentError,
  type Failure,
  ForbiddenError,
  InvalidError,
  ModelFailedError,
  NotFoundError,
  RateLimitError,
  ServerError,
  SourceFailedError,
  TimeoutError,
  TooLargeError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
  UnsupportedTypeError,
} from './http/errors.ts'
export type { FollowOptions } from './http/follow-answer.ts'
export {
  type Citation,
  type MessageMeta,
  messageCitations,
  messageMeta,
  type Receipt,
  type SourceMeta,
  type SourceProgress,
  sourceMeta,
} from './http/json-fields.ts'
export type { CallOptions, ClientOptions } from './http/send-request.ts'
export type { FileToSend, Uploadable, UploadProgress } from './http/upload.ts'
export type { PageOptions } from './lists.ts'
export type { FollowAgainOptions, Messages, SettleOptions } from './messages.ts'
export type * from './records.ts'
export type * from './request-types.ts'
export type * from './requests.ts'
export type { AskOptions, Sessions, SessionsOptions } from './sessions.ts'
export type { CitedRange, PassagesOptions, Sources, UploadOptions } from './sources.ts'
export type * from './values.ts'
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
export type { VisitorMessagePage, VisitorPageOptions, Visitors } from './visitors.ts'
export { isWorkedOn, type WaitOptions } from './wait-until-ready.ts'
export type { Webhooks } from './webhooks.ts'
