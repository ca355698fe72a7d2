# ruff: noqa: S608 - SQL is put together from our own fragments; values are bound
# mypy: disable-error-code="import-not-found"
"""Argilla's filters and sorts as SQL over its tables; `r` is the record."""

from argilla_server.enums import ResponseStatusFilter, SortOrder
from argilla_server.search_engine.base import (
    AndFilter,
    Filter,
    MetadataFilterScope,
    Order,
    RangeFilter,
    RecordFilterScope,
    ResponseFilterScope,
    SuggestionFilterScope,
    TermsFilter,
)

from .statement import Statement, json_path, stored_time

TIMES = ("inserted_at", "updated_at")


def condition(wanted: Filter, statement: Statement) -> str:
    """The SQL condition of a filter. Raises ValueError for a filter Argilla does not document."""
    if isinstance(wanted, AndFilter):
        return " AND ".join(condition(part, statement) for part in wanted.filters) or "1"
    scope = wanted.scope
    if isinstance(scope, RecordFilterScope):
        return _on_record(wanted, str(scope.property), statement)
    if isinstance(scope, MetadataFilterScope):
        rows = f"json_each(r.metadata, {statement.bind(json_path(scope.metadata_property))}) j"
        return f"EXISTS (SELECT 1 FROM {rows} WHERE {_on_value('j.value', wanted, statement)})"
    if isinstance(scope, SuggestionFilterScope):
        rows, column = _suggestions(scope, statement)
        return f"EXISTS (SELECT 1 {rows} AND {_on_value(column, wanted, statement)})"
    if isinstance(scope, ResponseFilterScope):
        return _on_response(wanted, scope, statement)
    raise ValueError(f"no filter on {scope}")


def ordering(order: Order, statement: Statement) -> str:
    """The ORDER BY terms of a sort; records without a value come last in both directions, as in Elasticsearch."""
    descending = order.order == SortOrder.desc
    value = _sort_value(order.scope, "max" if descending else "min", statement)
    return f"{value} IS NULL, {value} {'DESC' if descending else 'ASC'}"


def _sort_value(scope: object, pick: str, statement: Statement) -> str:
    if isinstance(scope, RecordFilterScope):
        return f"r.{scope.property}"
    if isinstance(scope, MetadataFilterScope):
        path = statement.bind(json_path(scope.metadata_property))
        return f"(SELECT {pick}(j.value) FROM json_each(r.metadata, {path}) j)"
    if isinstance(scope, SuggestionFilterScope):
        rows, column = _suggestions(scope, statement)
        return f"(SELECT {pick}({column}) {rows})"
    if not isinstance(scope, ResponseFilterScope):
        raise ValueError(f"no sort by {scope}")
    if scope.question is None:
        return f"(SELECT {pick}(p.status) FROM responses p WHERE p.record_id = r.id{_of_user(scope, statement)})"
    numbers = "count(j.value) = sum(j.type IN ('integer', 'real'))"
    chosen = f"CASE WHEN {numbers} THEN avg(j.value) ELSE {pick}(j.value) END"
    return f"(SELECT {chosen} {_answers(scope, statement)})"


def _on_record(wanted: TermsFilter | RangeFilter, name: str, statement: Statement) -> str:
    column = f"r.{name}"
    if name in TIMES:
        if isinstance(wanted, TermsFilter):
            return statement.one_of(column, [stored_time(value) for value in wanted.values])
        low, high = (None if bound is None else stored_time(bound) for bound in (wanted.ge, wanted.le))
        return statement.between(column, low, high)
    if isinstance(wanted, RangeFilter):
        return statement.between(column, wanted.ge, wanted.le)
    values = [value.replace("-", "").lower() for value in wanted.values] if name == "id" else wanted.values
    return statement.one_of(column, values)


def _on_value(expression: str, wanted: TermsFilter | RangeFilter, statement: Statement) -> str:
    if isinstance(wanted, TermsFilter):
        return statement.one_of(expression, wanted.values)
    low, high = (None if bound is None else float(bound) for bound in (wanted.ge, wanted.le))
    return statement.between(expression, low, high)


def _suggestions(scope: SuggestionFilterScope, statement: Statement) -> tuple[str, str]:
    several = scope.property in ("value", "score")
    rows = (
        "FROM suggestions s JOIN questions q ON q.id = s.question_id"
        f"{f', json_each(s.{scope.property}) j' if several else ''} "
        f"WHERE s.record_id = r.id AND q.name = {statement.bind(scope.question)}"
    )
    return rows, "j.value" if several else f"s.{scope.property}"


def _answers(scope: ResponseFilterScope, statement: Statement) -> str:
    path = statement.bind(json_path(scope.question, "value"))
    rows = f'FROM responses p, json_each(p."values", {path}) j'
    return f"{rows} WHERE p.record_id = r.id{_of_user(scope, statement)}"


def _of_user(scope: ResponseFilterScope, statement: Statement) -> str:
    return f" AND p.user_id = {statement.bind(scope.user.id.hex)}" if scope.user else ""


def _on_response(wanted: TermsFilter | RangeFilter, scope: ResponseFilterScope, statement: Statement) -> str:
    if scope.question is not None:
        return f"EXISTS (SELECT 1 {_answers(scope, statement)} AND {_on_value('j.value', wanted, statement)})"
    if scope.property != "status" or not isinstance(wanted, TermsFilter):
        raise ValueError(f"no filter on {scope}")
    rows = f"SELECT 1 FROM responses p WHERE p.record_id = r.id{_of_user(scope, statement)}"
    given = [str(value) for value in wanted.values if value != ResponseStatusFilter.pending]
    options = [f"NOT EXISTS ({rows})"] if len(given) < len(wanted.values) else []
    if given:
        options.append(f"EXISTS ({rows} AND {statement.one_of('p.status', given)})")
    return f"({' OR '.join(options)})"
