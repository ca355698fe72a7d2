"""The texts of a corpus one by one, each with the name a complaint calls it by."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from builder.corpus_file import Complaint
from schemas.records import Request


class CorpusText(NamedTuple):
    """A base text (variant 0) or a paraphrase (1, 2, …) of a request."""

    request: Request
    variant: int
    text: str

    @property
    def name(self) -> str:
        """The request's id, followed by the paraphrase's number if it is one."""
        return f"{self.request.request_id}-v{self.variant}" if self.variant else self.request.request_id

    def complain(self, rule: str, advice: str) -> Complaint:
        """A complaint about this text, at the line where its request is stated."""
        return Complaint(self.request.file, self.request.line, self.name, rule, advice)


def texts_of(requests: Iterable[Request]) -> Iterator[CorpusText]:
    """Each request's base text, then its paraphrases, in corpus order."""
    for request in requests:
        yield CorpusText(request, 0, request.text)
        for number, paraphrase in enumerate(request.paraphrases, start=1):
            yield CorpusText(request, number, paraphrase.text)


def brief(text: str) -> str:
    """The beginning of a text, short enough for one line of a complaint."""
    return repr(text if len(text) <= 60 else f"{text[:59]}…")
