import { type Kysely, sql } from 'kysely'

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
    fetched_at INTEGER NOT NULL,
    PRIMARY KEY (source_id, url)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE source_visits (
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    url TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    links TEXT NOT NULL,
    leads_to TEXT NOT NULL,
    revision TEXT NOT NULL,
    page_url TEXT NOT NULL,
    PRIMARY KEY (source_id, url)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE source_sitemaps (
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    url TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    lists TEXT NOT NULL,
    PRIMARY KEY (source_id, url)
  ) STRICT`,
  `CREATE TABLE passages (
    id INTEGER PRIMARY KEY,
    chatbot_id TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    revision TEXT NOT NULL,
    page_url TEXT NOT NULL DEFAULT '',
    build TEXT NOT NULL,
    position INTEGER NOT NULL,
    starts_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    gap TEXT NOT NULL DEFAULT '',
    lead TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    page INTEGER
  ) STRICT`,
  'CREATE INDEX passages_of_source ON passages (source_id, page_url, build, position)',
  `CREATE TABLE hidden_builds (
    build TEXT PRIMARY KEY,
    chatbot_id TEXT NOT NULL,
    source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
    page_url TEXT NOT NULL,
    claim_id TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX hidden_builds_of_chatbot ON hidden_builds (chatbot_id)',
  'CREATE INDEX hidden_builds_of_source ON hidden_builds (source_id)',
  // What rarity of a word means depends on the chatbot: its passages, and the length of their words.
  `CREATE TABLE passage_counts (
    chatbot_id TEXT PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
    passages INTEGER NOT NULL,
    length INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER count_passage AFTER INSERT ON passages BEGIN
    INSERT INTO passage_counts (chatbot_id, passages, length) VALUES (new.chatbot_id, 1, length(new.words))
    ON CONFLICT DO UPDATE SET passages = passages + 1, length = length + excluded.length;
  END`,
  `CREATE TRIGGER uncount_passage AFTER DELETE ON passages BEGIN
    UPDATE passage_counts SET passages = passages - 1, length = length - length(old.words)
    WHERE chatbot_id = old.chatbot_id;
  END`,
  // The words come analysed, and each with its chatbot's mark before it: the index itself is then divided by chatbot,
  // and knows in how many passages of one a word stands.
  `CREATE VIRTUAL TABLE passage_words USING fts5 (
    build, words, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  )`,
  `CREATE VIRTUAL TABLE passage_terms USING fts5vocab (passage_words, 'row')`,
  // A virtual table takes no part in foreign keys. The trigger makes every cascade reach it.
  `CREATE TRIGGER forget_passage_words AFTER DELETE ON passages BEGIN
    DELETE FROM passage_words WHERE rowid = old.id;
  END`,
  // One of them is in use; another may be filling up to take its place. Each has a table of signs, made with it.
  `CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    is_active INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE passage_vectors (
    passage_id INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
    embedder_id INTEGER NOT NULL REFERENCES embedders ON DELETE CASCADE,
    vector BLOB NOT NULL,
    PRIMARY KEY (passage_id, embedder_id)
  ) STRICT, WITHOUT ROWID`,
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
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
