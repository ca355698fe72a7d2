"""The process that `hub_card.verify` starts: what it finds wrong goes to standard output, one line each."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import datasets
from httpx2 import HTTPError
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from hub_card.layout import SPLIT
from hub_card.manifest import load_manifest
from hub_card.parquet import plain_rows, row_digest
from hub_card.validate import validate_release
from hub_card.verify import UNREACHABLE


def main() -> int:
    """Reads place, revision and digests as JSON from standard input; returns the exit status."""
    asked = json.load(sys.stdin)
    datasets.disable_progress_bars()
    try:
        found = problems(asked["place"], asked["revision"], asked["digests"])
    except HfHubHTTPError as error:
        print(f"HTTP {error.response.status_code}: {error.server_message}")
        return UNREACHABLE if error.response.status_code == 429 or error.response.status_code >= 500 else 1
    except (HTTPError, LocalEntryNotFoundError) as error:
        print(f"the connection failed: {error}")
        return UNREACHABLE
    for problem in found:
        print(problem)
    return 1 if found else 0


def problems(place: str, revision: str | None, digests: dict[str, str]) -> list[str]:
    """What is wrong with a published copy: its files, its loading, its rows."""
    local = Path(place) if revision is None else _downloaded(place, revision)
    found = [str(problem) for problem in validate_release(local)]
    rows = {name: stated["rows"] for name, stated in load_manifest(local)["configs"].items()}
    for config, digest in digests.items():
        if rows.get(config):
            loaded: Any = datasets.load_dataset(place, config, split=SPLIT, revision=revision)
            got = row_digest(plain_rows(config, loaded.data.table))
            if got != digest:
                found.append(f"{config} loads with digest {got}, want {digest}")
    return found


def _downloaded(place: str, revision: str) -> Path:
    # The files of a snapshot are links into the cache, and a release has none.
    snapshot = snapshot_download(place, repo_type="dataset", revision=revision)
    return Path(shutil.copytree(snapshot, Path(os.environ["HF_HOME"]) / "release"))


if __name__ == "__main__":
    sys.exit(main())
