CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sign_ins (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_ins_of_user ON sign_ins (user_id);

CREATE TABLE tokens (
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
) STRICT;

CREATE INDEX tokens_of_user ON tokens (user_id);

CREATE TABLE chatbots (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  model TEXT,
  settings TEXT NOT NULL,
  token_budget INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

CREATE INDEX chatbots_of_owner ON chatbots (owner_id, id);

CREATE TABLE widgets (
  chatbot_id TEXT PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
  settings TEXT NOT NULL
) STRICT;

CREATE TABLE sources (
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
) STRICT;

CREATE INDEX sources_of_chatbot ON sources (chatbot_id, id);

CREATE INDEX sources_due ON sources (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE source_files (
  source_id TEXT PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
  content BLOB NOT NULL
) STRICT;

CREATE TABLE revisions (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT NOT NULL,
  text TEXT NOT NULL,
  pages TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, hash)
) STRICT;

CREATE TABLE source_pages (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  revision TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  file_size INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_visits (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  links TEXT NOT NULL,
  leads_to TEXT NOT NULL,
  revision TEXT NOT NULL,
  page_url TEXT NOT NULL,
  PRIMARY KEY (source_id, url)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_sitemaps (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  lists TEXT NOT NULL,
  PRIMARY KEY (source_id, url)
) STRICT;

CREATE TABLE passages (
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
) STRICT;

CREATE INDEX passages_of_source ON passages (source_id, page_url, build, position);

CREATE TABLE hidden_builds (
  build TEXT PRIMARY KEY,
  chatbot_id TEXT NOT NULL,
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  page_url TEXT NOT NULL,
  claim_id TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX hidden_builds_of_chatbot ON hidden_builds (chatbot_id);

CREATE INDEX hidden_builds_of_source ON hidden_builds (source_id);

-- What rarity of a word means depends on the chatbot: its passages, and the length of their words.
CREATE TABLE passage_counts (
  chatbot_id TEXT PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
  passages INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER count_passage AFTER INSERT ON passages BEGIN
  INSERT INTO passage_counts (chatbot_id, passages, length) VALUES (new.chatbot_id, 1, length(new.words))
  ON CONFLICT DO UPDATE SET passages = passages + 1, length = length + excluded.length;
END;

CREATE TRIGGER uncount_passage AFTER DELETE ON passages BEGIN
  UPDATE passage_counts SET passages = passages - 1, length = length - length(old.words)
  WHERE chatbot_id = old.chatbot_id;
END;

-- The words come analysed, and each with its chatbot's mark before it: the index itself is then divided by chatbot,
-- and knows in how many passages of one a word stands.
CREATE VIRTUAL TABLE passage_words USING fts5 (
  build, words, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);

CREATE VIRTUAL TABLE passage_terms USING fts5vocab (passage_words, 'row');

-- A virtual table takes no part in foreign keys. The trigger makes every cascade reach it.
CREATE TRIGGER forget_passage_words AFTER DELETE ON passages BEGIN
  DELETE FROM passage_words WHERE rowid = old.id;
END;

-- One of them is in use; another may be filling up to take its place. Each has a table of signs, made with it.
CREATE TABLE embedders (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  is_active INTEGER NOT NULL
) STRICT;

CREATE TABLE passage_vectors (
  passage_id INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
  embedder_id INTEGER NOT NULL REFERENCES embedders ON DELETE CASCADE,
  vector BLOB NOT NULL,
  PRIMARY KEY (passage_id, embedder_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_of_chatbot ON sessions (chatbot_id, id);

CREATE TABLE visitors (
  session_id TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  hash TEXT NOT NULL,
  channel TEXT NOT NULL
) STRICT;

CREATE TABLE messages (
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
) STRICT;

CREATE INDEX messages_of_session ON messages (session_id, id);

CREATE INDEX messages_running ON messages (id) WHERE finish_reason = '';

CREATE TABLE settled_questions (
  message_id TEXT PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  settled_at INTEGER NOT NULL
) STRICT;

CREATE TABLE message_parts (
  message_id TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (message_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE rate_hits (bucket TEXT NOT NULL, hit_at INTEGER NOT NULL) STRICT;

CREATE INDEX rate_hits_of_bucket ON rate_hits (bucket, hit_at);

CREATE TABLE token_usage (
  chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  month TEXT NOT NULL,
  messages INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  PRIMARY KEY (chatbot_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

CREATE INDEX webhooks_of_chatbot ON webhooks (chatbot_id, id);

CREATE TABLE webhook_deliveries (
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
) STRICT;

CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;

-- However a message or a source comes to its end, in the same write there is something to tell.
CREATE TRIGGER tell_message_finished AFTER UPDATE OF finish_reason ON messages
WHEN old.finish_reason = '' AND new.finish_reason <> '' BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
  SELECT
    lower(printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || '7' || substr(hex(randomblob(2)), 2) || '8' || substr(hex(randomblob(8)), 2)),
    id, 'message.finished', new.id,
    CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM webhooks
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = new.session_id)
    AND instr(',' || events || ',', ',' || 'message.finished' || ',') > 0;
END;

CREATE TRIGGER tell_source_ended AFTER UPDATE OF status ON sources
WHEN new.status <> old.status AND (new.status IN ('success', 'fail') OR new.status LIKE 'error:%') BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
  SELECT
    lower(printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || '7' || substr(hex(randomblob(2)), 2) || '8' || substr(hex(randomblob(8)), 2)),
    id, iif(new.status = 'success', 'source.finished', 'source.failed'), new.id,
    CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER)
  FROM webhooks
  WHERE chatbot_id = new.chatbot_id
    AND instr(',' || events || ',', ',' || iif(new.status = 'success', 'source.finished', 'source.failed') || ',') > 0;
END;
