"""A manifest from elsewhere: what cannot be read is said in words."""

from pathlib import Path

import pytest

from hub_card.facts import ReleaseError
from hub_card.layout import MANIFEST
from hub_card.manifest import load_manifest


@pytest.mark.parametrize("text", ["[" * 200_000, "9" * 5000, "{", "\xff"])
def test_a_manifest_that_cannot_be_read_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(ReleaseError, match="cannot be read as JSON"):
        load_manifest(tmp_path)
