"""The order of the work: validate → predict → respond → judge → route, adjudicate, bin → release."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from annotation.decide import Policy
from builder.corpus_file import Complaint, Corpus
from builder.journal.store import Journal
from builder.release_facts import release_facts
from builder.reporting import reporter
from builder.stages import release, validate
from builder.transports.protocol import Ask, AskReport, Transport
from builder.work import Derived, Work, derive, judge_asks, plan_work, predict_asks, respond_asks
from hub_card.release import write_release
from schemas.config import BuildConfig


class InvalidCorpusError(Exception):
    """A corpus that breaks its rules; nothing is asked and nothing released."""

    def __init__(self, complaints: tuple[Complaint, ...]) -> None:
        super().__init__(f"{len(complaints)} problems in the corpus")
        self.complaints = complaints


@dataclass(slots=True)
class BuildResult:
    """What a build made: the reports of the asking stages, the records, and where the release is."""

    work: Work
    reports: dict[str, AskReport] = field(default_factory=dict)
    derived: Derived | None = None
    release: Path | None = None

    @property
    def unanswered(self) -> int:
        """Calls that ended without an answer, failed or never made."""
        return sum(len(report.failed) + len(report.not_asked) for report in self.reports.values())


def checked_work(corpus: Corpus, config: BuildConfig, *, complete: bool) -> Work:
    """The plan of a build. Raises InvalidCorpusError with every complaint about the corpus.

    With `complete` every topic and level must hold its full count of requests.
    """
    complaints = corpus.complaints or validate.check(corpus.requests, complete=complete)
    if complaints:
        raise InvalidCorpusError(tuple(complaints))
    return plan_work(corpus.requests, config)


def asking_stages(work: Work, journal: Journal) -> Iterator[tuple[str, Iterator[Ask]]]:
    """The stages that need models, in order; each is planned from what the ones before it left on record."""
    yield "predict", predict_asks(work)
    yield "respond", respond_asks(work)
    yield "judge", judge_asks(work, journal)


def build(work: Work, journal: Journal, transport: Transport, policy: Policy, run: Path) -> BuildResult:
    """Ask what is missing, derive every record, write the release under `run`.

    If the user interrupts, the result has no release; running again goes on from there.
    """
    result = BuildResult(work)
    for stage, asks in asking_stages(work, journal):
        report = result.reports[stage] = transport.ask(asks)
        if "interrupted" in report.not_asked.values():
            return result
    result.derived = derive(work, journal, policy)
    rows = release.tables(work, result.derived, journal.attempts())
    result.release = run / "release"
    write_release(rows, release_facts(work, result.derived), result.release, reporter(work.requests))
    return result
