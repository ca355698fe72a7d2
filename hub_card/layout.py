"""Names and places in a release directory, in one place for those who write it and those who check it."""

from collections.abc import Iterable
from pathlib import Path

from schemas.rows import TABLES

CARD = "README.md"
MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"
CITATION = "CITATION.cff"
CHANGELOG = "CHANGELOG.md"
CODEBOOK = "CODEBOOK.md"
CROISSANT = "croissant.json"
ANALYSIS = "analysis"
REPORT = "report"

CONFIGS = tuple(TABLES)
DEFAULT_CONFIG = CONFIGS[0]
SPLIT = "train"
REPOSITORY = "OWNER/NAME"
LICENCE = "cc-by-4.0"
LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/"
FOREIGN = (".gitattributes", ".cache", ".git")

DESCRIPTIONS = {
    "datapoints": "one row per target × variant × sample: prediction, outcome, label and bin; all the analysis needs",
    "requests": "the base requests with topic and harm level",
    "variants": "the texts that were sent: each base request and its paraphrases",
    "predictions": "what each target said of its own refusal, before answering",
    "responses": "what each target answered to the variant alone, in a fresh context",
    "judgments": "every judge's vote on every response, failed votes included",
    "annotations": "every answer of a person (pseudonym) about a response",
    "labels": "what each response means, who decided, or why nobody did",
    "ground_truth": "the empirical refusal bin of each target and base request, with its posterior",
    "attempts": "every call that was made: outcome, served model, tokens",
}


def parquet_path(config: str) -> str:
    """Where the rows of a config are, relative to the release."""
    return f"data/{config}/{SPLIT}-00000-of-00001.parquet"


def files_of(release: Path) -> list[str]:
    """All files of a release, sorted, relative, without links and what a Hub, a download or an interpreter adds."""
    return _ours(release, (path for path in release.rglob("*") if path.is_file() and not path.is_symlink()))


def irregular_of(release: Path) -> list[str]:
    """What is neither file nor folder in a release, such as a link, sorted, relative, without the same."""
    there = release.rglob("*")
    return _ours(release, (path for path in there if path.is_symlink() or not (path.is_file() or path.is_dir())))


def _ours(release: Path, paths: Iterable[Path]) -> list[str]:
    found = (path.relative_to(release) for path in paths)
    return sorted(path.as_posix() for path in found if path.parts[0] not in FOREIGN and "__pycache__" not in path.parts)
