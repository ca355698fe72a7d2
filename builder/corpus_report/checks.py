"""Content checks: each rule, why it is there, and how many texts break it."""

from collections import Counter
from collections.abc import Sequence

from builder.corpus_report.section import Cell, Section, Table, records
from builder.corpus_rules.content import CONTENT_RULES
from builder.corpus_rules.texts import texts_of
from builder.counted import counted
from builder.stages.validate import check
from schemas.records import Request

_RULES = ("rule", "n texts", "broken by", "reason")


def check_section(requests: Sequence[Request]) -> Section:
    """Every content rule with its count, and every complaint of the validation."""
    complaints = check(requests, complete=False)
    broken = Counter(complaint.rule for complaint in complaints)
    n_texts = sum(1 for _ in texts_of(requests))
    rules: tuple[tuple[Cell, ...], ...] = tuple(
        (rule.name, n_texts, broken[rule.name], rule.reason) for rule in CONTENT_RULES
    )
    listed: tuple[tuple[Cell, ...], ...] = tuple((str(complaint),) for complaint in complaints)
    tables = (Table("Content rules", _RULES, rules), *([Table("Complaints", ("complaint",), listed)] if listed else []))
    return Section(
        key="checks",
        title="Checks",
        paragraphs=(f"{counted(len(complaints), 'complaint')} about {counted(n_texts, 'text')}.",),
        tables=tables,
        data={
            "n_texts": n_texts,
            "rules": records(_RULES, rules),
            "complaints": [str(complaint) for complaint in complaints],
        },
    )
