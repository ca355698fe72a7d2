"""What a run that was killed left lying about in its directory."""

import shutil
from pathlib import Path


def tidy(run: Path) -> None:
    """Remove half-written releases and readings; a release that was just being replaced is put back.

    Only for who holds the run's lock. Raises OSError if `run` cannot be written.
    """
    release, aside = run / "release", run / ".release.old"
    if aside.is_dir() and not release.exists():
        aside.rename(release)
    for left in (*run.glob(".release.*"), *run.glob(".readings.*"), *run.glob("*.part")):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()
