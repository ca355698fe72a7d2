"""A dataset repository on a Hub: what is there, and the few things that are done to it."""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, constants
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import disable_progress_bars

from hub_card.hub_errors import HubError, translated

PUBLIC_HUB = "https://huggingface.co"
Gate = Literal["auto", "manual"]


class Repository(NamedTuple):
    """The state of a repository: its head commit, who may read it, its tags (name → commit) and its files' hashes."""

    head: str
    private: bool
    gated: bool
    tags: Mapping[str, str]
    files: Mapping[str, str]


class Hub:
    """One repository on one Hub, seen with one token."""

    def __init__(self, name: str, endpoint: str, token: str) -> None:
        self.name, self.endpoint = name, endpoint
        disable_progress_bars()
        self._api = HfApi(endpoint=endpoint, token=token)
        if endpoint.rstrip("/") != PUBLIC_HUB:
            # Other Hubs have no Xet storage, and the client does not fall back when it has the library for it.
            constants.HF_HUB_DISABLE_XET = True

    def check_token(self) -> None:
        """Raises HubError if the token is unknown to the Hub or may only read."""
        with translated("asking the Hub who the token belongs to"):
            known = self._api.whoami()
        role = known.get("auth", {}).get("accessToken", {}).get("role")
        if role == "read":
            raise HubError("the token in HF_TOKEN may only read; make one with write access and export it")

    def look(self) -> Repository | None:
        """The repository as it is now; None if there is none."""
        with translated(f"looking at {self.name}"):
            try:
                info = self._api.dataset_info(self.name)
            except RepositoryNotFoundError:
                return None
            tags = self._api.list_repo_refs(self.name, repo_type="dataset").tags
            files = self.files(str(info.sha))
        return Repository(
            str(info.sha), bool(info.private), bool(info.gated), {tag.name: tag.target_commit for tag in tags}, files
        )

    def files(self, revision: str) -> dict[str, str]:
        """The files at a revision with their hash: SHA-256 of large files, git's blob id of others."""
        with translated(f"listing the files of {self.name} at {revision}"):
            tree = self._api.list_repo_tree(self.name, recursive=True, revision=revision, repo_type="dataset")
            found = [entry for entry in tree if isinstance(entry, RepoFile)]
        return {entry.path: entry.lfs.sha256 if entry.lfs else entry.blob_id for entry in found}

    def read(self, path: str, revision: str) -> str:
        """The text of a file at a revision."""
        with tempfile.TemporaryDirectory() as folder, translated(f"reading {path} of {self.name} at {revision}"):
            file = self._api.hf_hub_download(self.name, path, revision=revision, repo_type="dataset", local_dir=folder)
            return Path(file).read_text(encoding="utf-8")

    def create(self) -> None:
        """Makes the repository, private until somebody opens it; one that exists is left as it is."""
        with translated(f"creating {self.name}"):
            self._api.create_repo(self.name, repo_type="dataset", private=True, exist_ok=True)

    def commit(self, folder: Path, adds: Sequence[str], deletes: Sequence[str], message: str, parent: str) -> str:
        """One commit on top of `parent`: all of it or nothing. Returns the new commit."""
        operations = [CommitOperationAdd(path, str(folder / path)) for path in adds]
        removals = [CommitOperationDelete(path) for path in deletes]
        with translated(f"committing to {self.name}"):
            done = self._api.create_commit(
                self.name,
                [*operations, *removals],
                commit_message=message,
                repo_type="dataset",
                parent_commit=parent,
            )
        return str(done.oid)

    def tag(self, name: str, commit: str, message: str) -> None:
        """An annotated tag; one that exists is never moved."""
        with translated(f"tagging {self.name}"):
            self._api.create_tag(self.name, tag=name, tag_message=message, revision=commit, repo_type="dataset")

    def restrict(self, *, private: bool | None = None, gate: Gate | None = None) -> None:
        """Changes who may read the repository."""
        with translated(f"changing the settings of {self.name}"):
            self._api.update_repo_settings(self.name, private=private, gated=gate, repo_type="dataset")


def hashes(file: Path) -> frozenset[str]:
    """Both hashes a Hub may know a file by: SHA-256 of its bytes, and git's blob id."""
    data = file.read_bytes()
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return frozenset({hashlib.sha256(data).hexdigest(), blob})
