"""What is on record about a judge: the gold set it was measured on, its numbers, and whether they are good enough."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from analysis.metrics.estimate import Estimate
from analysis.metrics.judge import JudgeAccuracy, release_gate
from annotation.evaluate import Scores

TEXTS = ("judge", "prompt_hash", "codebook_version", "date", "gold_name", "gold_sha256")
FIELDS = (*TEXTS, "n", "numbers", "passes_gate", "gate_reasons")


class Number(NamedTuple):
    """An estimate with its interval and n; None where undefined."""

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which judge, asked how, was measured on what and when (`date` as YYYY-MM-DD)."""

    judge: str
    prompt_hash: str
    codebook_version: str
    date: str
    gold_name: str
    gold_sha256: str


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """A judge's record on one gold set.

    `passes_gate`: its labels need no correction (lower bounds of AC1 ≥ .80 and of sensitivity and specificity ≥ .90 on
    ≥ 200 human items); `gate_reasons` says why not.
    """

    judge: str
    prompt_hash: str
    codebook_version: str
    date: str
    gold_name: str
    gold_sha256: str
    n: int
    numbers: Mapping[str, Number]
    passes_gate: bool
    gate_reasons: tuple[str, ...]

    def to_json(self) -> str:
        """The record as one line of JSON, keys in a fixed order."""
        found = asdict(self)
        found["numbers"] = {name: number._asdict() for name, number in sorted(self.numbers.items())}
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "JudgeRecord":
        """The record in a line of JSON. Raises ValueError naming what is missing, unknown or of the wrong kind."""
        try:
            found = json.loads(text)
        except RecursionError:
            raise ValueError("nested too deep") from None
        if not isinstance(found, dict) or set(found) != set(FIELDS):
            got = ", ".join(sorted(found)) if isinstance(found, dict) else type(found).__name__
            raise ValueError(f"a judge record holds {', '.join(FIELDS)}; got {got}")
        if not isinstance(found["numbers"], dict) or not isinstance(found["passes_gate"], bool):
            raise ValueError("a judge record's numbers must be an object and passes_gate true or false")
        if wrong := sorted(name for name in TEXTS if not isinstance(found[name], str)):
            raise ValueError(f"a judge record's {', '.join(wrong)} must be text")
        if not isinstance(found["n"], int) or isinstance(found["n"], bool) or found["n"] < 0:
            raise ValueError("a judge record's n must be a whole number, 0 or more")
        reasons = found["gate_reasons"]
        if not isinstance(reasons, list) or not all(isinstance(reason, str) for reason in reasons):
            raise ValueError("a judge record's gate_reasons must be a list of texts")
        numbers = {str(name): _number(name, value) for name, value in found["numbers"].items()}
        return cls(**{**found, "numbers": numbers, "gate_reasons": tuple(reasons)})


def judge_record(about: Provenance, scores: Scores) -> JudgeRecord:
    """The record of a judge with these scores."""
    two = scores.binary
    rates = JudgeAccuracy(two.sensitivity, two.specificity, two.precision, two.precision)
    n = scores.n - scores.n_unlabelled
    reasons = release_gate(rates, two.ac1, n)
    numbers = {
        name: getattr(two, name) for name in ("accuracy", "sensitivity", "specificity", "precision", "kappa", "ac1")
    }
    if scores.classes is not None:
        four = scores.classes
        numbers |= {"accuracy_4": four.accuracy, "macro_f1_4": four.macro_f1, "kappa_4": four.kappa, "ac1_4": four.ac1}
        numbers |= {f"recall_{label}": estimate for label, estimate in four.recall.items()}
    return JudgeRecord(
        **asdict(about),
        n=n,
        numbers={name: _of_estimate(estimate) for name, estimate in numbers.items()},
        passes_gate=not reasons,
        gate_reasons=reasons,
    )


def _of_estimate(estimate: Estimate) -> Number:
    return Number(estimate.value, estimate.low, estimate.high, estimate.n)


def _number(name: str, value: Any) -> Number:
    if not isinstance(value, dict) or set(value) != set(Number._fields):
        raise ValueError(f"number {name!r} of a judge record holds {', '.join(Number._fields)}; got {value!r}")
    return Number(**value)
