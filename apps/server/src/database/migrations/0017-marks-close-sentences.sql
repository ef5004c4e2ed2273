-- In analysis 3, Markdown marks no longer end a sentence, so older passages are analyzed again.
DROP INDEX passages_of_older_analysis;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 3;
