CREATE FUNCTION now_ms() RETURNS BIGINT LANGUAGE sql VOLATILE AS
$$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- A UUIDv7 without its dashes, as the rest of the program makes them.
CREATE FUNCTION new_id() RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT lpad(to_hex(now_ms()), 12, '0') || '7' || substr(random, 14, 3) || substr(random, 17)
  FROM replace(gen_random_uuid()::text, '-', '') AS random
$$;

-- JSON may hold what the server can't: characters of value zero, and halves of surrogate pairs.
CREATE FUNCTION as_json(given TEXT) RETURNS JSONB LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN given ~ '\\u(0000|d)'
    THEN regexp_replace(given, '(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')
    ELSE given END::jsonb
$$;

-- Ranges are kept in the units of JavaScript's strings, of which some characters take two.
CREATE FUNCTION text_slice(given TEXT, starts_at BIGINT, ends_at BIGINT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  head TEXT := left(given, ends_at::int);
  before TEXT;
BEGIN
  IF head !~ '[\U00010000-\U0010FFFF]' THEN
    RETURN substr(head, starts_at::int + 1);
  END IF;
  head := left_units(head, ends_at::int);
  before := left_units(head, starts_at::int);
  RETURN substr(head, length(before) + 1);
END $$;

CREATE FUNCTION left_units(given TEXT, units INT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  kept TEXT := left(given, units);
  over INT;
BEGIN
  LOOP
    over := length(kept) + length(regexp_replace(kept, '[^\U00010000-\U0010FFFF]', '', 'g')) - units;
    IF over <= 0 THEN RETURN kept; END IF;
    kept := left(kept, -greatest(1, over / 2));
  END LOOP;
END $$;

-- Undoes the transaction in which a statement came back empty that had to return a row.
CREATE FUNCTION require_row(rows BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  IF rows = 0 THEN RAISE EXCEPTION 'a condition was not met' USING ERRCODE = 'DC001'; END IF;
END $$;

-- Ids are compared byte by byte, whatever language the database speaks.
CREATE TABLE users (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  password TEXT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE TABLE sign_ins (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sign_ins_of_user ON sign_ins (user_id);

CREATE INDEX sign_ins_by_end ON sign_ins (expires_at);

CREATE TABLE tokens (
  id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  revoked_at BIGINT
);

CREATE INDEX tokens_of_user ON tokens (user_id);

CREATE TABLE chatbots (
  id TEXT COLLATE "C" PRIMARY KEY,
  owner_id TEXT COLLATE "C" NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  model TEXT,
  settings TEXT NOT NULL,
  token_budget BIGINT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX chatbots_of_owner ON chatbots (owner_id, id);

CREATE TABLE widgets (
  chatbot_id TEXT COLLATE "C" PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
  settings TEXT NOT NULL
);

-- These two stand before the sources: when a chatbot goes, they go first, and need not be counted down.
CREATE TABLE passage_counts (
  chatbot_id TEXT COLLATE "C" PRIMARY KEY REFERENCES chatbots ON DELETE CASCADE,
  passages BIGINT NOT NULL,
  length BIGINT NOT NULL
);

CREATE TABLE word_counts (
  chatbot_id TEXT COLLATE "C" NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  word TEXT COLLATE "C" NOT NULL,
  passages BIGINT NOT NULL,
  PRIMARY KEY (chatbot_id, word)
);

CREATE TABLE sources (
  id TEXT COLLATE "C" PRIMARY KEY,
  chatbot_id TEXT COLLATE "C" NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  owner_id TEXT COLLATE "C" NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  title_chosen INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  file_name TEXT NOT NULL DEFAULT '',
  file_size BIGINT NOT NULL DEFAULT 0,
  tokens BIGINT NOT NULL DEFAULT 0,
  meta TEXT NOT NULL DEFAULT '{}',
  attempts INTEGER NOT NULL DEFAULT 0,
  claim_id TEXT COLLATE "C",
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX sources_of_chatbot ON sources (chatbot_id, id);

CREATE INDEX sources_due ON sources (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX sources_in_work ON sources (owner_id, due_at) WHERE claim_id IS NOT NULL;

CREATE TABLE source_files (
  source_id TEXT COLLATE "C" PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
  content BYTEA NOT NULL
);

-- Files are packed already: to pack them again only takes time.
ALTER TABLE source_files ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE revisions (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT COLLATE "C" NOT NULL,
  text TEXT NOT NULL,
  pages TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (source_id, hash)
);

CREATE TABLE source_pages (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT COLLATE "C" NOT NULL,
  title TEXT NOT NULL,
  revision TEXT COLLATE "C" NOT NULL,
  tokens BIGINT NOT NULL,
  file_size BIGINT NOT NULL,
  fetched_at BIGINT NOT NULL,
  PRIMARY KEY (source_id, url)
);

CREATE TABLE source_visits (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT COLLATE "C" NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  links TEXT NOT NULL,
  leads_to TEXT NOT NULL,
  revision TEXT COLLATE "C" NOT NULL,
  page_url TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (source_id, url)
);

CREATE TABLE source_sitemaps (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  url TEXT COLLATE "C" NOT NULL,
  etag TEXT NOT NULL,
  last_modified TEXT NOT NULL,
  lists TEXT NOT NULL,
  PRIMARY KEY (source_id, url)
);

CREATE TABLE passages (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  revision TEXT COLLATE "C" NOT NULL,
  page_url TEXT COLLATE "C" NOT NULL DEFAULT '',
  build TEXT COLLATE "C" NOT NULL,
  position INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  gap TEXT NOT NULL DEFAULT '',
  lead TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL,
  words TEXT NOT NULL,
  page INTEGER
);

CREATE INDEX passages_of_source ON passages (source_id, page_url, build, position);

CREATE TABLE hidden_builds (
  build TEXT COLLATE "C" PRIMARY KEY,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  page_url TEXT COLLATE "C" NOT NULL,
  claim_id TEXT COLLATE "C"
);

CREATE INDEX hidden_builds_of_chatbot ON hidden_builds (chatbot_id);

CREATE INDEX hidden_builds_of_source ON hidden_builds (source_id);

-- The words of a passage as weights at hashed positions, in narrow rows of their own: a search reads all of a chatbot's.
CREATE TABLE passage_words (
  passage_id BIGINT PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  build TEXT COLLATE "C" NOT NULL,
  words SPARSEVEC NOT NULL
);

ALTER TABLE passage_words ALTER COLUMN words SET STORAGE MAIN;

CREATE INDEX passage_words_of_chatbot ON passage_words (chatbot_id);

CREATE TABLE embedders (
  id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  is_active INTEGER NOT NULL
);

CREATE TABLE passage_vectors (
  passage_id BIGINT NOT NULL REFERENCES passages ON DELETE CASCADE,
  embedder_id BIGINT NOT NULL REFERENCES embedders ON DELETE CASCADE,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  build TEXT COLLATE "C" NOT NULL,
  vector HALFVEC NOT NULL,
  PRIMARY KEY (passage_id, embedder_id)
);

ALTER TABLE passage_vectors ALTER COLUMN vector SET STORAGE MAIN;

CREATE INDEX passage_vectors_of_chatbot ON passage_vectors (chatbot_id, embedder_id);

CREATE INDEX passage_vectors_of_embedder ON passage_vectors (embedder_id);

CREATE TABLE sessions (
  id TEXT COLLATE "C" PRIMARY KEY,
  chatbot_id TEXT COLLATE "C" NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX sessions_of_chatbot ON sessions (chatbot_id, id);

CREATE TABLE visitors (
  session_id TEXT COLLATE "C" PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  hash TEXT COLLATE "C" NOT NULL,
  channel TEXT NOT NULL
);

CREATE TABLE messages (
  id TEXT COLLATE "C" PRIMARY KEY,
  session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  query TEXT NOT NULL,
  response TEXT NOT NULL DEFAULT '',
  finish_reason TEXT NOT NULL DEFAULT '',
  error_message TEXT NOT NULL DEFAULT '',
  citations TEXT NOT NULL DEFAULT '{}',
  meta TEXT NOT NULL DEFAULT '{}',
  feedback TEXT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX messages_of_session ON messages (session_id, id);

CREATE TABLE settled_questions (
  message_id TEXT COLLATE "C" PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  settled_at BIGINT NOT NULL
);

CREATE TABLE message_parts (
  message_id TEXT COLLATE "C" NOT NULL REFERENCES messages ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (message_id, position)
);

CREATE TABLE rate_hits (bucket TEXT COLLATE "C" NOT NULL, hit_at BIGINT NOT NULL);

CREATE INDEX rate_hits_of_bucket ON rate_hits (bucket, hit_at);

CREATE INDEX rate_hits_by_time ON rate_hits (hit_at);

CREATE TABLE token_usage (
  chatbot_id TEXT COLLATE "C" NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  month TEXT COLLATE "C" NOT NULL,
  messages BIGINT NOT NULL,
  prompt_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL,
  PRIMARY KEY (chatbot_id, month)
);

CREATE TABLE webhooks (
  id TEXT COLLATE "C" PRIMARY KEY,
  chatbot_id TEXT COLLATE "C" NOT NULL REFERENCES chatbots ON DELETE CASCADE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX webhooks_of_chatbot ON webhooks (chatbot_id, id);

CREATE TABLE webhook_deliveries (
  id TEXT COLLATE "C" PRIMARY KEY,
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event TEXT NOT NULL,
  subject_id TEXT COLLATE "C" NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  attempts INTEGER NOT NULL DEFAULT 0,
  response_status INTEGER,
  error TEXT NOT NULL DEFAULT '',
  due_at BIGINT,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX webhook_deliveries_done ON webhook_deliveries (created_at) WHERE due_at IS NULL;

-- What several nodes have to agree on. SQLite has none of these: there, one process has it all in memory.
CREATE TABLE nodes (
  id TEXT COLLATE "C" PRIMARY KEY,
  alive_until BIGINT NOT NULL
);

-- Who gives the answer that a message waits for. It goes with the end of the answer.
CREATE TABLE running_answers (
  message_id TEXT COLLATE "C" PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  node_id TEXT COLLATE "C" NOT NULL,
  stop_requested BOOLEAN NOT NULL DEFAULT false
);

CREATE INDEX running_answers_of_node ON running_answers (node_id);

CREATE UNLOGGED TABLE request_counts (
  key TEXT COLLATE "C" NOT NULL,
  span BIGINT NOT NULL,
  requests BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (key, span)
);

CREATE INDEX request_counts_by_end ON request_counts (ends_at);

-- Work that one node at a time does, for as long as its lease lasts.
CREATE TABLE duties (name TEXT COLLATE "C" PRIMARY KEY, node_id TEXT COLLATE "C" NOT NULL, held_until BIGINT NOT NULL);

CREATE TABLE shared_values (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);

-- Rows come and go by the thousand here; the dead ones must not pile up.
ALTER TABLE message_parts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

ALTER TABLE running_answers SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

ALTER TABLE rate_hits SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

ALTER TABLE request_counts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- The words of passages, each once for each passage. A word of more than 200 characters is known by its beginning. The
-- row of a chatbot's count is written first, and so keeps other writers of its words waiting.
CREATE FUNCTION count_passages() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO passage_counts AS counts (chatbot_id, passages, length)
  SELECT chatbot_id, count(*), sum(length(words)) FROM added GROUP BY chatbot_id ORDER BY chatbot_id
  ON CONFLICT (chatbot_id) DO UPDATE
  SET passages = counts.passages + excluded.passages, length = counts.length + excluded.length;
  INSERT INTO word_counts AS counts (chatbot_id, word, passages)
  SELECT chatbot_id, word, count(*) AS passages FROM (
    SELECT DISTINCT id, chatbot_id, left(word, 200) AS word
    FROM added, unnest(string_to_array(translate(words, E'\n', ' '), ' ')) AS word WHERE word <> ''
  ) AS found GROUP BY chatbot_id, word ORDER BY chatbot_id, word
  ON CONFLICT (chatbot_id, word) DO UPDATE SET passages = counts.passages + excluded.passages;
  RETURN NULL;
END $$;

CREATE TRIGGER count_passages AFTER INSERT ON passages
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_passages();

CREATE FUNCTION uncount_passages() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE passage_counts SET passages = passage_counts.passages - gone.passages, length = passage_counts.length - gone.length
  FROM (SELECT chatbot_id, count(*) AS passages, sum(length(words)) AS length FROM removed GROUP BY chatbot_id) AS gone
  WHERE passage_counts.chatbot_id = gone.chatbot_id;
  -- The chatbot itself goes: its counts are gone already.
  IF NOT FOUND THEN RETURN NULL; END IF;
  MERGE INTO word_counts USING (
  SELECT chatbot_id, word, count(*) AS passages FROM (
    SELECT DISTINCT id, chatbot_id, left(word, 200) AS word
    FROM removed, unnest(string_to_array(translate(words, E'\n', ' '), ' ')) AS word WHERE word <> ''
  ) AS found GROUP BY chatbot_id, word) AS gone
  ON word_counts.chatbot_id = gone.chatbot_id AND word_counts.word = gone.word
  WHEN MATCHED AND word_counts.passages <= gone.passages THEN DELETE
  WHEN MATCHED THEN UPDATE SET passages = word_counts.passages - gone.passages;
  RETURN NULL;
END $$;

CREATE TRIGGER uncount_passages AFTER DELETE ON passages
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION uncount_passages();

-- However a message or a source comes to its end, in the same write there is something to tell.
CREATE FUNCTION tell_message_finished() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
  SELECT new_id(), id, 'message.finished', NEW.id, now_ms(), now_ms(), now_ms() FROM webhooks
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = NEW.session_id)
    AND position(',' || 'message.finished' || ',' IN ',' || events || ',') > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER tell_message_finished AFTER UPDATE OF finish_reason ON messages FOR EACH ROW
WHEN (OLD.finish_reason = '' AND NEW.finish_reason <> '') EXECUTE FUNCTION tell_message_finished();

CREATE FUNCTION tell_source_ended() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  told TEXT := CASE NEW.status WHEN 'success' THEN 'source.finished' ELSE 'source.failed' END;
BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
  SELECT new_id(), id, told, NEW.id, now_ms(), now_ms(), now_ms() FROM webhooks
  WHERE chatbot_id = NEW.chatbot_id
    AND position(',' || told || ',' IN ',' || events || ',') > 0;
  RETURN NULL;
END $$;

CREATE TRIGGER tell_source_ended AFTER UPDATE OF status ON sources FOR EACH ROW
WHEN (NEW.status <> OLD.status AND (NEW.status IN ('success', 'fail') OR NEW.status LIKE 'error:%'))
EXECUTE FUNCTION tell_source_ended();
