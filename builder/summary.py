"""What a run says at its end: what was made, what is missing and why, where it is, what to do next. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from builder.counted import counted
from builder.estimate import Estimate
from builder.growth.tell import growth_text
from builder.pipeline import BuildResult
from builder.transports.backlog import IN_A_BATCH
from builder.transports.purse import BUDGET
from builder.work import Account, accounts
from schemas.command_line import command_line
from schemas.printable import one_line

REASONS = 2
REASON = 200
PUT_RIGHT_FIRST = frozenset({"auth", "not_found", "rejected"})


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows as aligned text columns; all but the first are flushed right."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(w) if place == 0 else cell.rjust(w)
            for place, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(indent + "  ".join(cells).rstrip())
    return "\n".join(lines)


def plan_text(rows: Sequence[Estimate], notes: Sequence[str] = ()) -> str:
    """The estimate as a table with totals, and notes under it."""
    head = ("stage", "model", "calls", "on record", "to ask", "tokens in", "tokens out", "US$")
    body = [
        (
            row.stage,
            row.model,
            f"{row.planned:,}",
            f"{row.already:,}",
            f"{row.planned - row.already:,}",
            f"{row.input_tokens:,}",
            f"{row.output_tokens:,}",
            "no price" if row.usd is None else f"{row.usd:.2f}",
        )
        for row in rows
    ]
    to_ask = sum(row.planned - row.already for row in rows)
    known = sum(row.usd for row in rows if row.usd is not None)
    unknown = sum(row.planned - row.already for row in rows if row.usd is None)
    note = f", not counting {unknown:,} calls without a price" if unknown else ""
    told = "".join(f"\n  {line}" for line in notes)
    return (
        f"{columns([head, *body])}\n  {to_ask:,} calls to make, about US$ {known:.2f}{note}. Nothing was asked.{told}"
    )


def summary_text(result: BuildResult, run: Path) -> str:
    """The end of a run in words and one table a target."""
    parts = [
        text for stage, report in result.reports.items() if (text := _stage_problems(stage, result, report.stopped))
    ]
    if grown := growth_text(result.work.grown, run):
        parts.append(grown)
    if result.derived is None or result.release is None:
        done = sum(report.already + report.answered for report in result.reports.values())
        parts.append(f"Stopped. {done:,} answers are on record in {run}; the same command goes on from there.")
        return "\n".join(parts)
    told = accounts(result.work, result.derived)
    parts.extend(_account_text(account) for account in told)
    parts.append(_next_steps(result, told, run))
    return "\n".join(parts)


def _stage_problems(stage: str, result: BuildResult, stopped: dict[str, str]) -> str:
    report = result.reports[stage]
    lines = [f"{stage}: {model} was given up: {one_line(why)}" for model, why in stopped.items()]
    if report.failed:
        kinds = Counter(why.partition(":")[0] for why in report.failed.values())
        told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        lines.append(f"{stage}: {counted(len(report.failed), 'request')} ended without an answer ({told})")
        lines += [f"  {count:,} × {one_line(why)[:REASON]}" for why, count in _most_common(report.failed)]
    for why, count in Counter(report.not_asked.values()).items():
        lines.append(f"{stage}: {counted(count, 'request')} still to be asked ({one_line(why)})")
    return "\n".join(lines)


def _most_common(failed: Mapping[str, str]) -> list[tuple[str, int]]:
    return Counter(failed.values()).most_common(REASONS)


def _account_text(account: Account) -> str:
    missing = account.planned - account.predictions["ok"]
    unlabelled = account.planned - account.responses["ok"]
    lines = [
        f"{account.target}: {account.planned:,} rows planned",
        f"  predictions  {account.predictions['ok']:,} given, {missing:,} missing{_reasons(account.predictions)}",
        f"  responses    {account.responses['ok']:,} labelled{_sources(account)}, {unlabelled:,} without a label"
        f"{_reasons(account.responses)}",
    ]
    if account.substitutes:
        lines.append(f"  served by    not the model that was asked: {', '.join(map(one_line, account.substitutes))}")
    if account.reasons:
        told = ", ".join(f"{reason} {count:,}" for reason, count in account.reasons.most_common())
        lines.append(f"  for people   {account.people} ({told})")
    return "\n".join(lines)


def _reasons(counts: Counter[str]) -> str:
    told = [f"{name} {count:,}" for name, count in counts.most_common() if name != "ok"]
    return f" ({', '.join(told)})" if told else ""


def _sources(account: Account) -> str:
    told = [f"{name} {count:,}" for name, count in account.sources.most_common()]
    return f" ({', '.join(told)})" if told else ""


def _next_steps(result: BuildResult, told: Sequence[Account], run: Path) -> str:
    lines = [f"Release: {result.release}"]
    if result.release is not None:
        lines.append(f"  report:       {result.release / 'report' / 'report.html'}")
    lines.append(f"  tables:       {command_line('analyze-dataset', result.release)}")
    lines.append(f"  load it:      datasets.load_dataset({str(result.release)!r})")
    if any(account.responses["unlabelled"] for account in told):
        serve = command_line("annotate-dataset", "serve", "--run", run)
        lines.append("  unlabelled:   people decide these, or --accept-judge JUDGE lets a judge's votes stand")
        lines.append(f"  let people label:  {serve}")
    if result.unanswered:
        lines.append(f"  unanswered:   {result.unanswered:,} calls; {_what_helps(result)} (run directory {run})")
    return "\n".join(lines)


def _what_helps(result: BuildResult) -> str:
    reports = result.reports.values()
    reasons = [why for report in reports for why in (*report.failed.values(), *report.not_asked.values())]
    if any(why.startswith(BUDGET) for why in reasons):
        return "run the same command with a larger --budget-usd"
    if IN_A_BATCH in reasons:
        return "run the same command with --transport batch, which collects what is under way"
    if all(why.partition(":")[0] in PUT_RIGHT_FIRST for why in reasons):
        return "put right what is said of them above, then run the same command again"
    return "run the same command again"
