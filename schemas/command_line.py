"""The command lines that messages show: what a reader can paste into the shell they are in."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def command_line(command: str, *arguments: object) -> str:
    """The line that runs one of our commands, every argument quoted where the shell needs it.

    The command stands with its path unless the shell finds this very script by its name.
    """
    return shlex.join([_script(command), *map(str, arguments)])


def shell_word(text: object) -> str:
    """A path or name as one word of a command line."""
    return shlex.quote(str(text))


def _running() -> list[str]:
    # What runs is a script of ours, or a module that an interpreter was told to run (then argv[0] may be "-c").
    return [place for place in (sys.argv[0], sys.executable) if place and place != "-c"]


def _script(command: str) -> str:
    # Not resolved: in a virtual environment the interpreter is a link to one that has no such script beside it.
    beside = [Path(place).absolute().parent / command for place in _running()]
    ours = next((script for script in beside if script.is_file()), None)
    found = shutil.which(command)
    if ours is None or (found is not None and ours.samefile(found)):
        return command
    here = Path.cwd()
    return str(ours.relative_to(here)) if ours.is_relative_to(here) else os.fspath(ours)
