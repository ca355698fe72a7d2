"""How long the search for near-duplicates inside a corpus takes as it grows, how much memory, and what it misses.

    python benchmarks/near_duplicates.py [N_TEXTS ...]

The texts are made up from the corpus's own words; one in a hundred is another of them with 5 to 60 of its words in
a hundred replaced. Prints one line of JSON a size: what of the planted pairs at or above the limits was found, in all
and by how alike they are.
"""

import json
import random
import resource
import sys
import time
from itertools import pairwise

import numpy as np

from builder.corpus_file import read_corpus
from builder.corpus_rules.texts import texts_of
from builder.similarity.near import NEAR, pair_similarity
from builder.similarity.search import near_pairs_within

SIZES = (10_000, 100_000, 1_000_000)
BINS = (0.6, 0.65, 0.7, 0.8, 1.01)


def made_up(n_texts: int, rng: random.Random) -> tuple[list[str], list[tuple[int, int]]]:
    """The texts, and the planted pairs: the place of a copy and of what it is a copy of."""
    words = [word for item in texts_of(read_corpus().requests) for word in item.text.split()]
    texts = [" ".join(rng.choices(words, k=rng.randint(8, 40))) for _ in range(n_texts)]
    planted = []
    for copy in range(100, n_texts, 100):
        original = rng.randrange(copy)
        said = texts[original].split()
        for place in rng.sample(range(len(said)), max(1, round(len(said) * rng.uniform(0.05, 0.6)))):
            said[place] = rng.choice(words)
        texts[copy] = " ".join(said)
        planted.append((copy, original))
    return texts, planted


def measured(n_texts: int) -> dict[str, object]:
    """Time, memory and recall of one search."""
    texts, planted = made_up(n_texts, random.Random(11))
    wall, cpu = time.perf_counter(), time.process_time()
    found = {(pair.left, pair.right) for pair in near_pairs_within(texts, NEAR)}
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    cosine, jaccard = pair_similarity([texts[copy] for copy, _ in planted], [texts[first] for _, first in planted])
    near = (cosine >= NEAR.cosine) | (jaccard >= NEAR.jaccard)
    hit = np.array([pair in found for pair in planted])
    recall = {
        f"{low} to {high}": {"n": int(inside.sum()), "recall": round(float(hit[inside].mean()), 4)}
        for low, high in pairwise(BINS)
        if (inside := near & (cosine >= low) & (cosine < high)).any()
    }
    return {
        "texts": n_texts,
        "pairs_found": len(found),
        "planted_near": int(near.sum()),
        "recall": round(float(hit[near].mean()), 4),
        "recall_by_cosine": recall,
        "wall_s": round(wall, 1),
        "cpu_s": round(cpu, 1),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }


def main() -> None:
    """Measures the sizes given, or all three."""
    for size in map(int, sys.argv[1:] or SIZES):
        print(json.dumps(measured(size)), flush=True)


if __name__ == "__main__":
    main()
