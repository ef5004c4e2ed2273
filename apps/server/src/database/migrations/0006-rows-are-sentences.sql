-- A row of a table is one sentence now, so that words of the first analysis are made anew as well.
DROP INDEX passages_of_older_analysis;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 2;
