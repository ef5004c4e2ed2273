import type {
  NewSession as NewSessionRecord,
  Session as SessionRecord,
} from '../../../contract/src/sessions.ts'
import type { Session } from '../store/sessions.ts'
import { timestamp } from './timestamp.ts'

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
