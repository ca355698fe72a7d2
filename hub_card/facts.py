"""What a release says of itself that its rows do not: where they came from, and what was planned."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

Tier = Literal["public", "gated", "private"]
NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,62}")


class ReleaseError(Exception):
    """A release that cannot be written, read or published; the message says what, where and what to do."""


class Version(NamedTuple):
    """A semantic version; versions compare as semver orders them."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    @classmethod
    def parse(cls, text: str) -> "Version":
        """The version of `X.Y.Z`. Raises ValueError for anything else."""
        found = re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", text)
        if found is None:
            raise ValueError(f"{text!r} is not a version: want X.Y.Z, such as 1.0.0")
        return cls(*map(int, found.groups()))


@dataclass(frozen=True, slots=True)
class StageCount:
    """What one stage planned for one target, what it has, and why the rest is missing (`made + missing = planned`)."""

    stage: str
    target: str
    planned: int
    made: int
    missing: Mapping[str, int] = field(default_factory=dict)

    @property
    def unaccounted(self) -> int:
        """Planned records that neither exist nor have a reason for being missing."""
        return self.planned - self.made - sum(self.missing.values())


@dataclass(frozen=True, slots=True)
class Codebook:
    """The codebook the labels were made with; the text is published beside them."""

    version: str
    sha256: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Provenance of a release: plain values only, no secrets, no clock.

    `targets` maps each target as asked to the models that were served; `judge_records` are one JSON object a judge,
    each with its `judge`; `settings` is the build's configuration as plain JSON. `date` (YYYY-MM-DD) is when the data
    were completed, if that is to be published.
    """

    name: str
    version: str
    tier: Tier
    code_version: str
    corpus_hash: str
    prompt_hashes: Mapping[str, str]
    codebook: Codebook
    targets: Mapping[str, tuple[str, ...]]
    counts: tuple[StageCount, ...]
    settings: Mapping[str, Any]
    canary: str
    judge_records: tuple[Mapping[str, Any], ...] = ()
    date: str | None = None
    title: str = "Refusal foresight"
    authors: tuple[str, ...] = ("The refusal-foresight contributors",)

    def __post_init__(self) -> None:
        Version.parse(self.version)
        if self.tier not in get_args(Tier):
            raise ValueError(f"tier {self.tier!r}: want one of {', '.join(get_args(Tier))}")
        if NAME.fullmatch(self.name) is None:
            raise ValueError(f"name {self.name!r}: want 2 to 63 lower-case letters, digits and dashes")
        if self.date is not None and re.fullmatch(r"\d{4}-\d{2}-\d{2}", self.date) is None:
            raise ValueError(f"date {self.date!r}: want YYYY-MM-DD")
        if not self.canary.strip():
            raise ValueError("canary: want a string that finds this dataset in a training corpus")


class Report(NamedTuple):
    """What was added to a release while it was made: numbers for the card, figures and their captions.

    `numbers` is a table, one row a target, such as the analysis's `headline`: a cell is a text, a number, None or an
    estimate (a mapping with `value`, `low`, `high`, `n`, `status`). `figures` maps paths in the release to captions.
    """

    numbers: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, str] = {}


Reporter = Callable[[Path], Report]


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """What was written: rows, digest per config, and withheld cells per column."""

    path: Path
    version: str
    tier: Tier
    rows: Mapping[str, int]
    digests: Mapping[str, str]
    withheld: Mapping[str, int]
