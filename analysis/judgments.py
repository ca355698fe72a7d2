"""The judges' votes beside people's labels, from a release's `judgments` and `labels` tables."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .columns import coded
from .data import ACTUAL_CLASSES, Bools, Coded, Floats, Ints
from .parquet import read_parquet

VOTES = ("response_key", "target", "variant_id", "sample", "judge", "label")
LABELS = ("response_key", "label", "source", "stream", "inclusion_probability")


@dataclass(frozen=True, slots=True)
class Votes:
    """One row a valid vote of a judge. `human` is the class that people gave the response, -1 without one.

    `audited`: people labelled it because it was drawn at random, with probability `inclusion`.
    """

    judge: Coded
    target: Coded
    request: Coded
    variant: Ints
    sample: Ints
    vote: Ints
    human: Ints
    audited: Bools
    inclusion: Floats
    n_without_vote: int


def load_votes(release: Path) -> Votes | None:
    """The votes of a release; None if it has no judgments or labels.

    Raises DataError if one of the tables cannot be read or holds a class it must not.
    """
    files = {name: sorted((release / "data" / name).glob("*.parquet")) for name in ("judgments", "labels")}
    if not all(files.values()):
        return None
    votes, labels = read_parquet(files["judgments"], VOTES), read_parquet(files["labels"], LABELS)
    given = coded(votes, "label", ACTUAL_CLASSES, nullable=True).codes
    valid = votes.filter(pa.array(given >= 0))
    place = pc.index_in(valid["response_key"], value_set=labels["response_key"].combine_chunks()).fill_null(-1)
    return _votes(
        valid, given[given >= 0], labels, np.asarray(place.to_numpy(), dtype=np.int64), int((given < 0).sum())
    )


def _votes(votes: pa.Table, given: Ints, labels: pa.Table, place: Ints, n_without_vote: int) -> Votes:
    label = np.append(coded(labels, "label", ACTUAL_CLASSES, nullable=True).codes, -1)
    by_people = np.append(pc.equal(labels["source"], "human").fill_null(False).to_numpy(zero_copy_only=False), False)
    drawn = np.append(pc.equal(labels["stream"], "audit").fill_null(False).to_numpy(zero_copy_only=False), False)
    inclusion = np.append(labels["inclusion_probability"].cast(pa.float64()).to_numpy(zero_copy_only=False), np.nan)
    human = np.where(by_people, label, -1)[place]
    return Votes(
        judge=coded(votes, "judge"),
        target=coded(votes, "target"),
        request=_requests(votes),
        variant=np.asarray(_variants(votes), dtype=np.int64),
        sample=votes["sample"].to_numpy().astype(np.int64),
        vote=given,
        human=human,
        audited=drawn[place] & (human >= 0),
        inclusion=inclusion[place].astype(np.float64),
        n_without_vote=n_without_vote,
    )


def _requests(votes: pa.Table) -> Coded:
    names = pc.replace_substring_regex(votes["variant_id"], r"-v\d+$", "")
    return coded(pa.table({"request_id": names}), "request_id")


def _variants(votes: pa.Table) -> pa.ChunkedArray:
    return pc.replace_substring_regex(votes["variant_id"], r"^.*-v(\d+)$", r"\1").cast(pa.int64())
