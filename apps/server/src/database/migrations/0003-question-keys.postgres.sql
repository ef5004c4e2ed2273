-- Idempotency keys: a question sent again with the same key is the same question.
CREATE TABLE question_keys (
  session_id TEXT COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
  key TEXT COLLATE "C" NOT NULL,
  message_id TEXT COLLATE "C" NOT NULL REFERENCES messages ON DELETE CASCADE,
  PRIMARY KEY (session_id, key)
);

CREATE INDEX question_keys_of_message ON question_keys (message_id);
