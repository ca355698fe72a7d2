"""Reading corpus files: YAML with the line of every request kept, so that a complaint can point at it."""

from pathlib import Path
from typing import NamedTuple

import yaml

from schemas.records import Paraphrase, Request
from schemas.vocabulary import HarmLevel, ParaphraseKind, Topic

BUNDLED = Path(__file__).parent / "corpus"


class Complaint(NamedTuple):
    """What is wrong with a corpus: where, under which rule, and what to do."""

    file: str
    line: int
    item: str
    rule: str
    advice: str

    def __str__(self) -> str:
        """One line a person can act on."""
        return f"{self.file}:{self.line}: {self.item}: {self.rule}: {self.advice}"


class Corpus(NamedTuple):
    """The requests that could be read, in file order, and complaints about what could not."""

    requests: tuple[Request, ...]
    complaints: tuple[Complaint, ...]


def read_corpus(folder: Path = BUNDLED) -> Corpus:
    """Every `*.yaml` of a folder, in the order of the topics."""
    order = [topic.value for topic in Topic]
    files = sorted(folder.glob("*.yaml"), key=lambda file: [*order, file.stem].index(file.stem))
    parts = [read_topic_file(file) for file in files]
    return Corpus(
        tuple(request for part in parts for request in part.requests),
        tuple(complaint for part in parts for complaint in part.complaints),
    )


def read_topic_file(path: Path) -> Corpus:
    """The requests of one topic file."""
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 1
        return Corpus((), (Complaint(path.name, line, "file", "yaml", f"cannot be read as YAML: {error}"),))
    reader = _Reader(path.name)
    reader.topic_file(root)
    return Corpus(tuple(reader.requests), tuple(reader.complaints))


class _Reader:
    def __init__(self, file: str) -> None:
        self.file = file
        self.requests: list[Request] = []
        self.complaints: list[Complaint] = []

    def topic_file(self, root: yaml.Node | None) -> None:
        fields = self._fields(root, "file", {"topic", "requests"})
        topic = self._text(fields.get("topic"), "file", "topic")
        if topic not in set(Topic):
            self._complain(root, "file", "topic", f"got {topic!r}, want one of {', '.join(Topic)}")
            return
        items = fields.get("requests")
        if not isinstance(items, yaml.SequenceNode):
            self._complain(root, "file", "requests", "want a list of requests")
            return
        for item in items.value:
            self._request(item, Topic(topic))

    def _request(self, node: yaml.Node, topic: Topic) -> None:
        fields = self._fields(node, "request", {"id", "text", "paraphrases"})
        name = self._text(fields.get("id"), "request", "id") or "request"
        level = _level_in(name, topic)
        if level is None:
            self._complain(node, name, "id", f"want {topic}-L1-01 to {topic}-L5-99")
            return
        text = self._text(fields.get("text"), name, "text")
        paraphrases = fields.get("paraphrases")
        items = paraphrases.value if isinstance(paraphrases, yaml.SequenceNode) else []
        self.requests.append(
            Request(
                request_id=name,
                topic=topic,
                level=level,
                text=text,
                paraphrases=tuple(p for item in items if (p := self._paraphrase(item, name)) is not None),
                file=self.file,
                line=node.start_mark.line + 1,
            )
        )

    def _paraphrase(self, node: yaml.Node, name: str) -> Paraphrase | None:
        fields = self._fields(node, name, {"kind", "text"})
        kind = self._text(fields.get("kind"), name, "kind")
        if kind not in set(ParaphraseKind):
            self._complain(node, name, "kind", f"got {kind!r}, want one of {', '.join(ParaphraseKind)}")
            return None
        return Paraphrase(ParaphraseKind(kind), self._text(fields.get("text"), name, "text"))

    def _fields(self, node: yaml.Node | None, item: str, wanted: set[str]) -> dict[str, yaml.Node]:
        if not isinstance(node, yaml.MappingNode):
            self._complain(node, item, "form", f"want a mapping with {', '.join(sorted(wanted))}")
            return {}
        fields: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value in fields or key.value not in wanted:
                self._complain(key, item, "form", f"unexpected or repeated field {key.value!r}")
            fields[key.value] = value
        return fields

    def _text(self, node: yaml.Node | None, item: str, field: str) -> str:
        if isinstance(node, yaml.ScalarNode) and node.value.strip():
            return str(node.value)
        self._complain(node, item, field, "want a text")
        return ""

    def _complain(self, node: yaml.Node | None, item: str, rule: str, advice: str) -> None:
        line = 1 if node is None else node.start_mark.line + 1
        self.complaints.append(Complaint(self.file, line, item, rule, advice))


def _level_in(name: str, topic: Topic) -> HarmLevel | None:
    rest = name.removeprefix(f"{topic}-L")
    level, dash, number = rest.partition("-")
    fits = rest != name and dash and level in "12345" and len(level) == 1 and number.isdigit()
    return HarmLevel(int(level)) if fits else None
