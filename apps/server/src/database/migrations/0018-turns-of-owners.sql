-- The order in which each kind of an owner's sources is claimed. Claims must use the same expressions. The last columns
-- make the index cover a claim's conditions.
CREATE INDEX sources_by_turn ON sources (owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id, chatbot_id, claim_id) WHERE due_at IS NOT NULL;

CREATE INDEX sources_in_work ON sources (owner_id, due_at) WHERE claim_id IS NOT NULL;

CREATE INDEX chatbots_by_name ON chatbots (owner_id, name);
