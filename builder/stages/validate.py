"""validate: whether the requests make a corpus the rest can be built on."""

from collections.abc import Callable, Iterator, Sequence

from builder.corpus_file import Complaint
from builder.corpus_rules.balance import check_balance
from builder.corpus_rules.content import check_content
from builder.corpus_rules.form import check_form
from builder.corpus_rules.near_duplicates import check_near_duplicates
from builder.corpus_rules.paraphrase_bands import check_paraphrase_bands
from builder.corpus_rules.uniqueness import check_uniqueness
from schemas.records import Request

Check = Callable[[Sequence[Request]], Iterator[Complaint]]

ALWAYS: tuple[Check, ...] = (
    check_uniqueness,
    check_form,
    check_content,
    check_near_duplicates,
    check_paraphrase_bands,
)


def check(requests: Sequence[Request], *, complete: bool = True) -> tuple[Complaint, ...]:
    """Everything that is wrong with the requests, by file and line; empty if nothing is.

    With `complete` the cells must hold the counts of the full corpus too. Nothing is read or asked.
    """
    checks = (check_balance, *ALWAYS) if complete else ALWAYS
    found = [complaint for rule in checks for complaint in rule(requests)]
    return tuple(sorted(found, key=lambda complaint: (complaint.file, complaint.line)))
