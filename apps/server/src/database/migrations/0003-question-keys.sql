-- Idempotency keys: a question sent again with the same key is the same question.
CREATE TABLE question_keys (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  key TEXT NOT NULL,
  message_id TEXT NOT NULL REFERENCES messages ON DELETE CASCADE,
  PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX question_keys_of_message ON question_keys (message_id);
