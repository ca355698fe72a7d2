"""Tables written piece by piece: the bytes of one piece, and memory counted as Arrow counts it."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hub_card.layout import CONFIGS, parquet_path
from hub_card.parquet import CHUNK, TableWriter
from hub_card.stored import COLUMNS, StoredRows
from hub_card.windows import HashSet, window_hashes
from schemas.rows import TABLES
from schemas.tables import arrow_table
from tests.hub_card import rows


@pytest.fixture(scope="module")
def many() -> dict[str, pa.Table]:
    """Tables of more than two row groups."""
    built = rows.tables()
    tables = {config: arrow_table(TABLES[config], built[config]) for config in CONFIGS}
    return {config: pa.concat_tables([table] * (2 * CHUNK // len(table) + 2)) for config, table in tables.items()}


@pytest.mark.parametrize("config", CONFIGS)
def test_the_size_of_pieces_leaves_no_trace(many: dict[str, pa.Table], config: str, tmp_path: Path) -> None:
    table = many[config].combine_chunks()
    written = []
    for size in (len(table), 777, CHUNK):
        release = tmp_path / str(size)
        with TableWriter(release, config) as writer:
            for start in range(0, len(table), size):
                writer.append(table.slice(start, size))
            told = writer.finish()
        written.append((told, (release / parquet_path(config)).read_bytes()))
    assert written[0] == written[1] == written[2]
    assert written[0][0].num_bytes == table.nbytes
    file = pq.ParquetFile(tmp_path / "777" / parquet_path(config))
    assert file.read().equals(table)
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups - 1)] == [CHUNK, CHUNK]


@pytest.mark.parametrize("config", CONFIGS)
def test_stored_rows_count_like_the_rows(config: str, tmp_path: Path) -> None:
    built = rows.tables()[config]
    with TableWriter(tmp_path, config) as writer:
        writer.append(arrow_table(TABLES[config], built))
        writer.finish()
    stored = StoredRows(tmp_path, config)
    wanted = [tuple(getattr(row, name) for name in COLUMNS[config]) for row in built]
    found = [tuple(getattr(row, name) for name in COLUMNS[config]) for row in stored]
    assert len(stored) == len(built)
    assert sorted(found, key=repr) == sorted([tuple(_plain(cell) for cell in row) for row in wanted], key=repr)


def _plain(cell: object) -> object:
    return str(cell) if isinstance(cell, str) else cell


def test_a_set_of_hashes_finds_what_is_in_it_and_nothing_else() -> None:
    known = HashSet([window_hashes(b"some words that are known here", 8, 1)])
    assert known.positions(window_hashes(b"xx are known yy", 8, 1)).tolist() == [2, 3, 4, 5]
    assert known.positions(window_hashes(b"nothing of the kind", 8, 1)).tolist() == []
    assert HashSet([]).positions(window_hashes(b"nothing of the kind", 8, 1)).tolist() == []
