-- What an answer that runs may cost at most, so that parallel questions do not exceed a budget together.
CREATE TABLE token_reservations (
  message_id TEXT COLLATE "C" PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
  chatbot_id TEXT COLLATE "C" NOT NULL,
  tokens BIGINT NOT NULL
);

CREATE INDEX token_reservations_of_chatbot ON token_reservations (chatbot_id);

-- Rows come and go with every question here; the dead ones must not pile up.
ALTER TABLE token_reservations SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
