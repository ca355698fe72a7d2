# ruff: noqa: S608 - SQL is put together from our own fragments; values are bound
"""The full-text tables inside Argilla's SQLite file. Triggers keep them in step, so they are never stale."""

# Images are left out: they can be data URLs of megabytes.
_TEXTS = """
INSERT INTO lse_text (record_id, dataset_id, field, text)
SELECT {record}.id, {record}.dataset_id, f.name, group_concat(t.atom, ' ')
FROM {source} fields f, json_tree({record}.fields, '$."' || f.name || '"') t
WHERE f.dataset_id = {record}.dataset_id AND t.type IN ('text', 'integer', 'real')
  AND coalesce(json_extract(f.settings, '$.type'), 'text') != 'image' {condition}
GROUP BY {record}.id, f.name
"""
_TEXTS_OF_NEW = _TEXTS.format(record="new", source="", condition="")

CREATE = (
    """CREATE TABLE IF NOT EXISTS lse_text (id INTEGER PRIMARY KEY, record_id CHAR(32) NOT NULL,
        dataset_id CHAR(32) NOT NULL, field TEXT NOT NULL, text TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS lse_text_record ON lse_text (record_id)",
    "CREATE INDEX IF NOT EXISTS lse_text_dataset ON lse_text (dataset_id)",
    """CREATE VIRTUAL TABLE IF NOT EXISTS lse_fts
        USING fts5 (text, content='lse_text', content_rowid='id', tokenize='unicode61')""",
    """CREATE TRIGGER IF NOT EXISTS lse_text_added AFTER INSERT ON lse_text BEGIN
        INSERT INTO lse_fts (rowid, text) VALUES (new.id, new.text); END""",
    """CREATE TRIGGER IF NOT EXISTS lse_text_gone AFTER DELETE ON lse_text BEGIN
        INSERT INTO lse_fts (lse_fts, rowid, text) VALUES ('delete', old.id, old.text); END""",
    f"CREATE TRIGGER IF NOT EXISTS lse_record_added AFTER INSERT ON records BEGIN {_TEXTS_OF_NEW}; END",
    f"""CREATE TRIGGER IF NOT EXISTS lse_record_changed AFTER UPDATE OF fields ON records BEGIN
        DELETE FROM lse_text WHERE record_id = old.id; {_TEXTS_OF_NEW}; END""",
    """CREATE TRIGGER IF NOT EXISTS lse_record_gone AFTER DELETE ON records BEGIN
        DELETE FROM lse_text WHERE record_id = old.id; END""",
)

# For records that were written while the triggers did not exist: by an older start, or by another Argilla.
CATCH_UP = (
    "DELETE FROM lse_text WHERE record_id NOT IN (SELECT id FROM records)",
    _TEXTS.format(record="r", source="records r,", condition="AND r.id NOT IN (SELECT record_id FROM lse_text)"),
)
