"""The small text files of a release: citation, changelog and checksums."""

import hashlib
from pathlib import Path

import yaml

from hub_card.facts import ReleaseFacts
from hub_card.layout import REPOSITORY, SUMS, files_of

SOURCE_STUDY = {
    "type": "article",
    "title": "Source study of refusal self-prediction",
    "authors": [{"family-names": "Gondil", "given-names": "T."}],
    "year": 2026,
    "identifiers": [{"type": "other", "value": "arXiv:2604.00228"}],
}


def citation(facts: ReleaseFacts) -> str:
    """CITATION.cff (format 1.2.0) of a release."""
    content = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it and the study it follows.",
        "type": "dataset",
        "title": facts.title,
        "version": facts.version,
        **({"date-released": facts.date} if facts.date else {}),
        "authors": [{"name": author} for author in facts.authors],
        "license": "CC-BY-4.0",
        "url": f"https://huggingface.co/datasets/{REPOSITORY}",
        "references": [SOURCE_STUDY],
    }
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=10_000)


def first_changelog(version: str) -> str:
    """CHANGELOG.md of a release that no earlier one is known of; publishing writes the entry from what changed."""
    return f"# Changelog\n\n## {version}\n\n- As built; publishing writes what changed since the version before.\n"


def checksums(release: Path) -> str:
    """SHA256SUMS of every other file, in the form `sha256sum -c` reads."""
    return "".join(f"{file_sha256(release / name)}  {name}\n" for name in files_of(release) if name != SUMS)


def write_text(file: Path, text: str) -> None:
    """Writes a text as UTF-8 with its line ends as they are, on every system."""
    file.write_text(text, encoding="utf-8", newline="")


def file_sha256(file: Path) -> str:
    """SHA-256 of a file's bytes, 64 hex digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
