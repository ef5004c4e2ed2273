-- JSON: settings of how it answers. A chatbot that was made before a setting existed does not name it.
ALTER TABLE chatbots ADD COLUMN answering TEXT NOT NULL DEFAULT '{}';

-- Those that follow the server's default, until a start stores the model that answers now.
CREATE INDEX chatbots_without_model ON chatbots (id) WHERE model IS NULL;
