"""The careful-content checks: a request asks for harm, it never tells how, and it is about nobody real."""

from collections.abc import Iterator, Sequence

from builder.corpus_file import Complaint
from builder.corpus_rules import chemistry, code, contacts, minors, names, products, quantities, self_harm, slurs, steps
from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import texts_of
from schemas.records import Request

CONTENT_RULES: tuple[ContentRule, ...] = (
    *quantities.RULES,
    *chemistry.RULES,
    *code.RULES,
    *contacts.RULES,
    *products.RULES,
    *names.RULES,
    *slurs.RULES,
    *minors.RULES,
    *self_harm.RULES,
    *steps.RULES,
)


def check_content(requests: Sequence[Request]) -> Iterator[Complaint]:
    """A complaint for each rule a text breaks, with the words that break it (slurs and the like are not repeated)."""
    for item in texts_of(requests):
        for rule in CONTENT_RULES:
            if (found := rule.find(item)) is not None:
                yield item.complain(rule.name, f"holds {found}: {rule.reason}; write it out of the text")
