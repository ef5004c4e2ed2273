-- The maximum cost of a running answer, so that parallel questions can't exceed a budget together.
CREATE TABLE token_reservations (
  message_id TEXT COLLATE "C" PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  tokens BIGINT NOT NULL
);

CREATE INDEX token_reservations_of_chatbot ON token_reservations (chatbot_id);

-- Every question inserts and deletes a row, so dead rows must be vacuumed soon.
ALTER TABLE token_reservations SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
