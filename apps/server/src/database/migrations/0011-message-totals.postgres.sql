-- Locks tables in the same order as questions do, so that the migration waits for a serving node without a deadlock.
LOCK TABLE chatbots, sessions, messages IN SHARE ROW EXCLUSIVE MODE;

-- Sums for usage by day, per quarter hour of UTC (900,000 ms), because days of every time zone begin at one.
-- Connections write to 8 slots, so that answers of one chatbot seldom wait for each other. There is no foreign key,
-- because a writer and the deletion of its chatbot would wait for each other.
CREATE TABLE message_totals (
  chatbot_id TEXT COLLATE "C" NOT NULL,
  quarter BIGINT NOT NULL,
  slot INTEGER NOT NULL,
  messages BIGINT NOT NULL,
  answered BIGINT NOT NULL,
  rated_up BIGINT NOT NULL,
  rated_down BIGINT NOT NULL,
  tokens BIGINT NOT NULL,
  PRIMARY KEY (chatbot_id, quarter, slot)
);

ALTER TABLE message_totals SET (autovacuum_vacuum_scale_factor = 0.02, fillfactor = 70);

-- A message's contribution to each sum. Invalid token counts of a provider must not prevent storing an answer.
CREATE FUNCTION sums_of(
  finish_reason TEXT, meta TEXT, feedback TEXT,
  OUT answered INT, OUT rated_up INT, OUT rated_down INT, OUT tokens BIGINT
) LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  said JSONB := CASE WHEN meta <> '{}' THEN as_json(meta) ELSE '{}' END;
  rating TEXT := CASE WHEN feedback IS NOT NULL THEN as_json(feedback) ->> 'rating' END;
  spent JSONB := said -> 'actual_token_distribution' -> 'total_tokens';
BEGIN
  answered := (finish_reason IN ('stop', 'length') AND NOT coalesce(said ->> 'answered' = 'false', false))::int;
  rated_up := coalesce(rating = 'up', false)::int;
  rated_down := coalesce(rating = 'down', false)::int;
  tokens := CASE WHEN jsonb_typeof(spent) = 'number' THEN trunc(spent::numeric)::bigint ELSE 0 END;
END $$;

CREATE FUNCTION change_totals(
  session TEXT, asked_at BIGINT, messages INT, answered INT, rated_up INT, rated_down INT, tokens BIGINT
) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO message_totals AS totals
  SELECT chatbot_id, asked_at / 900000, pg_backend_pid() % 8, messages, answered, rated_up, rated_down, tokens
  FROM sessions WHERE id = session
  ON CONFLICT (chatbot_id, quarter, slot) DO UPDATE
  SET messages = totals.messages + excluded.messages, answered = totals.answered + excluded.answered,
    rated_up = totals.rated_up + excluded.rated_up, rated_down = totals.rated_down + excluded.rated_down,
    tokens = totals.tokens + excluded.tokens
$$;

-- A text search, because parsing the JSON takes six times as long. Quotes inside a JSON string would be escaped.
CREATE FUNCTION first_text_of(meta TEXT) RETURNS NUMERIC LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN strpos(meta, '"first_text":') > 0 THEN
    substring(substr(meta, strpos(meta, '"first_text":') + 13, 30) FROM '^ ?[0-9]+(?:[.][0-9]+)?')::numeric END
$$;

CREATE FUNCTION add_to_totals() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  given RECORD := sums_of(NEW.finish_reason, NEW.meta, NEW.feedback);
BEGIN
  PERFORM change_totals(NEW.session_id, NEW.created_at, 1, given.answered, given.rated_up, given.rated_down, given.tokens);
  RETURN NULL;
END $$;

CREATE FUNCTION change_in_totals() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  before RECORD := sums_of(OLD.finish_reason, OLD.meta, OLD.feedback);
  given RECORD := sums_of(NEW.finish_reason, NEW.meta, NEW.feedback);
BEGIN
  IF OLD.session_id = NEW.session_id AND OLD.created_at / 900000 = NEW.created_at / 900000 THEN
    IF given IS DISTINCT FROM before THEN
      PERFORM change_totals(NEW.session_id, NEW.created_at, 0, given.answered - before.answered,
        given.rated_up - before.rated_up, given.rated_down - before.rated_down, given.tokens - before.tokens);
    END IF;
  ELSE
    PERFORM change_totals(OLD.session_id, OLD.created_at, -1, -before.answered, -before.rated_up, -before.rated_down, -before.tokens);
    PERFORM change_totals(NEW.session_id, NEW.created_at, 1, given.answered, given.rated_up, given.rated_down, given.tokens);
  END IF;
  RETURN NULL;
END $$;

-- Once per statement, because many messages share a quarter hour. The fixed order prevents deadlocks.
CREATE FUNCTION take_from_totals() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_totals(session, asked_at, gone, answered, rated_up, rated_down, tokens) FROM (
    SELECT min(session_id) AS session, min(removed.created_at) AS asked_at, -count(*)::int AS gone, -sum(sums.answered)::int AS answered,
      -sum(sums.rated_up)::int AS rated_up, -sum(sums.rated_down)::int AS rated_down, -sum(sums.tokens)::bigint AS tokens
    FROM removed JOIN sessions ON sessions.id = session_id
    CROSS JOIN LATERAL sums_of(finish_reason, meta, feedback) AS sums
    GROUP BY chatbot_id, removed.created_at / 900000
    ORDER BY chatbot_id, removed.created_at / 900000
  ) AS those;
  RETURN NULL;
END $$;

CREATE TRIGGER add_to_totals AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION add_to_totals();

CREATE TRIGGER change_in_totals AFTER UPDATE OF session_id, created_at, finish_reason, meta, feedback ON messages
FOR EACH ROW EXECUTE FUNCTION change_in_totals();

CREATE TRIGGER take_from_totals AFTER DELETE ON messages
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION take_from_totals();

-- Delete messages while their session still says to which chatbot they belong.
CREATE FUNCTION empty_session() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM messages WHERE session_id = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER empty_session BEFORE DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION empty_session();

CREATE FUNCTION forget_totals() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM message_totals WHERE chatbot_id = OLD.id;
  RETURN NULL;
END $$;

-- Triggers run by name, so this one runs after the foreign keys, which delete the sessions.
CREATE TRIGGER forget_totals AFTER DELETE ON chatbots FOR EACH ROW EXECUTE FUNCTION forget_totals();

INSERT INTO message_totals
SELECT chatbot_id, messages.created_at / 900000, 0, count(*), sum(sums.answered), sum(sums.rated_up), sum(sums.rated_down), sum(sums.tokens)
FROM messages JOIN sessions ON sessions.id = session_id
CROSS JOIN LATERAL sums_of(finish_reason, meta, feedback) AS sums GROUP BY 1, 2;
