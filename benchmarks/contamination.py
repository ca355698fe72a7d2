"""How long the contamination check takes as the lists and the corpus grow, how much memory, and what it finds.

    python benchmarks/contamination.py [N_PROMPTS [N_TEXTS]]

The prompts are made up from the corpus's own words, one in a thousand being a corpus text with a word changed, so that
there is something to find. Without N_TEXTS the corpus is the bundled one, else as many texts made up likewise. Prints
one line of JSON.
"""

import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from builder.contamination import check_contamination
from builder.corpus_file import read_corpus
from builder.corpus_rules.texts import texts_of
from schemas.records import Request
from schemas.vocabulary import HarmLevel, Topic


def made_up(words: list[str], rng: random.Random) -> str:
    """A text of 8 to 40 of the words."""
    return " ".join(rng.choices(words, k=rng.randint(8, 40)))


def write_prompts(path: Path, n_prompts: int, texts: list[str], words: list[str], rng: random.Random) -> int:
    """Writes the list and returns how many of its prompts are planted near-copies of the texts."""
    long = [text for text in texts if len(text.split()) > 12]
    planted = 0
    with path.open("w", encoding="utf-8") as lines:
        for number in range(n_prompts):
            prompt = made_up(words, rng)
            if number % 1000 == 0:
                said = rng.choice(long).split()
                said[rng.randrange(len(said))] = "something"
                prompt = " ".join(said)
                planted += 1
            lines.write(json.dumps({"prompt": prompt}) + "\n")
    return planted


def main() -> None:
    """Times one check and prints what it cost and found."""
    n_prompts = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    n_texts = int(sys.argv[2]) if len(sys.argv) > 2 else None
    rng, requests = random.Random(7), read_corpus().requests
    words = [word for item in texts_of(requests) for word in item.text.split()]
    if n_texts is not None:
        requests = tuple(
            Request(f"made-up-{number}", Topic.FRAUD, HarmLevel.EDGY, made_up(words, rng)) for number in range(n_texts)
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prompts.jsonl"
        planted = write_prompts(path, n_prompts, [item.text for item in texts_of(requests)], words, rng)
        wall, cpu = time.perf_counter(), time.process_time()
        found = check_contamination(requests, [path])
        result = {
            "prompts": n_prompts,
            "texts": found.n_texts,
            "every_pair": found.exhaustive,
            "planted": planted,
            "prompts_matched": len({match.row for match in found.matches}),
            "wall_s": round(time.perf_counter() - wall, 1),
            "cpu_s": round(time.process_time() - cpu, 1),
            "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
