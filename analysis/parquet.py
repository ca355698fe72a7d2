"""Reads Parquet files of one table."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

from .data import DataError


def read_parquet(files: Sequence[Path], columns: Sequence[str]) -> pa.Table:
    """Those of `columns` that the files have, as one table.

    Raises DataError if a file is not Parquet or its columns differ from the first file's.
    """
    tables = []
    for file in files:
        try:
            stored = pyarrow.parquet.ParquetFile(file)
            names = stored.schema_arrow.names
            tables.append(stored.read(columns=[name for name in columns if name in names]))
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{file}: not readable as Parquet: {str(error).splitlines()[0]}") from None
        if not tables[-1].schema.equals(tables[0].schema, check_metadata=True):
            raise DataError(f"{file}: its columns differ from those of {files[0].name}; wanted one schema")
    return pa.concat_tables(tables)
