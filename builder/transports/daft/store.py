"""Where workers put what came back: Parquet files in a directory or a bucket that run and workers all see.

    STORE/<stage>/<name>.parquet        the columns of `builder.transports.daft.rows.SCHEMA`, one row an attempt

A worker writes a file as soon as answers are there, so that its death costs only its calls in flight; when a partition
of the plan (a range of keys of one stage) is done, its files become one, sorted by key. To read a store: take every
file of a stage; count each `attempt` once; of a key with several answers the first by `attempt` is the answer, and the
others are not. `readable` does that for one stage.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from builder.transports.daft.rows import SCHEMA


class StoreError(Exception):
    """A store that cannot be read or written; the message says which and why."""


class AttemptStore:
    """The Parquet files under `place`: a path, or a URI such as `s3://bucket/run` or `gs://bucket/run`."""

    def __init__(self, place: str) -> None:
        self.place = place
        try:
            if "://" in place:
                self._files, self._root = fs.FileSystem.from_uri(place)
            else:
                self._files, self._root = fs.LocalFileSystem(), str(Path(place).absolute())
        except (pa.ArrowException, OSError) as error:
            raise StoreError(f"cannot use {place} as a store: {error}") from error

    def put(self, name: str, content: bytes) -> None:
        """Write one file whole: when this returns it survives a power cut. Raises StoreError."""
        path = f"{self._root}/{name}"
        try:
            if isinstance(self._files, fs.LocalFileSystem):
                _put_locally(Path(path), content)
            else:
                with self._files.open_output_stream(path) as stream:
                    stream.write(content)
        except OSError as error:
            raise StoreError(f"cannot write {name} in the store {self.place}: {error}") from error

    def put_rows(self, name: str, rows: list[dict[str, object]]) -> None:
        """Write attempts as one Parquet file. Raises StoreError."""
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), sink, compression="zstd")
        self.put(name, sink.getvalue().to_pybytes())

    def delete(self, name: str) -> None:
        """Take one file away. Raises StoreError."""
        try:
            self._files.delete_file(f"{self._root}/{name}")
        except OSError as error:
            raise StoreError(f"cannot delete {name} in the store {self.place}: {error}") from error

    def holds(self, name: str) -> bool:
        """Whether there is a file of this name."""
        try:
            found: bool = self._files.get_file_info(f"{self._root}/{name}").type == fs.FileType.File
        except OSError as error:
            raise StoreError(f"cannot look into the store {self.place}: {error}") from error
        return found

    def stages(self) -> list[str]:
        """The stages that have files, in order of name."""
        return [Path(info.path).name for info in self._listed(self._root) if info.type == fs.FileType.Directory]

    def names(self, stage: str) -> list[str]:
        """The Parquet files of a stage, in order of name, which is the order they were begun in."""
        paths = (Path(info.path) for info in self._listed(f"{self._root}/{stage}"))
        return [f"{stage}/{path.name}" for path in paths if path.suffix == ".parquet" and not path.name.startswith(".")]

    def read(self, name: str, columns: list[str] | None = None) -> pa.Table:
        """The rows of one file. Raises StoreError."""
        try:
            return pq.read_table(f"{self._root}/{name}", columns=columns, filesystem=self._files)
        except (OSError, pa.ArrowException) as error:
            raise StoreError(f"cannot read {name} in the store {self.place}: {error}") from error

    def _listed(self, directory: str) -> list[fs.FileInfo]:
        try:
            found = self._files.get_file_info(fs.FileSelector(directory, allow_not_found=True))
        except OSError as error:
            raise StoreError(f"cannot list the store {self.place}: {error}") from error
        return sorted(found, key=lambda info: info.path)


def readable(store: AttemptStore, stage: str, columns: list[str]) -> Iterator[pa.Table]:
    """The answers of a stage, file by file, each key once: the first by `attempt` among the files.

    `columns` are those wanted besides `attempt`, `key` and `outcome`; failed attempts are left out.
    """
    first: dict[str, str] = {}
    wanted = list(dict.fromkeys(["attempt", "key", "outcome", *columns]))
    for name in store.names(stage):
        slim = store.read(name, ["attempt", "key", "outcome"])
        for row in slim.filter(slim["outcome"].is_valid()).select(["attempt", "key"]).to_pylist():
            first[row["key"]] = min(row["attempt"], first.get(row["key"], row["attempt"]))
    for name in store.names(stage):
        table = store.read(name, wanted)
        mask = [
            first.pop(key, None) is not None if first.get(key) == attempt else False
            for key, attempt in zip(table["key"].to_pylist(), table["attempt"].to_pylist(), strict=True)
        ]
        yield table.filter(pa.array(mask, pa.bool_()))


def _put_locally(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
