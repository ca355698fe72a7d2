"""How long the contamination check takes against a hundred thousand prompts, and how much memory.

    python benchmarks/contamination.py [N_PROMPTS]

The prompts are made up from the corpus's own words, one in a thousand being a corpus text with a word changed, so that
there is something to find. Prints one line of JSON.
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


def write_prompts(path: Path, n_prompts: int, rng: random.Random) -> int:
    """Writes the list and returns how many of its prompts are planted near-copies."""
    texts = [item.text for item in texts_of(read_corpus().requests)]
    words = [word for text in texts for word in text.split()]
    planted = 0
    with path.open("w", encoding="utf-8") as lines:
        for number in range(n_prompts):
            said = rng.choices(words, k=rng.randint(8, 40))
            if number % 1000 == 0:
                said = rng.choice([text for text in texts if len(text.split()) > 12]).split()
                said[rng.randrange(len(said))] = "something"
                planted += 1
            lines.write(json.dumps({"prompt": " ".join(said)}) + "\n")
    return planted


def main() -> None:
    """Times one check and prints what it cost and found."""
    n_prompts = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    requests = read_corpus().requests
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prompts.jsonl"
        planted = write_prompts(path, n_prompts, random.Random(7))
        wall, cpu = time.perf_counter(), time.process_time()
        found = check_contamination(requests, [path])
        result = {
            "prompts": n_prompts,
            "texts": found.n_texts,
            "planted": planted,
            "prompts_matched": len({match.row for match in found.matches}),
            "wall_s": round(time.perf_counter() - wall, 1),
            "cpu_s": round(time.process_time() - cpu, 1),
            "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
        }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
