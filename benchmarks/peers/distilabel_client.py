"""Distilabel asks a local server: `python distilabel_client.py URL CALLS CONCURRENCY SCRATCH`."""

import sys

from distilabel.models import OpenAILLM  # type: ignore[import-not-found]
from distilabel.pipeline import Pipeline  # type: ignore[import-not-found]
from distilabel.steps import LoadDataFromDicts  # type: ignore[import-not-found]
from distilabel.steps.tasks import TextGeneration  # type: ignore[import-not-found]


def main(url: str, calls: int, concurrency: int, scratch: str) -> None:
    """A pipeline of two steps; a batch holds as many calls as may be in flight."""
    data = [{"instruction": f"{number} " + "word " * 50} for number in range(calls)]
    with Pipeline("asking", cache_dir=scratch) as pipeline:
        load = LoadDataFromDicts(data=data, batch_size=concurrency)
        model = OpenAILLM(model="m", base_url=f"{url}/v1", api_key="k")
        load >> TextGeneration(llm=model, input_batch_size=concurrency)
    answers = pipeline.run(use_cache=False)["default"]["train"]["generation"]
    found = sum(answer is not None for answer in answers)
    if found != calls:
        raise SystemExit(f"{found} answers, want {calls}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
