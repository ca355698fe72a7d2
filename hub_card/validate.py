"""Validates a release directory offline: every rule that `datasets` would let pass silently, and then some."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hub_card.checks.accounting import check_manifest
from hub_card.checks.across import check_across
from hub_card.checks.card_yaml import check_card
from hub_card.checks.columns import VERSION, check_table
from hub_card.checks.croissant_file import check_croissant
from hub_card.checks.release_files import DOWNLOAD, REWRITTEN, check_files, check_regular
from hub_card.checks.report_file import check_summary
from hub_card.facts import ReleaseError
from hub_card.layout import CODEBOOK, CONFIGS, DEFAULT_CONFIG, MANIFEST, SUMS, parquet_path
from hub_card.manifest import load_manifest
from hub_card.markdown import counted
from hub_card.problems import Problem

WANTED = f"Give the directory that holds {MANIFEST}."


def validate_release(release: Path) -> list[Problem]:
    """The problems of a release, worst first; an empty list means that all rules hold.

    Reads only the files of the directory, and of their tables some rows at a time. What cannot be read stops the checks
    that need it, not the others.
    """
    if not release.is_dir():
        return [Problem(str(release), "", "not a directory", WANTED)]
    if not any((release / name).is_file() for name in (MANIFEST, SUMS, parquet_path(DEFAULT_CONFIG))):
        return [Problem(str(release), "", "no release: it has none of the files that tell one", WANTED)]
    if irregular := list(check_regular(release)):
        return irregular  # to read them would be to follow them
    problems = sorted(check_files(release), key=lambda problem: problem.rule != REWRITTEN)
    rewritten = {problem.file for problem in problems if problem.rule == REWRITTEN}
    if not (release / MANIFEST).is_file():
        return problems  # which say so
    try:
        manifest = load_manifest(release)
    except ReleaseError as error:
        return [*problems, Problem(MANIFEST, "", str(error).removeprefix(str(release / MANIFEST)).lstrip(": "))]
    stated = list(check_manifest(manifest))
    problems += stated
    if stated:
        return problems
    problems += check_card(release, manifest)
    problems += _check_codebook(release, manifest)
    problems += check_croissant(release, manifest)
    problems += check_summary(release)
    readable = True
    for config in CONFIGS:
        checked = check_table(release, config, manifest["configs"][config])
        problems += _summed(checked.problems) if parquet_path(config) in rewritten else checked.problems
        readable = readable and checked.readable
    return [*problems, *check_across(release, manifest)] if readable else problems


def _summed(found: list[Problem]) -> list[Problem]:
    # A program that writes Parquet its own way changes every type: that is one problem, and no other version helps.
    found = [problem._replace(action=DOWNLOAD) if problem.action == VERSION else problem for problem in found]
    types = [problem for problem in found if problem.action == DOWNLOAD and problem.rule.startswith("want ")]
    if len(types) < 2:
        return found
    more = f"as rewritten, {types[0].rule} (and {counted(len(types) - 1, 'more column')} of another type)"
    return [types[0]._replace(rule=more), *(problem for problem in found if problem not in types)]


def _check_codebook(release: Path, manifest: Mapping[str, Any]) -> list[Problem]:
    file = release / CODEBOOK
    if file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() != manifest["codebook"].get("sha256"):
        return [Problem(CODEBOOK, "", "its hash is not the one manifest.json states")]
    return []
