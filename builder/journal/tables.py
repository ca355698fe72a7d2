"""The journal's tables, as the steps by which they became what they are."""

SCHEMA_VERSION = 3
MIGRATIONS = {
    1: """
CREATE TABLE IF NOT EXISTS requests (key TEXT PRIMARY KEY, stage TEXT NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, key TEXT NOT NULL REFERENCES requests (key),
  kind TEXT NOT NULL CHECK (kind IN ('completion', 'failure')), body BLOB NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS one_completion_a_key ON attempts (key) WHERE kind = 'completion';
CREATE INDEX IF NOT EXISTS attempts_by_key ON attempts (key);
CREATE TABLE IF NOT EXISTS annotations (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE);
""",
    2: """
CREATE TABLE batches (tag TEXT PRIMARY KEY, model TEXT NOT NULL, keys BLOB NOT NULL, since TEXT NOT NULL,
  batch_id TEXT, ended INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
""",
    3: """
CREATE TABLE paraphrase_checks (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE);
""",
}
