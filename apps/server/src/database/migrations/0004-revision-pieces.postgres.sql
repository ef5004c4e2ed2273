-- What is too long for a row: the row of the revision then has an empty text.
CREATE TABLE revision_pieces (
  source_id TEXT COLLATE "C" NOT NULL REFERENCES sources ON DELETE CASCADE,
  hash TEXT COLLATE "C" NOT NULL,
  starts_at BIGINT NOT NULL,
  packed BYTEA NOT NULL,
  PRIMARY KEY (source_id, hash, starts_at)
);

-- To pack them again only takes time.
ALTER TABLE revision_pieces ALTER COLUMN packed SET STORAGE EXTERNAL;

-- Ranges are cut by the server now.
DROP FUNCTION text_slice;

DROP FUNCTION left_units;
