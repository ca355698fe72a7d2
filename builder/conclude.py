"""From the journal to the release: labels, bins and tables, part by part, so that memory holds a few parts only.

The rows are gone over twice. First they are read and judged, which leaves a look at each row for routing; the readings
wait in files beside the release. Then, with everybody's route known, they become the rows of the published tables.
"""

import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from annotation.adjudicate import latest
from annotation.consensus import Consensus, consensus
from annotation.decide import Policy
from annotation.routing import routes
from builder.journal.lookup import attempts_of
from builder.journal.store import Journal
from builder.partition import ROWS, Part, parts
from builder.reading import Decided, Reading, decided, read_part
from builder.sorting import merged
from builder.stages import bin as bin_stage
from builder.stages import release
from builder.tally import Tallies, Tally
from builder.work import Work, planned_answers
from builder.workers import Each
from hub_card.prepared import Prepared, prepare
from schemas.config import BuildConfig
from schemas.records import Annotation, Label, Request

SORTED = {"annotations": ("response_key", "annotator", "role"), "attempts": ("stage", "model", "key", "attempt")}


@dataclass(frozen=True, slots=True)
class First:
    """The first pass over a part; a value that can be sent to another process."""

    journal: Path
    config: BuildConfig
    policy: Policy
    folder: Path

    def __call__(self, given: "Given") -> "Read":
        """Read and decide a part; its reading stays in a file."""
        with Journal(self.journal) as journal:
            reading = read_part(given.part, self.config, journal)
        file = self.folder / f"{given.number}.pickle"
        with file.open("wb") as stream:
            pickle.dump(reading, stream, pickle.HIGHEST_PROTOCOL)
        tally = Tally()
        tally.read(reading.predictions, reading.responses, reading.judgments)
        return Read(decided(given.part, reading, given.people, self.policy), tally)


@dataclass(frozen=True, slots=True)
class Second:
    """The second pass over a part."""

    config: BuildConfig
    folder: Path
    requests: Mapping[str, Request]
    levels: Mapping[str, int]

    def __call__(self, given: "Labelled") -> Prepared:
        """The rows of a part, ready to be written; its file is removed."""
        file = self.folder / f"{given.number}.pickle"
        with file.open("rb") as stream:
            reading: Reading = pickle.load(stream)  # noqa: S301 - written by this process or a child of it
        file.unlink()
        truths = bin_stage.plan(given.part.trials, given.labels, self.config)
        found = release.Result(given.part, reading, given.labels, truths, given.annotations)
        return prepare(release.tables(found, self.requests), self.config.tier, self.levels)


class Given(NamedTuple):
    """A part to be read, with what people decided of its responses."""

    number: int
    part: Part
    people: Mapping[str, Consensus]


class Read(NamedTuple):
    """What the first pass leaves of a part."""

    decided: Decided
    tally: Tally


class Labelled(NamedTuple):
    """A part with its labels, routed, and the answers people gave about it."""

    number: int
    part: Part
    labels: Sequence[Label]
    annotations: Sequence[Annotation]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a journal leads to: the counts, the labels of each part, and the answers people gave, by response."""

    work: Work
    folder: Path
    tallies: Tallies
    labels: Sequence[Sequence[Label]]
    annotations: Mapping[str, Sequence[Annotation]]
    least: int

    def pieces(self, journal: Journal, each: Each) -> Iterator[Prepared]:
        """The pieces of the release in their order, made as they are taken; they can be taken once."""
        work, tier = self.work, self.work.config.tier
        requests = {request.request_id: request for request in work.requests}
        levels = {variant.variant_id: int(requests[variant.request_id].level) for variant in work.variants}
        corpus = prepare(release.corpus_tables(work, attempts_of(journal, sorted(work.grown.keys))), tier)
        apart: dict[str, list[pa.Table]] = {name: [] for name in SORTED}
        for piece in chain([corpus], each(Second(work.config, self.folder, requests, levels), self._labelled())):
            for name in piece.tables.keys() & SORTED.keys():
                apart[name].append(piece.tables[name])
            yield piece._replace(tables={name: piece.tables[name] for name in piece.tables if name not in SORTED})
        yield Prepared({name: merged(found, SORTED[name]) for name, found in apart.items() if found})

    def _labelled(self) -> Iterator[Labelled]:
        for number, part in enumerate(parts(self.work.rows, self.least)):
            said = [answer for key in dict.fromkeys(part.respond_keys) for answer in self.annotations.get(key, ())]
            yield Labelled(number, part, self.labels[number], said)


def conclude(
    work: Work, journal: Journal, policy: Policy, folder: Path, each: Each, *, least: int = ROWS
) -> Conclusion:
    """Reads and labels every planned row; the readings wait in `folder` until their pieces are taken.

    Parts have at least `least` rows where a target has them; nothing else depends on it.
    """
    annotations = planned_answers(work, journal)
    read: list[Decided] = []
    tallies: Tallies = {target: Tally() for target in work.config.targets}
    first = First(journal.path, work.config, policy, folder)
    given = list(parts(work.rows, least))
    for part, found in zip(given, each(first, _given(given, consensus(annotations))), strict=True):
        read.append(found.decided)
        tallies[part.target].add(found.tally)
    marked = routes([seen for some in read for seen in some.looks])
    labels: list[list[Label]] = []
    for part in given:
        labels.append(read[len(labels)].routed(marked))
        tallies[part.target].label(labels[-1])
    return Conclusion(work, folder, tallies, labels, _by_response(annotations), least)


def _given(given: Iterable[Part], people: Mapping[str, Consensus]) -> Iterator[Given]:
    for number, part in enumerate(given):
        yield Given(number, part, {key: people[key] for key in part.respond_keys if key in people})


def _by_response(annotations: Iterable[Annotation]) -> dict[str, list[Annotation]]:
    found: dict[str, list[Annotation]] = defaultdict(list)
    for answer in latest(annotations):
        found[answer.response_key].append(answer)
    return dict(found)
