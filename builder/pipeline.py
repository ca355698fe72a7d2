"""The order of the work: validate → generate, paraphrase, verify → predict → respond → judge → label → release."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.decide import Policy
from annotation.judge_record import JudgeRecord
from builder.conclude import conclude
from builder.corpus_file import Complaint, Corpus
from builder.counted import counted
from builder.growth.aids import aids_of
from builder.growth.grow import grow, take_steps
from builder.growth.records import Step
from builder.growth.write import SUMMARY, write_growth
from builder.journal.store import Journal
from builder.release_facts import release_facts
from builder.reporting import reporter
from builder.stages import validate
from builder.tally import Tallies
from builder.transports.protocol import Ask, AskReport, Transport
from builder.work import Work, judge_asks, plan_work, predict_asks, respond_asks
from builder.workers import workers
from hub_card.release import write_pieces
from schemas.config import LEXICAL, BuildConfig
from schemas.records import Request


class InvalidCorpusError(Exception):
    """A corpus that breaks its rules; nothing is asked and nothing released."""

    def __init__(self, complaints: tuple[Complaint, ...]) -> None:
        super().__init__(f"{counted(len(complaints), 'problem')} in the corpus")
        self.complaints = complaints


class EmptyCorpusError(Exception):
    """A build for which no request could be generated; the message says where it is told why."""


@dataclass(slots=True)
class BuildResult:
    """What a build made: the reports of the asking stages, the counts of each target, and where the release is."""

    work: Work
    reports: dict[str, AskReport] = field(default_factory=dict)
    derived: Tallies | None = None
    release: Path | None = None

    @property
    def unanswered(self) -> int:
        """Calls that ended without an answer, failed or never made."""
        return sum(len(report.failed) + len(report.not_asked) for report in self.reports.values())

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the asking."""
        return any("interrupted" in report.not_asked.values() for report in self.reports.values())

    @property
    def short(self) -> bool:
        """Whether requests or paraphrases that a model was to write are missing."""
        return bool(self.work.grown.missing_requests or self.work.grown.missing_paraphrases)


def checked_corpus(corpus: Corpus, *, complete: bool) -> tuple[Request, ...]:
    """The requests of a corpus. Raises InvalidCorpusError with every complaint about it.

    With `complete` every topic and level must hold its full count of requests.
    """
    complaints = corpus.complaints or validate.check(corpus.requests, complete=complete)
    if complaints:
        raise InvalidCorpusError(tuple(complaints))
    return corpus.requests


def grown_work(
    corpus: tuple[Request, ...], config: BuildConfig, journal: Journal, transport: Transport, run: Path
) -> BuildResult:
    """The planned rows after the corpus was grown as configured, with its account written under `run`.

    After an interrupt nothing more is asked. Raises EmptyCorpusError if there is nothing to build.
    """
    result = BuildResult(plan_work((), config))

    def meet(step: Step) -> None:
        if not result.interrupted:
            report, before = transport.ask(step.asks), result.reports.get(step.stage)
            result.reports[step.stage] = report if before is None else before.joined(report)

    aids = aids_of(config, journal)
    grown = take_steps(grow(corpus, config, journal.completion, aids), meet)
    if config.grows or config.verify_with is not None:
        write_growth(grown, run)
    if not grown.requests and not result.interrupted:
        raise EmptyCorpusError(f"there is no request to build with; {run / SUMMARY} says why, cell by cell")
    result.work = plan_work(grown.requests, config, grown)
    return result


def asking_stages(work: Work, journal: Journal) -> Iterator[tuple[str, Iterator[Ask]]]:
    """The stages that need models, in order; each is planned from what the ones before it left on record."""
    yield "predict", predict_asks(work)
    yield "respond", respond_asks(work)
    yield "judge", judge_asks(work, journal)


def policy(config: BuildConfig, records: Sequence[JudgeRecord]) -> Policy:
    """Whose votes decide: judges whose record passes the gate, and the one the user accepts."""
    gated = frozenset(record.judge for record in records if record.passes_gate)
    return Policy(gated - {LEXICAL}, config.accept_judge, config.min_votes)


def build(
    result: BuildResult, journal: Journal, transport: Transport, records: Sequence[JudgeRecord], run: Path
) -> BuildResult:
    """Ask what is missing, derive every record, write the release under `run`; `records` say which judges may decide.

    `result` is what `grown_work` gave. If the user interrupts, it has no release; running again goes on from there.
    """
    work = result.work
    for stage, asks in asking_stages(work, journal):
        if result.interrupted:
            return result
        result.reports[stage] = transport.ask(asks)
    if result.interrupted:
        return result
    return conclude_build(result, journal, records, run)


def conclude_build(result: BuildResult, journal: Journal, records: Sequence[JudgeRecord], run: Path) -> BuildResult:
    """Derive every record from the journal and write the release under `run`; nobody is asked."""
    work, out = result.work, run / "release"
    with workers(len(work.trials)) as each, tempfile.TemporaryDirectory(prefix=".readings.", dir=run) as folder:
        found = conclude(work, journal, policy(work.config, records), Path(folder), each)
        facts = release_facts(work, found.tallies, records)
        write_pieces(found.pieces(journal, each), facts, out, reporter(work.requests, work.grown.people), each)
    result.derived, result.release = found.tallies, out
    return result
