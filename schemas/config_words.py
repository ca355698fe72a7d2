"""What is said of a setting that cannot be used: where it was given, what was got, what is wanted. Pure."""

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

WANTED = {
    "topics": "all, or some of",
    "levels": "all, or some of 1 to 5, such as 4,5 or 1-3",
    "release_version": "three whole numbers, such as 1.0.0",
    "release_name": "a name",
    "targets": "models, as provider/model",
    "judges": "lexical, or models, as provider/model",
    "base_url": "the address of each provider's server, such as http://127.0.0.1:8000/v1",
    "api": "for a model chat or responses",
    "prices": "for each model input and output, US dollars for a million tokens, from 0",
    "judge_records": "files that evaluate-judge --json wrote",
    "generator": "a model, as provider/model",
    "verify_with": "a model, as provider/model",
    "accept_judge": "one of the judges",
}
# A flag takes several of these one at a time, and is named for one.
SINGULAR = {"judge_records": "judge_record"}


class Source(NamedTuple):
    """Where settings come from: the names given as flags (and how a flag is spelled, if not after them), and a file."""

    flags: Mapping[str, Any]
    spelled: Mapping[str, str]
    file: Path | None

    def place(self, name: str, *inner: object) -> str:
        """Where a setting (or a key inside it) was given, or could be."""
        if self.file is not None and name not in self.flags:
            keys = [str(key) if str(key).replace("_", "").isalnum() else f'"{key}"' for key in inner]
            return f"{'.'.join([name, *keys])} in {self.file}"
        flag = self.spelled.get(name) or f"--{SINGULAR.get(name, name).replace('_', '-')}"
        return " ".join([flag, *map(str, inner)])


def problem_text(problem: Mapping[str, Any], source: Source, schema: Mapping[str, Any]) -> str:
    """One validation problem in words. `schema` is the JSON schema of all settings."""
    said = str(problem["msg"]).removeprefix("Value error, ")
    settings: Mapping[str, Any] = schema["properties"]
    if not problem["loc"]:
        name, colon, words = said.partition(": ")
        return f"{source.place(name)}: {words}" if colon and name in settings else said
    name, *inner = problem["loc"]
    got = "" if problem["type"] == "missing" else problem["input"]
    if name not in settings:
        there_are = f"there are {', '.join(settings)}"
        return f"{source.place(str(name))}: there is no such setting{nearest(name, settings)}; {there_are}"
    # Places in a list are left out: the value itself says which one it is.
    place = source.place(name, *(key for key in inner if isinstance(key, str)))
    return (
        f"{place}: {said}"
        if said and problem["type"] == "value_error"
        else f"{place}: got {shown(got)}, want {wanted(name, got, schema)}"
    )


def shown(value: Any) -> str:
    """A value as a user would have written it."""
    if value in ((), [], ""):
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(shown(part) for part in value)
    return repr(value) if isinstance(value, str) else str(value)


def nearest(got: object, allowed: Any) -> str:
    """A question that names what was probably meant; nothing if nothing is near."""
    near = difflib.get_close_matches(str(got).lower().replace("-", "_"), [str(name) for name in allowed], n=2)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def wanted(name: str, got: object, schema: Mapping[str, Any]) -> str:
    """What a setting takes, by the schema of all settings."""
    shape = _shape(schema["properties"][name], schema)
    choices = _shape(shape.get("items", shape), schema).get("enum", ())
    words = WANTED.get(name) or _by_type(shape, choices)
    if name == "topics":
        words = f"{words} {', '.join(choices)}"
    return f"{words}{nearest(got, choices) if isinstance(got, str) else ''}"


def _shape(part: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a value that is there: references followed, `null` left aside."""
    if "anyOf" in part:
        part = next(one for one in part["anyOf"] if one.get("type") != "null")
    reference = str(part.get("$ref", ""))
    return schema["$defs"][reference.rpartition("/")[2]] if reference else part


def _by_type(shape: Mapping[str, Any], choices: Any) -> str:
    if choices:
        return f"one of {', '.join(map(str, choices))}"
    kinds = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "text"}
    words = kinds.get(str(shape.get("type")), "a value of another kind")
    low, high = shape.get("minimum"), shape.get("maximum")
    if "exclusiveMinimum" in shape:
        return f"{words} above {shape['exclusiveMinimum']}"
    if low is not None:
        return f"{words} from {low} {'on' if high is None else f'to {high}'}"
    return words
