"""A piece of a release made ready to be written: rows mended, redacted and turned into Arrow tables. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from hub_card.facts import Tier
from hub_card.redact import redact, withheld_texts
from hub_card.wellformed import wellformed
from schemas.rows import TABLES
from schemas.tables import arrow_table

Rows = Mapping[str, Sequence[Any]]


class Prepared(NamedTuple):
    """The rows of some tables as they are published, but for echoes; and the texts that redaction took out of them."""

    tables: Mapping[str, pa.Table]
    withheld: Sequence[str] = ()


def prepare(rows: Rows, tier: Tier, level: Mapping[str, int] | None = None) -> Prepared:
    """A piece from its unredacted rows (of `schemas.rows`), which must hold all rows about the trials in it.

    `level` is that of each variant; without it, it is taken from the piece's own variants.
    """
    mended = {name: wellformed(found) for name, found in rows.items()}
    kept = redact(mended, tier, level)
    tables = {name: arrow_table(TABLES[name], found) for name, found in kept.items()}
    return Prepared(tables, tuple(withheld_texts(mended, kept)))
