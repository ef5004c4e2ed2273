-- Text that is too long for a row. The text column of its revision is then empty.
CREATE TABLE revision_pieces (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT COLLATE "C" NOT NULL,
  starts_at BIGINT NOT NULL,
  packed BYTEA NOT NULL,
  PRIMARY KEY (source_id, hash, starts_at)
);

-- The pieces are compressed already, so compressing them again only takes time.
ALTER TABLE revision_pieces ALTER COLUMN packed SET STORAGE EXTERNAL;

-- The server cuts text ranges now.
DROP FUNCTION text_slice;

DROP FUNCTION left_units;
