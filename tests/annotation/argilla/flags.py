"""The flags of a verb, as the command would parse them."""

from argparse import Namespace
from pathlib import Path

from builder.annotate_options import parser


def flags_for(run: Path, verb: str = "agreement", *flags: str) -> Namespace:
    """Parsed flags."""
    return parser().parse_args([verb, "--run", str(run), *flags])
