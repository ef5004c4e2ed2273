-- The order in which each kind of an owner's sources is claimed. Claims must use the same expressions.
CREATE INDEX sources_by_turn ON sources (owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id) WHERE due_at IS NOT NULL;

CREATE INDEX chatbots_by_name ON chatbots (owner_id, name);
