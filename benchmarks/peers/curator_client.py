"""Curator asks a local server: `python curator_client.py URL CALLS CONCURRENCY SCRATCH`."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path


def main(url: str, calls: int, concurrency: int, scratch: str) -> None:
    """One language model over so many prompts."""
    os.environ |= {"CURATOR_CACHE_DIR": scratch, "TELEMETRY_ENABLED": "0", "CURATOR_VIEWER": "0", "OPENAI_API_KEY": "k"}
    os.environ |= {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "CURATOR_DISABLE_RICH_DISPLAY": "1"}
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_encodings())
    from bespokelabs import curator  # type: ignore[import-not-found]

    params = {
        "base_url": f"{url}/v1",
        "max_concurrent_requests": concurrency,
        "max_requests_per_minute": 10**7,
        "max_tokens_per_minute": 10**9,
    }
    model = curator.LLM(model_name="gpt-4o-mini", backend="openai", backend_params=params)
    answers = model([f"{number} " + "word " * 50 for number in range(calls)])
    found = len(getattr(answers, "dataset", answers))
    if found != calls:
        raise SystemExit(f"{found} answers, want {calls}")


def _encodings() -> Path:
    """The token tables that litellm ships, so that none is fetched."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        raise SystemExit("curator came without litellm")
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
