"""How the lexical and the embedding band treat the labelled pairs: the tables of docs/corpus.md.

    python benchmarks/paraphrase_roc.py tests/data/paraphrase_pairs.jsonl

Needs the `similarity` extra. Prints Markdown.
"""

import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.corpus_rules.paraphrase_bands import COPY_COSINE, COPY_JACCARD
from builder.similarity.meaning import MEANING
from builder.similarity.minilm import load_minilm
from builder.similarity.near import pair_similarity
from builder.similarity.roc import area_under_roc

GROUPS = ("paraphrase", "copy", "subject", "intent", "reworded")


class Measured(NamedTuple):
    """The labelled pairs: what each is and the three similarities of its sides; `others` is across pairs."""

    kinds: NDArray[np.str_]
    meaning: NDArray[np.float32]
    cosine: NDArray[np.float64]
    jaccard: NDArray[np.float64]
    others: NDArray[np.float32]


def measure(path: Path) -> Measured:
    """Embeds and compares the pairs of a file."""
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = np.array([pair["drift"] or pair["label"] for pair in pairs])
    base, text = [pair["base"] for pair in pairs], [pair["text"] for pair in pairs]
    embed = load_minilm()
    left, right = embed(base), embed(text)
    mine = kinds == "paraphrase"
    cross = right[mine] @ left[mine].T
    return Measured(
        kinds, (left * right).sum(axis=1), *pair_similarity(base, text), cross[~np.eye(len(cross), dtype=bool)]
    )


def print_kinds(found: Measured) -> None:
    """What each kind of pair looks like and how many of it the bands accept."""
    lexical = (found.cosine < COPY_COSINE) & (found.jaccard < COPY_JACCARD)
    band = (found.meaning >= MEANING.drift) & (found.meaning < MEANING.copy)
    surplus = found.meaning - found.cosine >= MEANING.surplus
    print("| pairs | n | n-gram cosine | word Jaccard | meaning: 5 %, median, 95 % | lexical | + meaning | + surplus |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in GROUPS:
        of = found.kinds == kind
        middle = f"{np.median(found.cosine[of]):.2f} | {np.median(found.jaccard[of]):.2f}"
        accepted = [lexical[of], (lexical & band)[of], (lexical & band & surplus)[of]]
        shares = " | ".join(str(int(part.sum())) for part in accepted)
        print(f"| {kind} | {of.sum()} | {middle} | {_spread(found.meaning[of])} | {shares} |")
    print(f"| text of another pair | {found.others.size} | | | {_spread(found.others)} | | | |")


def print_areas(found: Measured) -> None:
    """Areas under the ROC of the meaning, and of the meaning above the n-gram cosine."""
    of = {kind: found.kinds == kind for kind in GROUPS}
    surplus = found.meaning - found.cosine
    print("\n| AUC | meaning | meaning − n-gram cosine |\n|---|---|---|")
    for kind in ("subject", "intent", "reworded"):
        plain = area_under_roc(found.meaning[of["paraphrase"]], found.meaning[of[kind]])
        above = area_under_roc(surplus[of["paraphrase"]], surplus[of[kind]])
        print(f"| paraphrase above drift: {kind} | {plain:.3f} | {above:.3f} |")
    mine, copies = found.meaning[of["paraphrase"]], found.meaning[of["copy"]]
    print(f"| copy above paraphrase | {area_under_roc(copies, mine):.3f} | |")
    print(f"| paraphrase above text of another pair | {area_under_roc(mine, found.others):.3f} | |")


def print_roc(found: Measured) -> None:
    """The ROC of the lower limit: what each limit keeps."""
    parts = [found.meaning[found.kinds == "paraphrase"], found.others, found.meaning[found.kinds == "reworded"]]
    print("\n| lower limit | paraphrases kept | texts of another pair kept | reworded drifts kept |\n|---|---|---|---|")
    for limit in (0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50):
        print(f"| {limit:.2f} | " + " | ".join(f"{np.mean(part >= limit):.3f}" for part in parts) + " |")


def _spread(values: NDArray[np.float32]) -> str:
    return ", ".join(f"{value:.2f}" for value in np.percentile(values, [5, 50, 95]))


def main() -> None:
    """Prints the three tables."""
    found = measure(Path(sys.argv[1]))
    print_kinds(found)
    print_areas(found)
    print_roc(found)


if __name__ == "__main__":
    main()
