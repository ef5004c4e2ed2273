// Generated from docs/openapi.json by "npm run generate".

export type Channel = 'share' | 'widget'

export type DeliveryEvent =
  | 'message.finished'
  | 'source.finished'
  | 'source.failed'
  | 'webhook.test'

export type FinishReason =
  | 'stop'
  | 'length'
  | 'content_filter'
  | 'cancelled'
  | 'interrupted'
  | 'error'

export type Rating = 'up' | 'down'

export type Scope = 'read' | 'write' | 'chat'

export type SourceStatus =
  | 'await'
  | 'extracting'
  | 'chunking'
  | 'embedding'
  | 'success'
  | 'fail'
  | 'error:no text'
  | 'error:download'
  | 'error:content type'
  | 'error:not found'
  | 'error:storage'
  | 'error:token'

export type SourceType = 'link' | 'qa' | 'upload'

export type Visibility = 'private' | 'public' | 'hybrid'

export type WebhookEvent = 'message.finished' | 'source.finished' | 'source.failed'
