"""Inspect AI asks a local server: `python inspect_client.py URL CALLS CONCURRENCY SCRATCH`."""

import sys

import inspect_ai  # type: ignore[import-not-found]
from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found]
from inspect_ai.model import get_model  # type: ignore[import-not-found]
from inspect_ai.solver import generate  # type: ignore[import-not-found]


def main(url: str, calls: int, concurrency: int, scratch: str) -> None:
    """One task of so many samples."""
    samples = [Sample(input=f"{number} " + "word " * 50) for number in range(calls)]
    model = get_model("openai-api/local/m", base_url=f"{url}/v1", api_key="k")
    task = inspect_ai.Task(dataset=MemoryDataset(samples), solver=generate())
    (log,) = inspect_ai.eval(
        task, model=model, max_connections=concurrency, max_samples=concurrency, display="none", log_dir=scratch
    )
    if log.status != "success":
        raise SystemExit(f"the evaluation ended as {log.status}: {log.error}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
