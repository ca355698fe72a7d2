"""`annotate-dataset agreement`, `label`, `export` and `import`: the verbs that need no Argilla."""

import sys
from argparse import Namespace
from datetime import UTC, datetime

from annotation.agreement import agreement_report
from annotation.argilla.form import current_version
from annotation.argilla.pull import stamp
from annotation.items import Item, progress, queue
from annotation.pairs_table import is_pairs_table
from annotation.spreadsheet import WORDS, export_csv, import_csv, unrecorded
from annotation.terminal import Desk, keyboard, label_items
from builder.annotate_argilla import opt_outs
from builder.annotate_pairs import export_paraphrases, import_paraphrases
from builder.annotate_report import agreement_text
from builder.annotate_run import Run, annotate, build_again, read_run, record
from builder.annotate_tables import annotator_of, check_writable
from builder.counted import counted
from schemas.printable import plain
from schemas.records import Annotation


def show_agreement(flags: Namespace) -> None:
    """`agreement`: on what is in the journal; pull first."""
    run = read_run(flags)
    audited = {item.key for item in run.items if item.stream == "audit"}
    verdicts = dict(run.verdicts)
    for judge, said in run.verdicts.items():
        # What is routed is hard by design: only the audit stream tells how a judge does on the whole.
        verdicts[f"{judge}, audit stream"] = {key: label for key, label in said.items() if key in audited}
    report = agreement_report(run.annotations, run.requests, verdicts)
    sys.stdout.write(f"{plain(agreement_text(report, annotate('pull', flags)))}\n")


def label_here(flags: Namespace) -> None:
    """`label`. Each answer is in the journal before the next response is shown."""
    run = read_run(flags)
    items = _for_annotator(run, flags)
    if not sys.stdin.isatty():
        raise OSError("label reads single keys from a terminal; for a pipe use export and import")
    with keyboard() as keys:
        desk = Desk(
            annotator=flags.annotator,
            guidelines_version=current_version(assisted=False),
            read_key=keys.read_key,
            read_line=keys.read_line,
            write=_write,
            keep=lambda answer: _keep(flags, answer),
            now=_now,
            ask_confidence=flags.confidence,
            opt_out=annotate("push", flags, "--opt-out", f"{flags.annotator}=TOPIC"),
        )
        given = label_items(desk, items)
    _write(f"{given} answers are in the journal of {flags.run}; {max(0, len(items) - given)} are left for you\n")


def export_table(flags: Namespace) -> None:
    """`export`. Raises FlagError if the file is to be kept; then nothing is written."""
    check_writable(flags)
    if flags.what == "paraphrases":
        export_paraphrases(flags, opt_outs(flags.run).get(flags.annotator, ()), _write)
        return
    run = read_run(flags)
    items = _for_annotator(run, flags)
    flags.file.write_text(f"\ufeff{export_csv(items)}", encoding="utf-8", newline="")
    if not items:
        _write(f"0 responses are in {flags.file}: {_why_none(run, flags)}\n")
        return
    back = annotate("import", flags, "--annotator", flags.annotator, flags.file)
    _write(
        f"{len(items)} responses are in {flags.file}. Fill in label ({', '.join(WORDS)}), "
        f"and confidence 1 to 5 and note if you like; then\n  {back}\n"
    )


def import_table(flags: Namespace) -> None:
    """`import`: labels, or a table of paraphrases. Raises SpreadsheetError or FlagError; then nothing is taken."""
    annotator = annotator_of(flags)
    try:
        with flags.file.open(encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise OSError(f"{flags.file} is not UTF-8: save it as 'CSV UTF-8'") from error
    if is_pairs_table(text):
        import_paraphrases(flags, text, annotator, _now(), _write)
        return
    run = read_run(flags)
    answers = import_csv(text, annotator, run.requests, current_version(assisted=False), _now())
    count = record(flags.run, lambda recorded: unrecorded(answers, recorded))
    _write(f"{count} new answers of {annotator} are in the journal of {flags.run}\n")


def _for_annotator(run: Run, flags: Namespace) -> list[Item]:
    done = progress(run.items, run.annotations)
    declined = opt_outs(flags.run).get(flags.annotator, ())
    return queue(run.items, done, flags.annotator, run.annotations, declined)


def _why_none(run: Run, flags: Namespace) -> str:
    if not run.n_responses:
        return (
            f"no response is on record for the run's present targets and requests; {build_again(flags)} asks for them"
        )
    if not run.items:
        return f"people are wanted for none of the {counted(run.n_responses, 'response')} on record"
    answered = {a.response_key for a in run.annotations if a.annotator == flags.annotator and a.status != "draft"}
    unwanted = set(opt_outs(flags.run).get(flags.annotator, ()))
    theirs = sum(item.key in answered for item in run.items)
    declined = sum(item.key not in answered and item.topic in unwanted for item in run.items)
    others = len(run.items) - theirs - declined
    return (
        f"of {counted(len(run.items), 'response')} for people {flags.annotator} has answered or skipped {theirs}, "
        f"{declined} are of topics {flags.annotator} opted out of, and {others} have all the answers they need"
    )


def _keep(flags: Namespace, answer: Annotation) -> None:
    record(flags.run, lambda _: [answer])


def _now() -> str:
    return stamp(datetime.now(tz=UTC))


def _write(text: str) -> None:
    sys.stdout.write(plain(text))
    sys.stdout.flush()
