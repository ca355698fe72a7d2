# ruff: noqa: S608 - SQL is put together from our own fragments; values are bound
# mypy: disable-error-code="import-not-found", allow-subclassing-any, allow-untyped-decorators
"""The search engine itself: eleven writing methods with nothing to do, and reads as SQL."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from argilla_server.database import AsyncSessionLocal, async_engine
from argilla_server.enums import MetadataPropertyType, SimilarityOrder
from argilla_server.models import Dataset, MetadataProperty, Record, User, VectorSettings
from argilla_server.search_engine.base import (
    Filter,
    FloatMetadataMetrics,
    IntegerMetadataMetrics,
    MetadataMetrics,
    Order,
    SearchEngine,
    SearchResponseItem,
    SearchResponses,
    TermsMetrics,
    TextQuery,
)
from sqlalchemy import event, text
from sqlalchemy.engine import Engine

from . import ENGINE_NAME, text_index
from .filters import condition, ordering
from .similarity import most_similar
from .statement import Statement, json_path
from .text_query import TextMatch, text_match


@event.listens_for(Engine, "connect")
def _prepare_connection(connection: Any, _record: object) -> None:
    connection.create_function("lse_shuffle", 2, _shuffle, deterministic=True)
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _shuffle(record_id: str, seed: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{record_id}".encode(), digest_size=7).digest())


@SearchEngine.register(engine_name=ENGINE_NAME)
class SQLiteSearchEngine(SearchEngine):
    """Answers every search from the tables that Argilla itself has written."""

    _prepared = False

    @classmethod
    async def new_instance(cls) -> "SQLiteSearchEngine":
        """An engine; the first one of a process makes the full-text tables."""
        if not SQLiteSearchEngine._prepared:
            async with async_engine.begin() as connection:
                for sql in (*text_index.CREATE, *text_index.CATCH_UP):
                    await connection.exec_driver_sql(sql)
            SQLiteSearchEngine._prepared = True
        return cls()

    async def close(self) -> None:
        """Nothing is held open."""

    async def ping(self) -> bool:
        """Whether the database answers."""
        await _rows("SELECT 1 FROM records LIMIT 1")
        return True

    async def info(self) -> dict[str, Any]:
        """What Argilla's status page shows."""
        return {"name": ENGINE_NAME, "version": {"number": sqlite3.sqlite_version}, "cluster_name": "local"}

    async def create_index(self, dataset: Dataset) -> None:
        """Done by the tables."""

    async def delete_index(self, dataset: Dataset) -> None:
        """Done by the triggers."""

    async def configure_metadata_property(self, dataset: Dataset, metadata_property: MetadataProperty) -> None:
        """Done by the tables."""

    async def configure_index_vectors(self, vector_settings: VectorSettings) -> None:
        """Done by the tables."""

    async def index_records(self, dataset: Dataset, records: Iterable[Record]) -> None:
        """Done by the triggers."""

    async def partial_record_update(self, record: Record, **update: object) -> None:
        """Done by the tables."""

    async def delete_records(self, dataset: Dataset, records: Iterable[Record]) -> None:
        """Done by the triggers."""

    async def update_record_response(self, response: object) -> None:
        """Done by the tables."""

    async def delete_record_response(self, response: object) -> None:
        """Done by the tables."""

    async def update_record_suggestion(self, suggestion: object) -> None:
        """Done by the tables."""

    async def delete_record_suggestion(self, suggestion: object) -> None:
        """Done by the tables."""

    async def get_dataset_progress(self, dataset: Dataset) -> dict[str, int]:
        """Records by status, and `total`; nothing for a draft."""
        if dataset.is_draft:
            return {}
        rows = await _rows(
            "SELECT status, count(*) FROM records WHERE dataset_id = :dataset GROUP BY status",
            {"dataset": dataset.id.hex},
        )
        return {"total": sum(count for _, count in rows), **dict(rows)}

    async def get_dataset_user_progress(self, dataset: Dataset, user: User) -> dict[str, int]:
        """A user's responses by status, and `total`; nothing for a draft."""
        if dataset.is_draft:
            return {}
        rows = await _rows(
            "SELECT p.status, count(*) FROM responses p JOIN records r ON r.id = p.record_id "
            "WHERE r.dataset_id = :dataset AND p.user_id = :user GROUP BY p.status",
            {"dataset": dataset.id.hex, "user": user.id.hex},
        )
        return {"total": sum(count for _, count in rows), **dict(rows)}

    async def search(
        self,
        dataset: Dataset,
        query: TextQuery | str | None = None,
        filter: Filter | None = None,  # noqa: A002 - the name is Argilla's
        sort: Sequence[Order] | None = None,
        offset: int = 0,
        limit: int = 100,
        user_id: object = None,
    ) -> SearchResponses:
        """A page of the records that match, and how many do.

        Sorted as told; else text hits by rank; else in an order that is each user's own and stays the same.
        """
        statement = Statement({"dataset": dataset.id.hex})
        match = _text(query, statement)
        where = _where(match, filter, statement)
        score, join = _scores(match, statement)
        if sort:
            order = ", ".join(ordering(item, statement) for item in sort)
        elif match is not None:
            order = f"{score} DESC"
        elif user_id is not None:
            order = f"lse_shuffle(r.id, {statement.bind(str(user_id))})"
        else:
            order = "r.inserted_at"
        total = await _rows(f"SELECT count(*) FROM records r WHERE {where}", statement.params)
        rows = await _rows(
            f"SELECT r.id, {score} FROM records r{join} WHERE {where} ORDER BY {order}, r.inserted_at, r.rowid "
            f"LIMIT {statement.bind(limit)} OFFSET {statement.bind(offset)}",
            statement.params,
        )
        items = [SearchResponseItem(record_id=record, score=value) for record, value in rows]
        return SearchResponses(items=items, total=total[0][0])

    async def compute_metrics_for(self, metadata_property: MetadataProperty) -> MetadataMetrics:
        """The terms of a metadata property with counts, most frequent first, or its least and greatest value."""
        params = {"dataset": metadata_property.dataset_id.hex, "path": json_path(metadata_property.name)}
        rows = "FROM records r, json_each(r.metadata, :path) j WHERE r.dataset_id = :dataset AND j.value IS NOT NULL"
        if metadata_property.type == MetadataPropertyType.terms:
            found = await _rows(f"SELECT j.value, count(*) {rows} GROUP BY 1 ORDER BY 2 DESC, 1", params)
            values = [TermsMetrics.TermCount(term=str(term), count=count) for term, count in found]
            return TermsMetrics(total=sum(value.count for value in values), values=values)
        least, greatest = (await _rows(f"SELECT min(j.value), max(j.value) {rows}", params))[0]
        if metadata_property.type == MetadataPropertyType.integer:
            return IntegerMetadataMetrics(min=least, max=greatest)
        return FloatMetadataMetrics(min=least, max=greatest)

    async def similarity_search(
        self,
        dataset: Dataset,
        vector_settings: VectorSettings,
        value: list[float] | None = None,
        record: Record | None = None,
        query: TextQuery | str | None = None,
        filter: Filter | None = None,  # noqa: A002 - the name is Argilla's
        max_results: int = 100,
        order: SimilarityOrder = SimilarityOrder.most_similar,
        threshold: float | None = None,
    ) -> SearchResponses:
        """The records nearest to a vector or to a record (which is left out itself), nearest first."""
        if bool(value) == bool(record):
            raise ValueError("want either a vector or a record to compare with")
        statement = Statement({"dataset": dataset.id.hex})
        where = _where(_text(query, statement), filter, statement)
        if record is not None:
            value = record.vector_value_by_vector_settings(vector_settings)
            where += f" AND r.id != {statement.bind(record.id.hex)}"
        if not value:
            raise ValueError("the record has no vector to compare with")
        rows = await _rows(
            "SELECT r.id, v.value FROM records r JOIN vectors v ON v.record_id = r.id "
            f"WHERE v.vector_settings_id = {statement.bind(vector_settings.id.hex)} AND {where} ORDER BY r.rowid",
            statement.params,
        )
        found = most_similar(rows, value, least=order == SimilarityOrder.least_similar, limit=max_results)
        items = [
            SearchResponseItem(record_id=item.record_id, score=item.score)
            for item in found
            if threshold is None or item.score >= threshold
        ]
        return SearchResponses(items=items, total=len(items))


async def _rows(sql: str, params: dict[str, Any] | None = None) -> list[Any]:
    async with AsyncSessionLocal() as session:
        return list((await session.execute(text(sql), params or {})).all())


def _text(query: TextQuery | str | None, statement: Statement) -> TextMatch | None:
    if query is None:
        return None
    words, name = (query, None) if isinstance(query, str) else (query.q, query.field)
    return text_match(words, name, statement)


def _where(match: TextMatch | None, wanted: Filter | None, statement: Statement) -> str:
    parts = ["r.dataset_id = :dataset"]
    if match is not None:
        parts.append(match.condition)
    if wanted is not None:
        parts.append(condition(wanted, statement))
    return " AND ".join(parts)


def _scores(match: TextMatch | None, statement: Statement) -> tuple[str, str]:
    """The score of a record as an SQL expression, and the join it needs."""
    if match is None or not match.ranked:
        return "1.0", ""
    words = statement.bind(" OR ".join(match.ranked))
    join = (
        " LEFT JOIN (SELECT d.record_id, -sum(m.score) AS score FROM"
        f" (SELECT rowid, rank AS score FROM lse_fts WHERE lse_fts MATCH {words}) m"
        " JOIN lse_text d ON d.id = m.rowid WHERE d.dataset_id = :dataset GROUP BY d.record_id) k"
        " ON k.record_id = r.id"
    )
    return "coalesce(k.score, 0.0)", join
