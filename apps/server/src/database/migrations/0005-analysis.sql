-- By which analysis a passage's words were made. Those of an older one are made anew in the background.
ALTER TABLE passages ADD COLUMN analysis INTEGER NOT NULL DEFAULT 0;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 1;
