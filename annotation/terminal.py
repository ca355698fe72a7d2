"""Labelling in a terminal: one key a label, every answer kept at once."""

import sys
import termios
import textwrap
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from annotation.items import Item, folded
from schemas.printable import plain
from schemas.records import Annotation
from schemas.vocabulary import RefusalLabel

WARNING = """\
Content warning: many of these requests ask for something harmful, some are cruel or hateful, and some responses comply.
Skip any of them with s; stop at any time with q; topics you would rather not read are taken off your list with
  {opt_out}
Press any key to begin, q to leave."""
KEYS = dict(zip("1234", RefusalLabel, strict=True))
HELP = (
    "1 full refusal  2 partial refusal  3 partial compliance  4 full compliance  5 cannot tell\n"
    "s skip  d skip, distressing  n note  w whole text  b back  q quit"
)
CANNOT_TELL, SKIP, DISTRESSING, NOTE, WHOLE, BACK, QUIT = "5sdnwbq"
WIDTH = 100


@dataclass(slots=True)
class Desk:
    """One sitting of one annotator: what it needs of the outside world, and what it has done.

    `opt_out` is the command line by which the annotator declines a topic.
    """

    annotator: str
    guidelines_version: str
    read_key: Callable[[], str]
    read_line: Callable[[str], str]
    write: Callable[[str], None]
    keep: Callable[[Annotation], None]
    now: Callable[[], str]
    ask_confidence: bool = False
    opt_out: str = "annotate-dataset push --opt-out NAME=TOPIC"
    _notes: dict[str, str] = field(default_factory=dict)


def label_items(desk: Desk, items: Sequence[Item]) -> int:
    """Go through the items; returns how many answers were given. Nobody's answer but the annotator's is seen."""
    desk.write(f"{WARNING.format(opt_out=desk.opt_out)}\n")
    if desk.read_key() == QUIT:
        return 0
    place, given = 0, 0
    while place < len(items):
        item = items[place]
        desk.write(_page(item, place, len(items)))
        answer = _answer(desk, item)
        if answer == QUIT:
            break
        if answer == BACK:
            place = max(0, place - 1)
            continue
        given += 1
        place += 1
    return given


def shown(text: str) -> str:
    """The text without characters that act on a terminal, wrapped to its width; lines and indents are kept."""
    lines = plain(text).expandtabs(4).splitlines() or [""]
    return "\n".join(
        textwrap.fill(line, WIDTH, replace_whitespace=False, drop_whitespace=False, break_on_hyphens=False)
        for line in lines
    )


def _page(item: Item, place: int, total: int) -> str:
    parts = [f"\n{'─' * WIDTH}\n{place + 1} of {total}", f"REQUEST\n{shown(item.request)}"]
    if item.context is not None:
        parts.append(f"WHAT TO KNOW\n{shown(item.context)}")
    parts.append(f"RESPONSE\n{shown(folded(item.response))}")
    return "\n\n".join(parts) + f"\n\n{HELP}\n"


def _answer(desk: Desk, item: Item) -> str:
    """Read keys until one answers the item, goes back or quits; returns that key."""
    while True:
        key = desk.read_key()
        if key in (BACK, QUIT):
            return key
        if key == NOTE:
            desk._notes[item.key] = desk.read_line("note: ").strip()
        elif key == WHOLE:
            desk.write(f"\nTHE WHOLE RESPONSE\n{shown(item.response)}\n\n{HELP}\n")
        elif key in KEYS or key in (CANNOT_TELL, SKIP, DISTRESSING):
            desk.keep(_annotation(desk, item, key))
            return key


def _annotation(desk: Desk, item: Item, key: str) -> Annotation:
    skipped = key in (SKIP, DISTRESSING)
    note = desk._notes.get(item.key, "")
    if skipped:
        note = f"skipped: {'distressing' if key == DISTRESSING else 'other'}{f'. {note}' if note else ''}"
    confidence = None
    if desk.ask_confidence and not skipped:
        desk.write("how sure, 1 to 5 (any other key: not said)? ")
        sure = desk.read_key()
        confidence = int(sure) if sure in "12345" and sure else None
    desk.write(f"→ {'skipped' if skipped else KEYS.get(key, 'cannot tell')}\n")
    return Annotation(
        response_key=item.key,
        annotator=desk.annotator,
        status="discarded" if skipped else "submitted",
        label=KEYS.get(key),
        confidence=confidence,
        note=note or None,
        guidelines_version=desk.guidelines_version,
        at=desk.now(),
    )


@dataclass(frozen=True, slots=True)
class Keyboard:
    """A terminal that hands over each key at once."""

    descriptor: int
    cooked: list[Any]

    def read_key(self) -> str:
        """The next key; the end of input reads as q. Ctrl-C raises KeyboardInterrupt."""
        return sys.stdin.read(1) or QUIT

    def read_line(self, prompt: str) -> str:
        """A line that can be edited while it is typed."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        termios.tcsetattr(self.descriptor, termios.TCSADRAIN, self.cooked)
        try:
            return sys.stdin.readline()
        finally:
            tty.setcbreak(self.descriptor, termios.TCSADRAIN)


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """The terminal on stdin as a keyboard; as it was before when the block ends."""
    descriptor = sys.stdin.fileno()
    cooked = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSADRAIN)
    try:
        yield Keyboard(descriptor, cooked)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, cooked)
