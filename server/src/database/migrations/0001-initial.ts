import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  `CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    password TEXT,
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE sign_ins (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX sign_ins_of_user ON sign_ins (user_id)',
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
    created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX chatbots_of_owner ON chatbots (owner_id, id)',
  `CREATE TABLE widgets (
    chatbot_id TEXT PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
    settings TEXT NOT NULL
  ) STRICT`,
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
  `CREATE TABLE visitors (
    session_id TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    hash TEXT NOT NULL,
    channel TEXT NOT NULL
  ) STRICT`,
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
  `CREATE TABLE settled_questions (
    message_id TEXT PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    settled_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE message_parts (
    message_id TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (message_id, position)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE rate_hits (bucket TEXT NOT NULL, hit_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX rate_hits_of_bucket ON rate_hits (bucket, hit_at)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
