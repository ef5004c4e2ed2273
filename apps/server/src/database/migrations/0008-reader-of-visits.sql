-- Earlier versions did not record the reader. An empty value makes every page be read once more.
ALTER TABLE source_visits ADD COLUMN reader TEXT NOT NULL DEFAULT '';
