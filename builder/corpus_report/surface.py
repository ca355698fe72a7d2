"""Leakage: whether the level can be read off the surface."""

from collections.abc import Sequence

from builder.corpus_report.section import Cell, Section, Table, records, rounded
from builder.leakage.measure import FOLDS, N_PERMUTATIONS, SurfaceScore, TooFewRequestsError, measure_leakage
from schemas.records import Request

_WORDS = ("level", "word", "requests of the level", "of", "other requests", "of others", "z")


def leakage_section(requests: Sequence[Request]) -> Section:
    """Macro-F1 of the surface models with intervals, F1 by level, and the most telling words."""
    try:
        found = measure_leakage(requests)
    except TooFewRequestsError as error:
        return Section("leakage", "Leakage of the level", (f"Not measured: {error}.",), (), {"measured": False})
    levels = found.scores[0].levels
    head = (
        "model",
        "macro-F1",
        "95 % from",
        "to",
        "permuted from",
        "permuted to",
        *(f"F1 level {level.value}" for level in levels),
        "n texts",
        "n requests",
    )
    scores = tuple(_row(score) for score in found.scores)
    words: tuple[tuple[Cell, ...], ...] = tuple(
        (w.level.value, w.word, w.inside, w.n_inside, w.outside, w.n_outside, rounded(w.z)) for w in found.words
    )
    paragraph = (
        f"A complement naive Bayes model predicts the level of held-out texts ({FOLDS} folds, all texts of a request "
        f"held out together); guessing by the shares of the levels has macro-F1 {found.scores[0].chance:.2f}. "
        "Intervals: percentile bootstrap over requests; permuted: where 95 % of the scores lie when the levels are "
        f"dealt out anew among the requests ({N_PERMUTATIONS} times)."
    )
    tables = (
        Table("Level from the surface", head, scores),
        Table(
            "Most telling words",
            _WORDS,
            words,
            "z of the log odds ratio; among thousands of words and five levels, chance alone comes near 4.",
        ),
    )
    data: dict[str, object] = {"measured": True, "scores": records(head, scores), "words": records(_WORDS, words)}
    return Section("leakage", "Leakage of the level", (paragraph,), tables, data)


def _row(score: SurfaceScore) -> tuple[Cell, ...]:
    f1 = (rounded(value) for value in score.f1)
    ranges = (rounded(value) for value in (*score.interval, *score.permuted))
    return (score.model, rounded(score.macro_f1), *ranges, *f1, score.n_texts, score.n_requests)
