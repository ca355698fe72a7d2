"""Dawid–Skene: recovers simulated annotators, keeps to votes that all agree, admits what it cannot identify."""

import numpy as np
import pytest

from analysis.metrics.arrays import Ints
from analysis.metrics.dawid_skene import dawid_skene


def simulated_votes(n_items: int = 3000, seed: int = 0) -> tuple[list[tuple[int, str, int]], Ints]:
    """Votes of four annotators of known sensitivity and specificity, and the truth."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n_items) < 0.3).astype(np.int64)
    rows = []
    for name, se, sp in (("a", 0.95, 0.9), ("b", 0.8, 0.95), ("c", 0.7, 0.7), ("d", 0.9, 0.85)):
        says = np.where(truth == 1, rng.random(n_items) < se, rng.random(n_items) > sp).astype(int)
        rows += [(item, name, int(label)) for item, label in enumerate(says)]
    return sorted(rows), truth


def test_it_recovers_prevalence_and_confusion() -> None:
    rows, truth = simulated_votes()
    found = dawid_skene(rows)
    assert found.prior is not None
    assert found.confusion is not None
    assert found.prior[1] == pytest.approx(truth.mean(), abs=0.03)
    assert found.confusion[:, 1, 1] == pytest.approx([0.95, 0.8, 0.7, 0.9], abs=0.05)
    assert found.confusion[:, 0, 0] == pytest.approx([0.9, 0.95, 0.7, 0.85], abs=0.05)


def test_its_labels_beat_the_majority() -> None:
    rows, truth = simulated_votes()
    votes = np.array([label for _, _, label in rows]).reshape(-1, 4).mean(axis=1)
    majority = np.where(votes == 0.5, 0.5, votes > 0.5)
    agree = np.where(majority == 0.5, 0.5, majority == truth).mean()
    assert np.mean(np.array(dawid_skene(rows).labels) == truth) > agree


def test_posterior_and_confusion_are_distributions() -> None:
    found = dawid_skene(simulated_votes(60)[0])
    assert found.posterior is not None
    assert found.confusion is not None
    assert found.posterior.sum(axis=1) == pytest.approx(1)
    assert found.confusion.sum(axis=2) == pytest.approx(1)


def test_annotators_who_all_agree_are_believed() -> None:
    rows = [(item, annotator, item % 3) for item in range(9) for annotator in "xyz"]
    found = dawid_skene(rows)
    assert found.labels == tuple(item % 3 for item in range(9))
    assert found.classes == (0, 1, 2)


def test_one_annotator_is_unidentified_and_none_is_undefined() -> None:
    found = dawid_skene([(0, "a", 0), (1, "a", 1), (2, "a", 1)])
    assert (found.labels, found.status, found.posterior) == ((0, 1, 1), "unidentified", None)
    assert dawid_skene([]).status == "undefined_empty"
