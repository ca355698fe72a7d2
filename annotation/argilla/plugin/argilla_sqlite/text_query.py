# ruff: noqa: S608 - SQL is put together from our own fragments; values are bound
"""A text search as SQL: the part of Elasticsearch's `simple_query_string` that Argilla documents.

AND by default, `+`, `|`, a leading `-`, "phrases", prefix* and parentheses. Each word may stand in another field of
the record. Text that does not parse searches for the words in it.
"""

import re
from dataclasses import dataclass, field

from .statement import Statement

# FTS5 makes one token of a whole run of these scripts, which are written without spaces: they are scanned for instead.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]")
_LEXER = re.compile(r'"(?P<phrase>[^"]*)"?(?:~\d+)?|(?P<mark>[()|])|(?P<minus>-)(?=\S)|(?P<word>[^\s()|"]+)')
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class TextMatch:
    """The condition on records `r`, and the FTS5 queries whose ranks order the hits."""

    condition: str
    ranked: tuple[str, ...]


def text_match(query: str, field_name: str | None, statement: Statement) -> TextMatch:
    """The condition that a text query stands for; a query without a word matches everything."""
    tokens = [(str(found.lastgroup), found.group(str(found.lastgroup))) for found in _LEXER.finditer(query)]
    reader = _Reader(tokens, statement, field_name)
    return TextMatch(reader.alternatives(wanted=True) or "1", tuple(reader.ranked))


@dataclass(slots=True)
class _Reader:
    tokens: list[tuple[str, str]]
    statement: Statement
    field_name: str | None
    ranked: list[str] = field(default_factory=list)
    place: int = 0

    def alternatives(self, wanted: bool) -> str:
        parts = [self._all_of(wanted)]
        while self._next_is("|"):
            self.place += 1
            parts.append(self._all_of(wanted))
        return _joined(" OR ", parts)

    def _all_of(self, wanted: bool) -> str:
        parts: list[str] = []
        while self.place < len(self.tokens) and not self._next_is("|") and not self._next_is(")"):
            parts.append(self._operand(wanted))
        return _joined(" AND ", parts)

    def _operand(self, wanted: bool) -> str:
        kind, text = self.tokens[self.place]
        self.place += 1
        if kind == "minus":
            unwanted = self._operand(wanted=False) if self.place < len(self.tokens) else ""
            return f"NOT {unwanted}" if unwanted else ""
        if kind == "mark":
            inner = self.alternatives(wanted) if text == "(" else ""
            self.place += self._next_is(")")
            return inner
        return self._leaf(text, phrase=kind == "phrase", wanted=wanted)

    def _leaf(self, text: str, *, phrase: bool, wanted: bool) -> str:
        words = _WORD.findall(text)
        if not words:
            return ""
        if _UNSPACED.search(text):
            return self._found_in(f"instr(d.text, {self.statement.bind(text.lstrip('+'))}) > 0")
        match = '"' + " ".join(words) + '"' if phrase else " AND ".join(f'"{word}"' for word in words)
        if text.endswith("*") and not phrase:
            match += "*"
        if wanted:
            self.ranked.append(f"({match})")
        return self._found_in(f"d.id IN (SELECT rowid FROM lse_fts WHERE lse_fts MATCH {self.statement.bind(match)})")

    def _found_in(self, condition: str) -> str:
        where = f"d.dataset_id = :dataset AND {condition}"
        if self.field_name is not None:
            where += f" AND d.field = {self.statement.bind(self.field_name)}"
        return f"r.id IN (SELECT d.record_id FROM lse_text d WHERE {where})"

    def _next_is(self, mark: str) -> bool:
        return self.tokens[self.place : self.place + 1] == [("mark", mark)]


def _joined(word: str, parts: list[str]) -> str:
    kept = [part for part in parts if part]
    return f"({word.join(kept)})" if kept else ""
