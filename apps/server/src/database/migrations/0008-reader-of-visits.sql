-- What an earlier version read says nothing of its reader, so that it is read once more.
ALTER TABLE source_visits ADD COLUMN reader TEXT NOT NULL DEFAULT '';
