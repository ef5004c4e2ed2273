-- The order in which the sources of an owner are taken, for each kind of them. A claim compares by the same words. The last
-- columns are those that a claim looks at besides, so that it reads no rows that it does not take.
CREATE INDEX sources_by_turn ON sources (owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id, chatbot_id, claim_id) WHERE due_at IS NOT NULL;

CREATE INDEX sources_in_work ON sources (owner_id, due_at) WHERE claim_id IS NOT NULL;

CREATE INDEX chatbots_by_name ON chatbots (owner_id, name);
