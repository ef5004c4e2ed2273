import type { ChatbotSettings } from './records.ts'
import type { QaSource, UrlSource } from './requests.ts'

/** A record or its uuid. */
export type Ref = string | { readonly uuid: string }

/** Only the given fields change. */
export type Changes<T> = { [Key in keyof T]?: T[Key] | undefined }

export interface NewChatbot extends Changes<ChatbotSettings> {
  name: string
}

export type ChatbotUpdate = Changes<NewChatbot>

export type QaSourceOptions = Pick<QaSource, 'reference_source_link'>

export type UrlSourceOptions = Omit<UrlSource, 'url'>
