"""A command line whose complaints are one line each, like those about settings."""

import argparse
from typing import NoReturn


class CommandParser(argparse.ArgumentParser):
    """An ArgumentParser that says what is wrong without the usage of every flag before it."""

    def error(self, message: str) -> NoReturn:
        """End the program with status 2 and one line on the error stream."""
        self.exit(2, f"{self.prog}: {message.removeprefix('argument ')}; {self.prog} --help tells of every flag\n")
