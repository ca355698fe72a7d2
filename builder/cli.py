"""`build-dataset`: from the corpus to a release directory."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO

from rich.console import Console

from annotation.family import kinship
from builder.check_cli import check
from builder.contamination_lists import PromptListError
from builder.corpus_file import BUNDLED, read_corpus
from builder.event_log import check_log
from builder.journal.lock import RunLockedError, run_lock
from builder.journal.store import Journal, JournalError, missing_journal
from builder.judge_records import stale_records, valid_records
from builder.leftovers import tidy
from builder.options import overrides, parser
from builder.pipeline import BuildResult, EmptyCorpusError, InvalidCorpusError, build, checked_corpus, grown_work
from builder.planning import plan, problems_of
from builder.prices import price_of
from builder.problem_text import problem_text
from builder.providers.batches import has_batches
from builder.providers.connect import concurrency_of, connect, connect_batches
from builder.providers.local.weights import LocalModelError
from builder.spend import budget_of
from builder.summary import summary_text
from builder.transports.batch import BatchTransport
from builder.transports.daft.crew import FrameError, crew_of
from builder.transports.daft.merge import take_over
from builder.transports.daft.store import StoreError
from builder.transports.daft.transport import DaftTransport
from builder.transports.live import LiveTransport
from builder.transports.protocol import Transport
from builder.transports.split import SplitTransport
from builder.watching import watcher_of
from hub_card.facts import ReleaseError
from hub_card.release import check_replaceable
from schemas.config import BuildConfig, ConfigError, load_config
from schemas.printable import plain
from schemas.records import Request

OK, FAILED, USAGE, INCOMPLETE, INVALID, SHORT, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status (see `--help`)."""
    flags = parser().parse_args(arguments)
    try:
        return _run(flags)
    except ConfigError as error:
        return _complain(error, USAGE)
    except InvalidCorpusError as error:
        for complaint in error.complaints:
            sys.stderr.write(f"{plain(str(complaint))}\n")
        return _complain(error, INVALID)
    except (RunLockedError, JournalError, LocalModelError, EmptyCorpusError, PromptListError, OSError) as error:
        return _complain(error, FAILED)
    except (FrameError, ReleaseError, StoreError) as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        return _complain("stopped; what was answered is on record, the same command goes on from there", INTERRUPTED)


def _corpus_folder(flags: Namespace) -> Path:
    folder: Path = flags.corpus or BUNDLED
    if not any(folder.glob("*.yaml")):
        raise ConfigError(f"--corpus {folder}: there is no .yaml file in it; want one file a topic, such as fraud.yaml")
    return folder


def _run(flags: Namespace) -> int:
    config = load_config(flags.config, overrides(flags))
    corpus = read_corpus(_corpus_folder(flags))
    requests = checked_corpus(corpus, complete=flags.corpus is None)
    if flags.validate_only:
        texts = sum(1 + len(request.paraphrases) for request in requests)
        sys.stdout.write(f"{len(requests)} requests, {texts} texts: every check passes\n")
        return OK
    if flags.check_contamination or flags.corpus_report:
        return INVALID if check(requests, flags.check_contamination or (), flags.corpus_report) else OK
    if flags.plan:
        sys.stdout.write(f"{plain(plan(requests, config, flags.run))}\n")
        return OK
    if problems := problems_of(config):
        raise ConfigError("\n".join(problems))
    if flags.json_log:
        check_log(flags.json_log)
    check_replaceable(flags.run / "release")
    flags.run.mkdir(parents=True, exist_ok=True)
    settings = f"{config.model_dump_json(indent=2)}\n"
    events = flags.json_log.open("a", encoding="utf-8") if flags.json_log else nullcontext()
    if words := missing_journal(flags.run):
        sys.stderr.write(f"{plain(words)}; the run begins anew, and asks everything again\n")
    with run_lock(flags.run), Journal(flags.run / "journal.sqlite") as journal, events as log:
        tidy(flags.run)
        (flags.run / "settings.json.part").write_text(settings, encoding="utf-8")
        (flags.run / "settings.json.part").replace(flags.run / "settings.json")
        take_over(config, flags.run, journal)
        result = _build(requests, journal, _transport(journal, config, log, flags.run), config, flags.run)
    sys.stdout.write(f"{plain(summary_text(result, flags.run))}\n")
    if result.release is None:
        return INTERRUPTED
    if result.unanswered:
        return INCOMPLETE
    return SHORT if result.short else OK


def _build(
    requests: tuple[Request, ...], journal: Journal, transport: Transport, config: BuildConfig, run: Path
) -> BuildResult:
    for name in stale_records(config.judge_records):
        sys.stderr.write(f"the record of {plain(name)} was made with another prompt: it does not count\n")
    for warning in kinship(config.targets, config.judges):
        sys.stderr.write(f"{plain(warning)}\n")
    records = valid_records(config.judges, config.judge_records)
    return build(grown_work(requests, config, journal, transport, run), journal, transport, records, run)


def _transport(journal: Journal, config: BuildConfig, log: TextIO | None, run: Path) -> Transport:
    console = Console(stderr=True)
    price = partial(price_of, config=config)
    watcher = watcher_of(console, price, log)
    purse = budget_of(config, journal)
    kind = partial(DaftTransport, crew=crew_of(config, run)) if config.transport == "daft" else LiveTransport
    live = kind(
        journal=journal,
        connect=partial(connect, config=config, say=lambda words: console.print(words, markup=False, highlight=False)),
        watcher=watcher,
        concurrency=partial(concurrency_of, config=config),
        purse=purse,
    )
    if config.transport != "batch":
        return live
    services = partial(connect_batches, config=config)
    return SplitTransport(
        BatchTransport(journal, services, watcher, config.batch_poll_s, live.interrupt, purse), live, has_batches
    )


def _complain(error: BaseException | str, status: int) -> int:
    sys.stderr.write(f"build-dataset: {plain(problem_text(error))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
