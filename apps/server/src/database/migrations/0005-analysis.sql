-- The version of the analysis that made a passage's words. A background job analyzes older passages again.
ALTER TABLE passages ADD COLUMN analysis INTEGER NOT NULL DEFAULT 0;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 1;
