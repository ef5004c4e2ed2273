-- Analysis 2 treats a table row as one sentence, so passages of analysis 1 are analyzed again.
DROP INDEX passages_of_older_analysis;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 2;
