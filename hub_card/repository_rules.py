"""What a repository's state means for publishing: its versions, whose it is, and which files would change."""

from pathlib import Path

from hub_card.facts import ReleaseError, Version
from hub_card.hub import Repository, hashes
from hub_card.layout import CARD, MANIFEST, files_of

KEPT = frozenset({".gitattributes"})


def versions_of(repository: Repository | None) -> list[Version]:
    """The versions among the tags of a repository."""
    found = []
    for tag in repository.tags if repository else ():
        try:
            found.append(Version.parse(tag.removeprefix("v")))
        except ValueError:
            continue
    return found


def opens(repository: Repository, tag: str) -> bool:
    """Whether publishing opens a private repository: only for its first release.

    One that has other versions was made private by somebody.
    """
    return repository.private and not set(repository.tags) - {tag}


def check_ours(repository: Repository, name: str) -> None:
    """Raises ReleaseError for a repository that holds other files and no release: publishing would delete them."""
    others = set(repository.files) - KEPT - {CARD}
    if others and MANIFEST not in repository.files:
        raise ReleaseError(
            f"{name} holds {len(others)} files and no release, and publishing would delete them. "
            "Give an empty repository, or one that does not exist yet."
        )


def file_changes(repository: Repository | None, folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files to add or change, and those to delete, for the repository to hold what the folder holds."""
    there = repository.files if repository else {}
    wanted = files_of(folder)
    adds = [name for name in wanted if there.get(name) not in hashes(folder / name)]
    return tuple(adds), tuple(sorted(set(there) - set(wanted) - KEPT))
