-- JSON: answering settings. Chatbots that are older than a setting lack it.
ALTER TABLE chatbots ADD COLUMN answering TEXT NOT NULL DEFAULT '{}';

-- Chatbots that follow the server's default, until a start stores the current model.
CREATE INDEX chatbots_without_model ON chatbots (id) WHERE model IS NULL;
