"""The nouns of the project: vocabularies, frozen records, chat requests, configuration and table schemas."""
