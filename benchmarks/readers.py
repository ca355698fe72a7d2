"""Whether other people's tools read a release as it is meant: `datasets` (also streaming), pandas and DuckDB.

    python benchmarks/readers.py RELEASE

Needs nothing of this project: run it in an environment with the versions in question. Every config is read in every
way that is installed, and the digest of what was read is compared with the one in manifest.json, so types, class
names, nulls and order all count. Prints a line a reader; exit status 1 if anything differs.
"""

import hashlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Reader = Callable[[Path, str], Iterable[Row]]


def by_datasets(release: Path, config: str) -> Iterator[Row]:
    """Rows as `load_dataset` gives them, classes by the names that its features have."""
    yield from _named(release, config, streaming=False)


def by_streaming(release: Path, config: str) -> Iterator[Row]:
    """Rows as `load_dataset(…, streaming=True)` gives them."""
    yield from _named(release, config, streaming=True)


def by_pandas(release: Path, config: str) -> Iterator[Row]:
    """Rows as `pandas.read_parquet` gives them, classes by the names in manifest.json."""
    import pandas as pd

    frame = pd.concat([pd.read_parquet(file, dtype_backend="pyarrow") for file in _files(release, config)])
    rows = ({str(name): _plain(value) for name, value in row.items()} for row in frame.to_dict("records"))
    yield from _by_manifest(release, config, rows)


def by_duckdb(release: Path, config: str) -> Iterator[Row]:
    """Rows as DuckDB gives them, classes by the names in manifest.json."""
    duckdb: Any = importlib.import_module("duckdb")
    found = duckdb.read_parquet([str(file) for file in _files(release, config)])
    rows = (dict(zip(found.columns, row, strict=True)) for row in found.fetchall())
    yield from _by_manifest(release, config, rows)


READERS: dict[str, tuple[str, Reader]] = {
    "datasets": ("datasets", by_datasets),
    "datasets, streaming": ("datasets", by_streaming),
    "pandas": ("pandas", by_pandas),
    "duckdb": ("duckdb", by_duckdb),
}


def digest(rows: Iterable[Row]) -> str:
    """The row digest of docs/release.md: SHA-256 over a line of canonical JSON a row."""
    found = hashlib.sha256()
    for row in rows:
        text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        found.update(text.encode() + b"\n")
    return found.hexdigest()


def _named(release: Path, config: str, streaming: bool) -> Iterator[Row]:
    import datasets

    datasets.disable_progress_bars()
    loaded = datasets.load_dataset(str(release), config, split="train", streaming=streaming)
    names = {name: kind.names for name, kind in loaded.features.items() if isinstance(kind, datasets.ClassLabel)}
    yield from _with_names(loaded, names)


def _by_manifest(release: Path, config: str, rows: Iterable[Row]) -> Iterator[Row]:
    kinds = _manifest(release)["configs"][config]["columns"]
    names = {name: kind[6:-1].split(", ") for name, kind in kinds.items() if kind.startswith("class(")}
    yield from _with_names(rows, names)


def _with_names(rows: Iterable[Row], names: Mapping[str, list[str]]) -> Iterator[Row]:
    for row in rows:
        classes = {name: names[name][row[name]] for name in names if row[name] is not None}
        yield {**row, **classes}


def _plain(value: Any) -> Any:
    import pandas as pd

    if hasattr(value, "tolist"):
        return value.tolist()
    return None if value is pd.NA else value


def _files(release: Path, config: str) -> list[Path]:
    return sorted((release / "data" / config).glob("*.parquet"))


def _manifest(release: Path) -> Any:
    return json.loads((release / "manifest.json").read_text(encoding="utf-8"))


def main(arguments: list[str]) -> int:
    """Reads the release that the arguments name in every way there is; returns the exit status."""
    release = Path(arguments[0])
    stated = {name: config for name, config in _manifest(release)["configs"].items() if config["rows"]}
    differing = 0
    for name, (package, reader) in READERS.items():
        if importlib.util.find_spec(package) is None:
            print(f"{name}: not installed")
            continue
        wrong = [config for config in stated if digest(reader(release, config)) != stated[config]["digest"]]
        print(f"{name} {version(package)}: {len(stated)} configs, {', '.join(wrong) or 'none'} differ")
        differing += len(wrong)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
