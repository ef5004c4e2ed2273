-- Sums for usage by day, per quarter hour of UTC (900,000 ms), because days of every time zone begin at one. A
-- provider's token counts must never prevent storing an answer, so they are cast.
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

-- Delete messages while their session still says to which chatbot they belong.
CREATE TRIGGER empty_session BEFORE DELETE ON sessions BEGIN
  DELETE FROM messages WHERE session_id = old.id;
END;

-- A covering index: counting sessions and ranking times reads no message row.
CREATE INDEX messages_by_time
ON messages (session_id, created_at, (meta -> 'timings_ms' ->> 'first_text'));

-- The condition must match the query that lists unanswered questions.
CREATE INDEX messages_unanswered ON messages (session_id, id)
WHERE (coalesce(meta ->> 'answered' = 0, false) OR feedback ->> 'rating' = 'down');

INSERT INTO message_totals
SELECT chatbot_id, messages.created_at / 900000, sum(1),
  sum((messages.finish_reason IN ('stop', 'length') AND NOT coalesce(messages.meta ->> 'answered' = 0, false))),
  sum(coalesce(messages.feedback ->> 'rating' = 'up', false)),
  sum(coalesce(messages.feedback ->> 'rating' = 'down', false)),
  sum(CAST(coalesce(messages.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER))
FROM messages JOIN sessions ON sessions.id = session_id GROUP BY 1, 2;
