-- In the order in which questions are stored, so that a node that still serves is waited for and never deadlocks.
LOCK TABLE chatbots, sessions, messages IN SHARE ROW EXCLUSIVE MODE;

-- What usage by day adds up, by quarter hours of UTC (900,000 milliseconds): days begin at any of them. Connections write
-- to 8 different rows of one, so that answers of one chatbot seldom wait for each other.
-- It has no foreign key: whoever adds to it would wait for a chatbot that is being deleted, and that one for them.
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

-- What a message adds to each sum. Nothing that a provider says of its tokens may keep an answer from being stored.
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

-- Found as text: to read all of the JSON takes six times as long. In a string of JSON the quotes would be escaped.
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

-- Once for a statement: many messages of a quarter hour go together. In one order, so that two of these do not wait for
-- each other.
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

-- Its messages go before the session that says whose they are.
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

-- By its name it comes after the foreign keys, which take the sessions along.
CREATE TRIGGER forget_totals AFTER DELETE ON chatbots FOR EACH ROW EXECUTE FUNCTION forget_totals();

INSERT INTO message_totals
SELECT chatbot_id, messages.created_at / 900000, 0, count(*), sum(sums.answered), sum(sums.rated_up), sum(sums.rated_down), sum(sums.tokens)
FROM messages JOIN sessions ON sessions.id = session_id
CROSS JOIN LATERAL sums_of(finish_reason, meta, feedback) AS sums GROUP BY 1, 2;
