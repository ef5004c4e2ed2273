-- What is too long for a row: the row of the revision then has an empty text.
CREATE TABLE revision_pieces (
  source_id TEXT NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (source_id, hash, starts_at)
) STRICT;
