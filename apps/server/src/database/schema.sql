-- Generated from the migrations by "npm run generate", to be read.

CREATE TABLE "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);

CREATE TABLE "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);

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
, answering TEXT NOT NULL DEFAULT '{}') STRICT;

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
  page_url TEXT NOT NULL, reader TEXT NOT NULL DEFAULT '',
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
, analysis INTEGER NOT NULL DEFAULT 0) STRICT;

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

CREATE VIRTUAL TABLE passage_words USING fts5 (
  build, words, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);

CREATE VIRTUAL TABLE passage_terms USING fts5vocab (passage_words, 'row');

CREATE TRIGGER forget_passage_words AFTER DELETE ON passages BEGIN
  DELETE FROM passage_words WHERE rowid = old.id;
END;

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

CREATE TABLE question_keys (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  key TEXT NOT NULL,
  message_id TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
  PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX question_keys_of_message ON question_keys (message_id);

CREATE TABLE revision_pieces (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (source_id, hash, starts_at)
) STRICT;

CREATE TABLE message_totals (
  chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  quarter INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  answered INTEGER NOT NULL,
  rated_up INTEGER NOT NULL,
  rated_down INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (chatbot_id, quarter)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER add_to_totals AFTER INSERT ON messages BEGIN
  INSERT INTO message_totals (chatbot_id, quarter, messages, answered, rated_up, rated_down, tokens)
  SELECT chatbot_id, new.created_at / 900000, 1,
    (new.finish_reason IN ('stop', 'length') AND NOT coalesce(new.meta ->> 'answered' = 0, false)),
    coalesce(new.feedback ->> 'rating' = 'up', false),
    coalesce(new.feedback ->> 'rating' = 'down', false),
    CAST(coalesce(new.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
  FROM sessions WHERE id = new.session_id
  ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, answered = answered + excluded.answered,
    rated_up = rated_up + excluded.rated_up, rated_down = rated_down + excluded.rated_down, tokens = tokens + excluded.tokens;
END;

CREATE TRIGGER change_totals AFTER UPDATE OF finish_reason, meta, feedback ON messages
WHEN old.session_id = new.session_id AND old.created_at / 900000 = new.created_at / 900000 BEGIN
  UPDATE message_totals SET
    answered = answered
      + (new.finish_reason IN ('stop', 'length') AND NOT coalesce(new.meta ->> 'answered' = 0, false))
      - (old.finish_reason IN ('stop', 'length') AND NOT coalesce(old.meta ->> 'answered' = 0, false)),
    rated_up = rated_up + coalesce(new.feedback ->> 'rating' = 'up', false) - coalesce(old.feedback ->> 'rating' = 'up', false),
    rated_down = rated_down + coalesce(new.feedback ->> 'rating' = 'down', false) - coalesce(old.feedback ->> 'rating' = 'down', false),
    tokens = tokens
      + CAST(coalesce(new.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
      - CAST(coalesce(old.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = new.session_id)
    AND quarter = new.created_at / 900000;
END;

CREATE TRIGGER move_in_totals AFTER UPDATE OF session_id, created_at ON messages
WHEN NOT (old.session_id = new.session_id AND old.created_at / 900000 = new.created_at / 900000) BEGIN
  UPDATE message_totals SET messages = messages - 1,
    answered = answered - (old.finish_reason IN ('stop', 'length') AND NOT coalesce(old.meta ->> 'answered' = 0, false)),
    rated_up = rated_up - coalesce(old.feedback ->> 'rating' = 'up', false),
    rated_down = rated_down - coalesce(old.feedback ->> 'rating' = 'down', false),
    tokens = tokens - CAST(coalesce(old.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = old.session_id)
    AND quarter = old.created_at / 900000;
  INSERT INTO message_totals (chatbot_id, quarter, messages, answered, rated_up, rated_down, tokens)
  SELECT chatbot_id, new.created_at / 900000, 1,
    (new.finish_reason IN ('stop', 'length') AND NOT coalesce(new.meta ->> 'answered' = 0, false)),
    coalesce(new.feedback ->> 'rating' = 'up', false),
    coalesce(new.feedback ->> 'rating' = 'down', false),
    CAST(coalesce(new.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
  FROM sessions WHERE id = new.session_id
  ON CONFLICT DO UPDATE SET messages = messages + excluded.messages, answered = answered + excluded.answered,
    rated_up = rated_up + excluded.rated_up, rated_down = rated_down + excluded.rated_down, tokens = tokens + excluded.tokens;
END;

CREATE TRIGGER take_from_totals AFTER DELETE ON messages BEGIN
  UPDATE message_totals SET messages = messages - 1,
    answered = answered - (old.finish_reason IN ('stop', 'length') AND NOT coalesce(old.meta ->> 'answered' = 0, false)),
    rated_up = rated_up - coalesce(old.feedback ->> 'rating' = 'up', false),
    rated_down = rated_down - coalesce(old.feedback ->> 'rating' = 'down', false),
    tokens = tokens - CAST(coalesce(old.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = old.session_id)
    AND quarter = old.created_at / 900000;
END;

CREATE TRIGGER empty_session BEFORE DELETE ON sessions BEGIN
  DELETE FROM messages WHERE session_id = old.id;
END;

CREATE INDEX messages_by_time
ON messages (session_id, created_at, (meta -> 'timings_ms' ->> 'first_text'));

CREATE INDEX messages_unanswered ON messages (session_id, id)
WHERE (coalesce(meta ->> 'answered' = 0, false) OR feedback ->> 'rating' = 'down');

CREATE TABLE token_reservations (
  message_id TEXT NOT NULL PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  chatbot_id TEXT NOT NULL,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_reservations_of_chatbot ON token_reservations (chatbot_id);

CREATE TABLE former_behavior (
  name TEXT PRIMARY KEY,
  kept_in_version TEXT NOT NULL
) STRICT;

CREATE INDEX chatbots_without_model ON chatbots (id) WHERE model IS NULL;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 3;

CREATE INDEX sources_by_turn ON sources (owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id, chatbot_id, claim_id) WHERE due_at IS NOT NULL;

CREATE INDEX sources_in_work ON sources (owner_id, due_at) WHERE claim_id IS NOT NULL;

CREATE INDEX chatbots_by_name ON chatbots (owner_id, name);
