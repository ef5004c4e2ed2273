-- Marks of Markdown no longer end a sentence, so that words of the second analysis are made anew as well.
DROP INDEX passages_of_older_analysis;

CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 3;
