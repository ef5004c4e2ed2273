import { type Kysely, sql } from 'kysely'

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
// A UUIDv7 without its dashes, as the rest of the program makes them.
const NEW_ID = `lower(printf('%012x', ${NOW}) || '7' || substr(hex(randomblob(2)), 2) || '8' || substr(hex(randomblob(8)), 2))`

function deliveryFor(event: string, chatbot: string): string {
  return `INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
    SELECT ${NEW_ID}, id, ${event}, new.id, ${NOW}, ${NOW}, ${NOW} FROM webhooks
    WHERE chatbot_id = ${chatbot} AND instr(',' || events || ',', ',' || ${event} || ',') > 0`
}

const STATEMENTS = [
  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT`,
  'CREATE INDEX tokens_of_user ON tokens (user_id)',
  `CREATE TABLE chatbots (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    name TEXT NOT NULL,
    model TEXT,
    settings TEXT NOT NULL,
    token_budget INTEGER,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX chatbots_of_owner ON chatbots (owner_id, id)',
  `CREATE TABLE sources (
    id TEXT PRIMARY KEY,
    chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
    owner_id TEXT NOT NULL,
    type TEXT NOT NULL,
    title TEXT NOT NULL,
    title_chosen INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL,
    file_name TEXT NOT NULL DEFAULT '',
    file_size INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    meta TEXT NOT NULL DEFAULT '{}',
    attempts INTEGER NOT NULL DEFAULT 0,
    claim_id TEXT,
    due_at INTEGER,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sources_of_chatbot ON sources (chatbot_id, id)',
  'CREATE INDEX sources_due ON sources (due_at) WHERE due_at IS NOT NULL',
  `CREATE TABLE source_files (
    source_id TEXT PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
    content BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE revisions (
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    pages TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, hash)
  ) STRICT`,
  `CREATE TABLE source_pages (
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    revision TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    file_size INTEGER NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    links TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, url)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    chatbot_id TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    revision TEXT NOT NULL,
    page_url TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    text TEXT NOT NULL,
    page INTEGER
  ) STRICT`,
  'CREATE INDEX passages_of_source ON passages (source_id, page_url, position)',
  // The words come analysed, separated by spaces; the chatbot is one of them, so that the index itself
  // narrows a search to it.
  `CREATE VIRTUAL TABLE passage_words USING fts5 (
    chatbot, body, aside, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0"
  )`,
  // A virtual table takes no part in foreign keys. The trigger makes every cascade reach it.
  `CREATE TRIGGER forget_passage_words AFTER DELETE ON passages BEGIN
    DELETE FROM passage_words WHERE rowid = old.id;
  END`,
  `CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sessions_of_chatbot ON sessions (chatbot_id, id)',
  `CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    query TEXT NOT NULL,
    response TEXT NOT NULL DEFAULT '',
    finish_reason TEXT NOT NULL DEFAULT '',
    error_message TEXT NOT NULL DEFAULT '',
    citations TEXT NOT NULL DEFAULT '{}',
    meta TEXT NOT NULL DEFAULT '{}',
    feedback TEXT,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX messages_of_session ON messages (session_id, id)',
  `CREATE INDEX messages_running ON messages (id) WHERE finish_reason = ''`,
  `CREATE TABLE message_parts (
    message_id TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE rate_hits (bucket TEXT NOT NULL, hit_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX rate_hits_of_bucket ON rate_hits (bucket, hit_at)',
  `CREATE TABLE token_usage (
    chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
    month TEXT NOT NULL,
    messages INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (chatbot_id, month)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    secret TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX webhooks_of_chatbot ON webhooks (chatbot_id, id)',
  `CREATE TABLE webhook_deliveries (
    id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL REFERENCES webhooks ON DELETE CASCADE,
    event TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    attempts INTEGER NOT NULL DEFAULT 0,
    response_status INTEGER,
    error TEXT NOT NULL DEFAULT '',
    due_at INTEGER,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id)',
  'CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL',
  // However a message or a source comes to its end, in the same write there is something to tell.
  `CREATE TRIGGER tell_message_finished AFTER UPDATE OF finish_reason ON messages
  WHEN old.finish_reason = '' AND new.finish_reason <> '' BEGIN
    ${deliveryFor("'message.finished'", '(SELECT chatbot_id FROM sessions WHERE id = new.session_id)')};
  END`,
  `CREATE TRIGGER tell_source_ended AFTER UPDATE OF status ON sources
  WHEN new.status <> old.status AND (new.status IN ('success', 'fail') OR new.status LIKE 'error:%') BEGIN
    ${deliveryFor("iif(new.status = 'success', 'source.finished', 'source.failed')", 'new.chatbot_id')};
  END`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
