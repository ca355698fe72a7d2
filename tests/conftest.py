"""How tests are shared out among the workers of one run."""

from pathlib import Path

import pytest

ALONE = Path(__file__).parent / "annotation" / "argilla"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one worker, for the fixtures they share, and all of Argilla's, for its one server."""
    for item in items:
        group = ALONE if item.path.is_relative_to(ALONE) else item.path
        item.add_marker(pytest.mark.xdist_group(str(group)))
