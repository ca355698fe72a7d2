"""One real Argilla for all tests that do not need to break it."""

from collections.abc import Iterator

import pytest

from tests.annotation.argilla.server import Serving


@pytest.fixture(scope="session")
def argilla(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the annotators ada and ben and the expert eve."""
    people = ("--annotator", "ada", "--annotator", "ben", "--expert", "eve")
    with Serving(tmp_path_factory.mktemp("argilla"), people) as serving:
        yield serving
