-- The order in which the sources of an owner are taken, for each kind of them. A claim compares by the same words.
CREATE INDEX sources_by_turn ON sources (owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id) WHERE due_at IS NOT NULL;

CREATE INDEX chatbots_by_name ON chatbots (owner_id, name);
