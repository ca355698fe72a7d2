"""What `annotate-dataset status` and `agreement` say. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from analysis.metrics.estimate import Estimate
from annotation.adjudicate import latest
from annotation.agreement import Agreement, AgreementReport
from annotation.items import Item, Progress, State, progress, wanted
from annotation.pace import hours, pace, timed
from annotation.pairs import Pair, latest_checks, summarised
from builder.summary import columns
from schemas.records import Annotation, ParaphraseCheck

HEAD = ("agreement", "items", "raw", "AC1", "α ordinal")
FINISHED = (State.SETTLED, State.UNDECIDABLE)


def status_text(
    items: Sequence[Item], annotations: Sequence[Annotation], names: Mapping[str, str], now: datetime
) -> str:
    """How far the items are, by reason and topic; who did what; how fast it goes and how long it will take."""
    done = progress(items, annotations)
    parts = [
        f"for people   {wanted({item.key: item.stream for item in items})}",
        _states("why a person is wanted", items, done, {item.key: item.reason for item in items}),
        _states("topic", items, done, {item.key: str(item.topic) for item in items}),
        _people(annotations, names),
        _outlook(items, done, annotations, now),
    ]
    return "\n\n".join(part for part in parts if part)


def paraphrases_text(pairs: Sequence[Pair], checks: Sequence[ParaphraseCheck], names: Mapping[str, str]) -> str:
    """What people said of paraphrases, and who answered how often; nothing if nobody did."""
    known = {pair.key for pair in pairs}
    given = Counter(
        names.get(check.annotator, check.annotator)
        for check in latest_checks(checks)
        if check.pair_key in known and check.status == "submitted"
    )
    if not given:
        return ""
    people = columns([("annotator", "paraphrases"), *((name, str(count)) for name, count in sorted(given.items()))])
    return f"{summarised(pairs, checks).words}\n{people}"


def _states(title: str, items: Sequence[Item], done: Mapping[str, Progress], group: Mapping[str, str]) -> str:
    counts: dict[str, Counter[State]] = {}
    for item in items:
        counts.setdefault(group[item.key], Counter())[done[item.key].state] += 1
    head = (title, "responses", *State)
    rows = [
        (name, str(count.total()), *(str(count[state]) for state in State)) for name, count in sorted(counts.items())
    ]
    total = Counter(found.state for found in done.values())
    return columns([head, *rows, ("all", str(total.total()), *(str(total[state]) for state in State))])


def _people(annotations: Iterable[Annotation], names: Mapping[str, str]) -> str:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for answer in latest(annotations):
        counts.setdefault((answer.annotator, answer.role), Counter())[answer.status] += 1
    if not counts:
        return ""
    statuses = ("submitted", "discarded", "draft")
    rows = [
        (names.get(who, who), role, *(str(count[status]) for status in statuses))
        for (who, role), count in sorted(counts.items())
    ]
    return columns([("annotator", "role", *statuses), *rows])


def _outlook(
    items: Sequence[Item], done: Mapping[str, Progress], annotations: Sequence[Annotation], now: datetime
) -> str:
    missing = sum(
        max(0, item.overlap - len(done[item.key].answers)) for item in items if done[item.key].state not in FINISHED
    )
    disputed = sum(found.state is State.DISAGREEMENT for found in done.values())
    speed = pace(annotations, now)
    told = "nobody labelled in the last hour" if speed is None else f"{speed:.0f} labels an hour"
    brought = _brought(annotations, now)
    if brought:
        told += f" ({brought:,} from a spreadsheet, which says nothing of pace)"
    left = "" if speed is None or not missing else f": {missing / speed:.1f} hours to go"
    return f"{missing} labels wanted, {told}{left}; {disputed} disagreements wait for an expert"


def _brought(annotations: Sequence[Annotation], now: datetime) -> int:
    """How many answers came into the journal within the last hour without times of their own."""
    with_time = set(timed(annotations))
    return sum(answer not in with_time and 0 <= hours(answer, now) < 1 for answer in latest(annotations))


def agreement_text(report: AgreementReport, bring: str) -> str:
    """The report as tables; every number with its interval. `bring` is the command that brings answers in."""
    if not report.labels:
        return f"no labels by people yet: {bring} brings them from Argilla"
    parts = [
        f"{report.labels} labels by people on {report.items} responses; intervals are 95 %, over base requests",
        columns([HEAD, _row("everybody", report.overall)]),
        columns([("one label against the rest", *HEAD[1:])] + [_row(str(k), v) for k, v in report.classes.items()]),
        columns(
            [("each against the others", *HEAD[1:])] + [_row(a.annotator, a.with_others) for a in report.annotators]
        ),
        columns([("judge against people", *HEAD[1:])] + [_row(name, found) for name, found in report.judges.items()]),
        _over_time(report),
        _shares(report),
        _odd(report),
    ]
    return "\n\n".join(part for part in parts if part)


def _over_time(report: AgreementReport) -> str:
    rows = [_row(f"{period.start[:16]} to {period.end[:16]}", period.agreement) for period in report.periods]
    lines = [columns([("over time", *HEAD[1:]), *rows])] if rows else []
    if report.untimed:
        lines.append(
            f"{report.untimed} responses labelled in a spreadsheet are in no stretch of time: a table has none"
        )
    return "\n".join(lines)


def _row(name: str, found: Agreement) -> tuple[str, ...]:
    return (name, str(found.raw.n), *(_number(estimate) for estimate in (found.raw, found.ac1, found.alpha)))


def _number(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"— ({estimate.status})"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f} (no interval: {estimate.status})"
    return f"{estimate.value:.3f} ({estimate.low:.3f}, {estimate.high:.3f})"


def _shares(report: AgreementReport) -> str:
    head = ("share of labels", *report.classes, "labels", "cannot tell", "skipped")
    rows = [
        (
            a.annotator,
            *(f"{share:.0%}" for share in a.shares.values()),
            str(a.labels),
            str(a.cannot_tell),
            str(a.skipped),
        )
        for a in report.annotators
    ]
    return columns([head, *rows])


def _odd(report: AgreementReport) -> str:
    found = [f"  {a.annotator} {what}" for a in report.annotators for what in a.odd]
    return "\n".join(["look at these:", *found]) if found else "no annotator stands out"
