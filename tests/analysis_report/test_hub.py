"""A dataset on a real git-backed Hub is analysed by its repository id, at the version asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import HfApi, constants

from tests.hub_card.hub_server import serving

from .builders import columns, write_release

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")


def test_a_tagged_version_is_read_from_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)  # the Hub on loopback has no such storage
    with serving(tmp_path / "hub", {"hf_alice": ("alice", "write")}) as hub:
        api = HfApi(endpoint=hub.url, token="hf_alice")
        api.create_repo("alice/foresight-1.5", repo_type="dataset")
        for tag, n_requests in (("v1.0.0", 4), ("v2.0.0", 7)):
            release = write_release(tmp_path / tag, columns(n_requests=n_requests))
            api.upload_folder(repo_id="alice/foresight-1.5", repo_type="dataset", folder_path=release)
            api.create_tag("alice/foresight-1.5", tag=tag, repo_type="dataset")
        environment = os.environ | {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home"), "HF_TOKEN": "hf_alice"}
        command = [sys.executable, "-m", "analysis", "alice/foresight-1.5", "--revision", "v1.0.0", "--out", "out"]
        environment["PYTHONPATH"] = str(Path(__file__).parents[2])
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "24 of 24 rows" in done.stdout
        missing = [*command[:3], "alice/absent", "--out", "out"]
        done = subprocess.run(missing, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr == "analyze-dataset: alice/absent: no such dataset on the Hub, or no right to read it\n"
