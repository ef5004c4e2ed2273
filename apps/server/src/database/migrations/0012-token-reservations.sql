-- The maximum cost of a running answer, so that parallel questions can't exceed a budget together.
CREATE TABLE token_reservations (
  message_id TEXT NOT NULL PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  chatbot_id TEXT NOT NULL,
  tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX token_reservations_of_chatbot ON token_reservations (chatbot_id);
