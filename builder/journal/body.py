"""The body of a row in the journal: compressed JSON, and what it means that it cannot be read."""

import zlib
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")


class DamagedBodyError(ValueError):
    """A body that does not hold what was once written there; says why."""


def pack(text: str) -> bytes:
    """The text as it is stored."""
    return zlib.compress(text.encode(), level=1)


def read_body(body: bytes | str, load: Callable[[str], Read]) -> Read:
    """What `load` makes of a stored body, compressed or plain.

    Raises DamagedBodyError if its bytes or its JSON are broken, or are not what `load` wants.
    """
    try:
        return load(body if isinstance(body, str) else zlib.decompress(body).decode())
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedBodyError(f"its body cannot be read ({type(error).__name__}: {error})") from error
