"""The lexical judge against people's labels: the tables of docs/judges.md.

    python benchmarks/judge.py PATH... [--half tune|report] [--record FILE]

Each PATH is a JSONL file of gold rows (`prompt, response, label` and/or `label_binary`; optional `source, target, id`)
or a folder of such files; copies of a row are left out as by `evaluate-judge`. `--half` keeps the rows whose id hashes
to 0 or 1; without it the gap between the two is told. Prints Markdown.
"""

import argparse
import datetime
import hashlib
import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from analysis.metrics.estimate import Estimate
from annotation.codebook import codebook_version
from annotation.evaluate import Scores, evaluate
from annotation.gold import GoldRow
from annotation.judge_record import Provenance, judge_record
from annotation.lexical import LexicalVerdict, judge_response
from annotation.lexical.fingerprint import rules_hash
from builder.evaluate_gold import gold_of
from schemas.config import LEXICAL
from schemas.vocabulary import RefusalLabel

WARM_UP = 200
HALVES = {"tune": 0, "report": 1}
REFUSED = {RefusalLabel.FULL_REFUSAL, RefusalLabel.PARTIAL_REFUSAL}


def half_of(row: GoldRow) -> int:
    """0 or 1, by the hash of the row's id."""
    return int(hashlib.sha256(row.row_id.encode()).hexdigest(), 16) % 2


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files named, and those in the folders named, in order."""
    return [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def judge_all(rows: Sequence[GoldRow]) -> list[LexicalVerdict]:
    """The verdicts on the rows; prints how long they took after the first few, for which expressions are compiled."""
    verdicts = [judge_response(row.prompt, row.response) for row in rows[:WARM_UP]]
    rest = rows[WARM_UP:]
    began, spent = time.perf_counter(), time.process_time()
    verdicts += [judge_response(row.prompt, row.response) for row in rest]
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    length = sum(len(row.response) for row in rest) / max(1, len(rest))
    print(f"\n{len(rest)} responses of {length:,.0f} characters on average: ", end="")
    print(f"{len(rest) / wall:,.0f}/s by the clock, {len(rest) / cpu:,.0f}/s of one core\n")
    return verdicts


def shown(estimate: Estimate) -> str:
    """An estimate with its interval."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def print_binary(groups: dict[str, Scores]) -> None:
    """Refused or not, per group."""
    print("| group | n | no label | tp | fn | fp | tn | κ | AC1 | sensitivity | specificity | precision |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, found in groups.items():
        two = found.binary
        rates = (two.kappa, two.ac1, two.sensitivity, two.specificity, two.precision)
        counts = (found.n, found.n_unlabelled, two.tp, two.fn, two.fp, two.tn)
        print(f"| {name} | {' | '.join(map(str, counts))} | {' | '.join(map(shown, rates))} |")


def print_classes(groups: dict[str, Scores]) -> None:
    """The four labels, per group that has them."""
    print(
        "\n| group | n | accuracy | macro-F1 | κ | "
        + " | ".join(f"{label}: recall, F1" for label in RefusalLabel)
        + " |"
    )
    print("|---" * 9 + "|")
    for name, found in groups.items():
        four = found.classes
        if four is None:
            continue
        each = [f"{shown(four.recall[k])}, {shown(four.f1[k])}" if k in four.recall else "–" for k in RefusalLabel]
        numbers = f"{shown(four.accuracy)} | {shown(four.macro_f1)} | {shown(four.kappa)}"
        print(f"| {name} | {four.accuracy.n} | {numbers} | {' | '.join(each)} |")


def print_confidence(found: Scores) -> None:
    """How often each confidence is right, and what acting on it covers."""
    own = found.confidence
    print("\n| confidence | n | right |\n|---|---|---|")
    for level, estimate in sorted(own.levels.items(), reverse=True):
        print(f"| {level} | {estimate.n} | {shown(estimate)} |")
    print("\n| confidence ≥ | covers | right | errors let through | share of errors caught |\n|---|---|---|---|---|")
    for chosen in own.selections:
        cells = (chosen.coverage, chosen.accuracy, chosen.errors_passed, chosen.errors_caught)
        print(
            f"| {chosen.threshold} | "
            + " | ".join(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells)
            + " |"
        )
    print(f"\nAURC {own.risk.aurc:.4f}, error rate {own.risk.random:.4f}, ECE {own.calibration.ece:.3f}")


def print_errors(rows: Sequence[GoldRow], verdicts: Sequence[LexicalVerdict]) -> None:
    """Which rules err, on which side."""
    kinds = Counter(
        ("missed refusal" if row.refused else "false alarm", verdict.reason)
        for row, verdict in zip(rows, verdicts, strict=True)
        if verdict.label is not None and (verdict.label in REFUSED) != row.refused
    )
    print("\n| error | what the judge said | n |\n|---|---|---|")
    for (side, reason), count in kinds.most_common():
        print(f"| {side} | {reason} | {count} |")


def gap(tune: Estimate, report: Estimate) -> str:
    """The difference of two independent estimates with its interval.

    Variances add: half its width is √(w₁² + w₂²), w how far each reaches below its value (above, 1 may cut it short).
    """
    if tune.value is None or report.value is None or tune.low is None or report.low is None:
        return "–"
    difference = tune.value - report.value
    reach = math.hypot(tune.value - tune.low, report.value - report.low)
    return f"{difference:.3f} [{difference - reach:.2f}, {difference + reach:.2f}]"


def print_gaps(rows: Sequence[GoldRow], verdicts: Sequence[LexicalVerdict]) -> None:
    """How much better the rules do on the rows that they were written on, per source."""
    halves = []
    for half in HALVES.values():
        kept = [(row, verdict) for row, verdict in zip(rows, verdicts, strict=True) if half_of(row) == half]
        halves.append(evaluate(*map(list, zip(*kept, strict=True))))
    tune, report = halves
    print("\n| source | κ tune | κ report | gap |\n|---|---|---|---|")
    for name in [*tune.by_source, "all"]:
        first, second = (half.overall if name == "all" else half.by_source.get(name) for half in (tune, report))
        if first is not None and second is not None:
            one, two = first.binary.kappa, second.binary.kappa
            print(f"| {name} | {shown(one)} | {shown(two)} | {gap(one, two)} |")


def main() -> None:
    """Judges the files named on the command line and prints the tables."""
    command = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    command.add_argument("paths", nargs="+", type=Path)
    command.add_argument("--half", choices=HALVES)
    command.add_argument("--record", type=Path, help="write the judge record here")
    chosen = command.parse_args()
    files = files_of(chosen.paths)
    gold = gold_of(files, None)
    print(f"{gold.name}: {len(gold.rows)} rows")
    rows = [row for row in gold.rows if chosen.half is None or half_of(row) == HALVES[chosen.half]]
    verdicts = judge_all(rows)
    found = evaluate(rows, verdicts)
    groups = {**found.by_source, **{f"target {name}": scores for name, scores in found.by_target.items()}}
    print_binary({**groups, "all": found.overall})
    print_classes({**groups, "all": found.overall})
    print_confidence(found.overall)
    print_errors(rows, verdicts)
    if chosen.half is None:
        print_gaps(rows, verdicts)
    if chosen.record:
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        name = files[0].parent.name + (f" ({chosen.half} half)" if chosen.half else "")
        about = Provenance(LEXICAL, rules_hash(), codebook_version(), today, name, gold.sha256)
        chosen.record.write_text(judge_record(about, found.overall).to_json() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
