import type {
  NewSession as NewSessionRecord,
  Session as SessionRecord,
} from '@docent/contract/sessions.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Session } from './sessions.store.ts'

export function toNewSessionRecord(session: Session): NewSessionRecord {
  return {
    uuid: session.id,
    created_at: timestamp(session.created_at),
    modified_at: timestamp(session.modified_at),
  }
}

export function toSessionRecord(session: Session): SessionRecord {
  return { ...toNewSessionRecord(session), meta: {} }
}
