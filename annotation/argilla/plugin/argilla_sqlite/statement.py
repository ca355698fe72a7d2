"""The bound parameters of one SQL statement, and conditions on an SQL expression. No value is ever pasted into SQL."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

Value = str | float | int


@dataclass(slots=True)
class Statement:
    """Collects parameters; `bind` names one, the other methods write conditions."""

    params: dict[str, Value] = field(default_factory=dict)

    def bind(self, value: Value) -> str:
        """The placeholder of a new parameter."""
        name = f"p{len(self.params)}"
        self.params[name] = value
        return f":{name}"

    def one_of(self, expression: str, values: Iterable[Value]) -> str:
        """Whether the expression equals one of the values, which arrive as text: as text, number or truth value."""
        options = [option for value in values for option in self._equals(expression, str(value))]
        return f"({' OR '.join(options)})" if options else "0"

    def between(self, expression: str, low: Value | None, high: Value | None) -> str:
        """Whether the expression has a value and lies within the bounds that are given, both included."""
        parts = [f"{expression} IS NOT NULL"]
        if low is not None:
            parts.append(f"{expression} >= {self.bind(low)}")
        if high is not None:
            parts.append(f"{expression} <= {self.bind(high)}")
        return f"({' AND '.join(parts)})"

    def _equals(self, expression: str, value: str) -> list[str]:
        options = [f"CAST({expression} AS TEXT) = {self.bind(value)}"]
        if value in ("true", "false"):
            options.append(f"{expression} = {int(value == 'true')}")
        try:
            number = float(value)
        except ValueError:
            return options
        return [*options, f"(typeof({expression}) IN ('integer', 'real') AND {expression} = {self.bind(number)})"]


def json_path(*names: str) -> str:
    """The SQLite JSON path of nested members. Argilla allows only word characters in these names."""
    return "$" + "".join(f'."{name}"' for name in names)


def stored_time(value: Value) -> str:
    """ISO text or epoch milliseconds as SQLAlchemy stores a time in SQLite. Raises ValueError for other text."""
    if isinstance(value, int | float):
        moment = datetime.fromtimestamp(value / 1000, tz=UTC)
    else:
        moment = datetime.fromisoformat(value)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")
