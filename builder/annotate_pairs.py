"""People check paraphrases: `push` and `export` with `--what paraphrases`, and what `pull` and `import` bring."""

from argparse import Namespace
from collections.abc import Iterable

from annotation.argilla.api import Api
from annotation.argilla.pairs_pull import pair_answers, unrecorded_checks
from annotation.argilla.pairs_push import push_pairs
from annotation.argilla.push import Pushed, Say
from annotation.codebook import codebook_version
from annotation.pairs import PairSummary, drawn_pairs, summarised
from annotation.pairs_table import ANSWERS, WORDS, export_pairs, import_pairs, unrecorded_answers
from builder.annotate_run import annotate, build_again, read_pairs, record_checks
from schemas.records import ParaphraseCheck
from schemas.vocabulary import Topic

SHOWN = 8


def push_paraphrases(api: Api, flags: Namespace, declined: dict[str, tuple[Topic, ...]], say: Say) -> Pushed:
    """Send the run's paraphrases, or as many of them as `--draw` says. Raises ArgillaError."""
    pairs = drawn_pairs(read_pairs(flags).pairs, flags.draw)
    say(f"{len(pairs):,} paraphrases for two people each")
    return push_pairs(api, flags.workspace, pairs, declined, say)


def pull_paraphrases(api: Api, flags: Namespace, say: Say) -> None:
    """Bring what people said of paraphrases into the journal, and say what it comes to. Raises ArgillaError."""
    found = pair_answers(api, flags.workspace, by_name=flags.names)

    def new(recorded: tuple[ParaphraseCheck, ...]) -> Iterable[ParaphraseCheck]:
        return unrecorded_checks(found.checks, recorded)

    count = record_checks(flags.run, new) if found.checks else 0
    run = read_pairs(flags)
    if run.checks:
        say(f"{count:,} new answers about paraphrases are in the journal of {flags.run}")
        say(checked_text(summarised(run.pairs, run.checks), build_again(flags)))
    if found.nameless:
        say(f"{found.nameless} answers about paraphrases of accounts that were deleted since were left out")


def export_paraphrases(flags: Namespace, declined: Iterable[Topic], write: Say) -> None:
    """Write the run's paraphrases as a table, those of declined topics and those that NAME answered left out."""
    run, unwanted = read_pairs(flags), set(declined)
    answered = {check.pair_key for check in run.checks if check.annotator == flags.annotator}
    drawn = [pair for pair in drawn_pairs(run.pairs, flags.draw) if pair.topic not in unwanted]
    pairs = [pair for pair in drawn if pair.key not in answered]
    flags.file.write_text(f"\ufeff{export_pairs(pairs)}", encoding="utf-8", newline="")
    back = annotate("import", flags, "--annotator", flags.annotator, flags.file)
    write(
        f"{len(pairs):,} paraphrases are in {flags.file}. Fill in {', '.join(ANSWERS)} ({', '.join(WORDS)}), and note "
        f"if you like; then\n  {back}\n"
    )


def import_paraphrases(flags: Namespace, text: str, annotator: str, at: str, write: Say) -> None:
    """Bring a filled-in table into the journal. Raises SpreadsheetError; then nothing is taken."""
    run = read_pairs(flags)
    answers = import_pairs(text, annotator, {pair.key for pair in run.pairs}, codebook_version(), at)
    count = record_checks(flags.run, lambda recorded: unrecorded_answers(answers, recorded))
    write(f"{count:,} new answers of {annotator} about paraphrases are in the journal of {flags.run}\n")
    run = read_pairs(flags)
    write(f"{checked_text(summarised(run.pairs, run.checks), build_again(flags))}\n")


def checked_text(summary: PairSummary, again: str) -> str:
    """What people said of the paraphrases so far, and what to do about those they reject."""
    lines = [summary.words]
    if summary.rejected:
        more = f" and {len(summary.rejected) - SHOWN} more" if len(summary.rejected) > SHOWN else ""
        lines.append(f"  rejected: {', '.join(summary.rejected[:SHOWN])}{more}")
        lines.append(f"  {again} writes generated ones anew and reports bundled ones, which are for you to rewrite")
    return "\n".join(lines)
