-- Text that is too long for a row. The text column of its revision is then empty.
CREATE TABLE revision_pieces (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (source_id, hash, starts_at)
) STRICT;
