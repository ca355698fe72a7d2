"""Reading the one JSON object a model was asked to answer with. Strict: what is not plainly it is not read."""

import json
import re
from typing import Any

FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)
LIMIT = 100_000


class NoAnswerError(ValueError):
    """The text holds no single JSON object; the message says what it holds instead."""


def json_object(text: str) -> dict[str, Any]:
    """The JSON object that the text is, fenced or bare, or the only one it contains.

    Raises NoAnswerError for none, several, repeated names, or nesting too deep to be an answer.
    """
    stripped = text[:LIMIT].strip()
    fenced = FENCE.match(stripped)
    stripped = fenced.group(1).strip() if fenced else stripped
    if stripped.startswith("{"):
        found, end = _decode(stripped, 0)
        if stripped[end:].strip():
            raise NoAnswerError("text follows the JSON object")
        return found
    start = stripped.find("{")
    if start < 0:
        raise NoAnswerError("no JSON object in the answer")
    found, end = _decode(stripped, start)
    if "{" in stripped[end:]:
        raise NoAnswerError("more than one JSON object in the answer")
    return found


def scale_value(value: Any) -> int | None:
    """The value if it is a whole number, else None; whether it lies on the scale is for the caller to say."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _decode(text: str, start: int) -> tuple[dict[str, Any], int]:
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_once_each).raw_decode(text, start)
    except RecursionError:
        raise NoAnswerError("the JSON is nested too deep") from None
    except json.JSONDecodeError as error:
        raise NoAnswerError(f"broken JSON: {error.msg}") from None
    except ValueError:
        raise NoAnswerError("a number with too many digits") from None
    if not isinstance(found, dict):
        raise NoAnswerError("the JSON is not an object")
    return found, end


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise NoAnswerError("a name stands twice in the JSON object")
    return dict(pairs)
