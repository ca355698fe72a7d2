"""Finds and reads a datapoints table: a release directory, a Hub repository, a Parquet file or a CSV."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.csv

from .class_codes import by_name
from .contract import COLUMNS, OPTIONAL_COLUMNS, datapoints
from .data import DataError, Datapoints
from .judgments import Votes, load_votes
from .parquet import read_parquet
from .replica import is_replica, replica_table

VOTED = ("judgments", "labels")
TABLES = ("datapoints", *VOTED)
TEXT_COLUMNS = (
    "target",
    "model",
    "request_id",
    "topic",
    "status",
    "prediction_status",
    "actual_class",
    "label_source",
    "text",
)


class Source(NamedTuple):
    """A loaded table, where it came from and what was done to it on the way."""

    data: Datapoints
    name: str
    directory: Path
    notes: tuple[str, ...] = ()
    votes: Votes | None = None
    files: tuple[Path, ...] = ()
    """What was read on this machine; empty for a Hub repository."""


def load(place: str, revision: str | None = None) -> Source:
    """The datapoints at `place`: release directory, `.parquet`, `.csv`, or a Hub repository id `owner/name`.

    Raises DataError when nothing is there or it does not keep the data contract (docs/tables.md).
    """
    path = Path(place)
    if path.is_dir():
        return _load_directory(path)
    if path.is_file():
        return _load_file(path)
    if re.fullmatch(r"\w[\w.-]*/\w[\w.-]*", place) and path.suffix not in (".csv", ".parquet"):
        return _load_hub(place, revision)
    raise DataError(f"{place}: no such file or directory, nor a Hub repository id (owner/name)")


def _load_directory(path: Path) -> Source:
    for folder in (path / "data" / "datapoints", path / "datapoints", path):
        files = sorted(folder.glob("*.parquet"))
        if files:
            table = read_parquet(files, (*COLUMNS, *OPTIONAL_COLUMNS))
            votes = load_votes(path)
            more = (
                []
                if votes is None
                else [file for name in VOTED for file in sorted((path / "data" / name).glob("*.parquet"))]
            )
            return Source(datapoints(table), _release_name(path), path, votes=votes, files=(*files, *more))
    raise DataError(f"{path}: no datapoints there; wanted {path}/data/datapoints/*.parquet")


def _release_name(path: Path) -> str:
    """Name and version as the release states them, so that a copy elsewhere gives the same report."""
    stated = path / "manifest.json"
    if not stated.is_file():
        return path.resolve().name
    try:
        facts = json.loads(stated.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{stated}: not readable as JSON: {error}") from None
    if not isinstance(facts, dict):
        raise DataError(f"{stated}: want a JSON object, got {type(facts).__name__}")
    return f"{facts.get('name', path.resolve().name)} {facts.get('version', '')}".strip()


def _load_file(path: Path) -> Source:
    if path.suffix == ".parquet":
        table = read_parquet([path], (*COLUMNS, *OPTIONAL_COLUMNS))
        return Source(datapoints(table), path.name, path.parent, files=(path,))
    table = _read_csv(path)
    if is_replica(table):
        note = (
            "The file has the source study’s columns: actual_refuse 1 was read as a full refusal, 0 as full compliance."
        )
        return Source(datapoints(replica_table(table)), path.name, path.parent, (note,), files=(path,))
    table, columns = by_name(table)
    notes = (f"Integers were read as classes in their published order: {', '.join(columns)}.",) if columns else ()
    return Source(datapoints(table), path.name, path.parent, notes, files=(path,))


def _load_hub(repository: str, revision: str | None) -> Source:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, RepositoryNotFoundError
    except ImportError:
        raise DataError(
            f"{repository}: reading from the Hub needs the package huggingface_hub "
            "(pip install huggingface_hub), or download the dataset and give its directory"
        ) from None
    try:
        found = snapshot_download(
            repository,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[f"data/{name}/*.parquet" for name in TABLES],
        )
    except RepositoryNotFoundError:
        raise DataError(f"{repository}: no such dataset on the Hub, or no right to read it") from None
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        raise DataError(f"{repository}: could not be read from the Hub: {str(error).splitlines()[0]}") from None
    source = _load_directory(Path(found))
    name = f"{repository}@{revision}" if revision else repository
    return source._replace(name=name, directory=Path(), files=())


def _read_csv(path: Path) -> pa.Table:
    convert = pyarrow.csv.ConvertOptions(
        column_types={name: pa.string() for name in TEXT_COLUMNS},
        strings_can_be_null=True,
        null_values=["", "NA", "null"],
    )
    parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
    try:
        return pyarrow.csv.read_csv(path, convert_options=convert, parse_options=parse)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: not readable as CSV: {error}") from None
