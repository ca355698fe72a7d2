"""The checks that hold tables against each other, with the rows of a part of all trials in memory at a time."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from hub_card.checks.accounting import Totals, check_accounting, check_totals
from hub_card.checks.attempts import COLUMNS, KEYED, check_attempts
from hub_card.checks.decisions import Decisions
from hub_card.checks.labels import Refusals, check_bins, check_labels
from hub_card.checks.parts import ROWS, parts, whole
from hub_card.checks.rows import TRIAL, Part
from hub_card.checks.texts import check_texts, harmful_keys
from hub_card.checks.trials import check_trials
from hub_card.layout import parquet_path
from hub_card.parquet import plain_rows, stored_batches
from hub_card.problems import Collected, Problem

CORPUS = ("requests", "variants", "annotations", "ground_truth")
TRIALS = dict.fromkeys(("datapoints", "predictions", "responses", "judgments", "labels"), TRIAL)
ATTEMPTS = {config: (key,) for config, key in KEYED.items()}


def check_across(release: Path, manifest: Mapping[str, Any], rows: int = ROWS) -> Iterator[Problem]:
    """The problems that show only between tables; wants tables that are sound by themselves.

    In memory are the corpus, bins and people's answers, of each trial its label, and parts of about `rows` rows of the
    others; nothing else depends on the size of parts.
    """
    corpus = whole(release, CORPUS)
    trials, labels, texts, attempts = (Collected() for _ in range(4))
    decisions, refusals = Decisions(corpus, manifest), Refusals()
    totals = Totals(manifest["withheld"], corpus["annotations"])
    tier = manifest["tier"]
    harmful = _harmful(release, corpus) if tier == "public" else frozenset()
    for part in chain([corpus], parts(release, TRIALS, corpus, rows=rows)):
        trials.add(check_trials(part))
        labels.add(check_labels(part))
        texts.add(check_texts(part, tier, harmful))
        for counted in (decisions, refusals, totals):
            counted.add(part)
        del part  # before the next one is made
    for part in parts(release, ATTEMPTS, corpus, COLUMNS, rows):
        attempts.add(check_attempts(part))
        del part
    yield from trials.problems()
    yield from check_totals(totals, corpus["annotations"])
    yield from decisions.problems()
    yield from labels.problems()
    yield from check_bins(corpus["ground_truth"], refusals, manifest["settings"])
    yield from attempts.problems()
    yield from texts.problems()
    yield from check_accounting(totals, manifest)


def _harmful(release: Path, corpus: Part) -> frozenset[str]:
    columns = ["response_key", "variant_id", "label"]
    return harmful_keys(plain_rows("labels", stored_batches(release / parquet_path("labels"), columns)), corpus)
