"""The card's YAML: what `datasets` would read silently wrong (types, names, extra columns, repeated keys)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from hub_card.layout import CARD, CONFIGS, DEFAULT_CONFIG, LICENCE, SPLIT, parquet_path
from hub_card.metadata import yaml_features
from hub_card.problems import REBUILD, Problem, spelled
from schemas.rows import TABLES
from schemas.tables import columns_of


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a mapping that names a key twice, of which YAML would silently keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} stands twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def check_card(release: Path, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    """Problems of the card's metadata, held against row types, manifest and files."""
    try:
        text = (release / CARD).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        yield Problem(CARD, "", f"cannot be read: {error}")
        return
    if not text.startswith("---\n") or "\n---\n" not in text[4:]:
        yield Problem(CARD, "line 1", "want a YAML block between two lines of ---")
        return
    try:
        metadata = yaml.load(text[4 : text.index("\n---\n", 4) + 1], _UniqueKeys)  # noqa: S506 - a safe loader that minds keys
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 2}" if mark else ""
        yield Problem(CARD, place, f"YAML: {getattr(error, 'problem', None) or error}")
        return
    if not isinstance(metadata, dict):
        yield Problem(CARD, "line 2", "want a YAML mapping")
        return
    yield from _check_canary(text, manifest)
    yield from _check_metadata(release, metadata, manifest)


def _check_canary(text: str, manifest: Mapping[str, Any]) -> Iterator[Problem]:
    canary = manifest.get("canary")
    if not isinstance(canary, str) or canary not in text:
        yield Problem(CARD, "canary", "the manifest's canary string does not stand on the card")


def _check_metadata(release: Path, metadata: Mapping[str, Any], manifest: Mapping[str, Any]) -> Iterator[Problem]:
    if metadata.get("license") != LICENCE:
        yield Problem(CARD, "license", f"want {LICENCE}, got {spelled(metadata.get('license'))}")
    rows = {name: stated.get("rows") for name, stated in manifest.get("configs", {}).items()}
    listed = [config for config in CONFIGS if rows.get(config)]
    wanted = [_config(config, manifest.get("version")) for config in listed]
    yield from _compare("configs", metadata.get("configs"), wanted)
    infos = metadata.get("dataset_info")
    names = [info.get("config_name") for info in infos or [] if isinstance(info, dict)]
    if not isinstance(infos, list) or names != listed:
        yield Problem(CARD, "dataset_info", f"want one entry each for {', '.join(listed)}, got {spelled(names)}")
        return
    for info in infos:
        yield from _check_info(release, info, rows[info["config_name"]])


def _config(config: str, version: Any) -> dict[str, Any]:
    default = {"default": True} if config == DEFAULT_CONFIG else {}
    files = [{"split": SPLIT, "path": parquet_path(config)}]
    return {"config_name": config, "version": version, **default, "data_files": files}


def _check_info(release: Path, info: Mapping[str, Any], rows: int) -> Iterator[Problem]:
    config = info["config_name"]
    yield from _compare(
        f"dataset_info {config} features", info.get("features"), yaml_features(columns_of(TABLES[config]))
    )
    splits = info.get("splits")
    if not isinstance(splits, list) or [(s.get("name"), s.get("num_examples")) for s in splits] != [(SPLIT, rows)]:
        yield Problem(
            CARD, f"dataset_info {config} splits", f"want one split {SPLIT} of {rows} rows, got {spelled(splits)}"
        )
    elif info.get("dataset_size") != splits[0].get("num_bytes"):
        yield Problem(CARD, f"dataset_info {config} dataset_size", "want the bytes of its split")
    file = release / parquet_path(config)
    if file.is_file() and info.get("download_size") != file.stat().st_size:
        yield Problem(CARD, f"dataset_info {config} download_size", f"want {file.stat().st_size}, the size of its file")


def _compare(place: str, found: Any, wanted: list[Any]) -> Iterator[Problem]:
    if found == wanted:
        return
    if not isinstance(found, list):
        yield Problem(CARD, place, f"want a list of {len(wanted)} entries, got {spelled(found)}")
        return
    for number, want in enumerate(wanted):
        got = found[number] if number < len(found) else None
        if got != want:
            rule = f"want {spelled(want)}, got {spelled(got)}"
            yield Problem(CARD, f"{place}, entry {number + 1}", rule, REBUILD)
            return
    yield Problem(CARD, f"{place}, entry {len(wanted) + 1}", f"not wanted: {spelled(found[len(wanted)])}", REBUILD)
