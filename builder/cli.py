"""`build-dataset`: from the corpus to a release directory."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from annotation.decide import Policy
from builder.corpus_file import BUNDLED, read_corpus
from builder.estimate import estimate
from builder.journal.lock import RunLockedError, run_lock
from builder.journal.store import Journal, JournalError
from builder.options import overrides, parser
from builder.pipeline import BuildResult, InvalidCorpusError, build, checked_work
from builder.prices import price_of
from builder.progress import BarWatcher, LineWatcher
from builder.providers.connect import check_access, concurrency_of, connect, connect_batches, has_batches
from builder.providers.local.weights import LocalModelError
from builder.summary import plain, plan_text, summary_text
from builder.transports.batch import BatchTransport
from builder.transports.live import LiveTransport
from builder.transports.protocol import Transport
from builder.transports.purse import Purse
from builder.transports.split import SplitTransport
from builder.work import Work, llm_judges
from schemas.config import BuildConfig, ConfigError, load_config

OK, FAILED, USAGE, INCOMPLETE, INVALID, INTERRUPTED = 0, 1, 2, 3, 4, 130


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
    except (RunLockedError, JournalError, LocalModelError, OSError) as error:
        return _complain(error, FAILED)
    except KeyboardInterrupt:
        return _complain("stopped; what was answered is on record, the same command goes on from there", INTERRUPTED)


def _run(flags: Namespace) -> int:
    config = load_config(flags.config, overrides(flags))
    corpus = read_corpus(flags.corpus or BUNDLED)
    work = checked_work(corpus, config, complete=flags.corpus is None)
    if flags.validate_only:
        texts = sum(1 + len(request.paraphrases) for request in corpus.requests)
        sys.stdout.write(f"{len(corpus.requests)} requests, {texts} texts: every check passes\n")
        return OK
    if flags.plan:
        return _show_plan(work, flags.run)
    check_access(tuple(dict.fromkeys((*config.targets, *llm_judges(config)))), config)
    flags.run.mkdir(parents=True, exist_ok=True)
    settings = f"{config.model_dump_json(indent=2)}\n"
    with run_lock(flags.run), Journal(flags.run / "journal.sqlite") as journal:
        (flags.run / "settings.json").write_text(settings, encoding="utf-8")
        result = _build(work, journal, config, flags.run)
    sys.stdout.write(f"{summary_text(result, flags.run)}\n")
    if result.release is None:
        return INTERRUPTED
    return INCOMPLETE if result.unanswered else OK


def _build(work: Work, journal: Journal, config: BuildConfig, run: Path) -> BuildResult:
    policy = Policy(accepted=config.accept_judge, min_votes=config.min_votes)
    return build(work, journal, _transport(journal, config), policy, run)


def _transport(journal: Journal, config: BuildConfig) -> Transport:
    console = Console(stderr=True)
    watcher = BarWatcher(console) if console.is_terminal else LineWatcher(sys.stderr)
    purse = Purse(partial(price_of, config=config), config.budget_usd)
    live = LiveTransport(
        journal=journal,
        connect=partial(connect, config=config, say=lambda words: console.print(words, markup=False, highlight=False)),
        watcher=watcher,
        concurrency=partial(concurrency_of, config=config),
        purse=purse,
    )
    if config.transport == "live":
        return live
    services = partial(connect_batches, config=config)
    return SplitTransport(
        BatchTransport(journal, services, watcher, config.batch_poll_s, purse=purse), live, has_batches
    )


def _show_plan(work: Work, run: Path) -> int:
    path = run / "journal.sqlite"
    if path.exists():
        with Journal(path) as journal:
            rows = estimate(work, journal)
    else:
        rows = estimate(work, None)
    sys.stdout.write(f"{plan_text(rows)}\n")
    return OK


def _complain(error: object, status: int) -> int:
    sys.stderr.write(f"build-dataset: {plain(str(error))}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
