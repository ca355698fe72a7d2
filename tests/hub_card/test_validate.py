"""The validator: a sound release passes; every corruption is caught, sealed anew or not."""

import os
import random
import shutil
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.summary import Summary
from hub_card.checks.report_file import KEYS
from hub_card.layout import CARD, CITATION, CONFIGS, MANIFEST, SUMS, files_of, parquet_path
from hub_card.parquet import read_table
from hub_card.release import write_release
from hub_card.validate import WANTED, validate_release
from hub_card.validate_cli import main
from tests.hub_card import rows, seal


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = rows.tables()
    release = tmp_path_factory.mktemp("sound") / "release"
    write_release(built, rows.facts(built), release)
    return release


@pytest.fixture
def release(sound: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "release"
    shutil.copytree(sound, copy)
    return copy


def rules(release: Path) -> str:
    return "\n".join(map(str, validate_release(release)))


@pytest.mark.parametrize("tier", ["public", "gated", "private"])
def test_a_fresh_release_of_every_tier_is_sound(tmp_path: Path, tier: Any) -> None:
    built = rows.tables(samples=2)
    write_release(built, rows.facts(built, tier=tier), tmp_path / "release")
    assert rules(tmp_path / "release") == ""


def test_a_release_with_empty_tables_is_sound(tmp_path: Path) -> None:
    built = rows.sparse()
    write_release(built, rows.facts(built), tmp_path / "release")
    assert rules(tmp_path / "release") == ""


def test_what_a_hub_adds_is_no_problem(release: Path) -> None:
    (release / ".gitattributes").write_text("*.parquet filter=lfs\n")
    (release / ".cache" / "huggingface").mkdir(parents=True)
    (release / ".cache" / "huggingface" / "lock").touch()
    assert rules(release) == ""


def test_a_table_that_pandas_wrote_again_is_told_as_rewritten_and_first(release: Path) -> None:
    file = parquet_path("datapoints")
    pd.read_parquet(release / file).to_parquet(release / file)
    (release / "analysis" / "mine.py").touch()
    (release / "CITATION.cff").unlink()
    lines = rules(release).splitlines()
    assert lines[0].startswith(f"{file}: its bytes are not those SHA256SUMS states: it was rewritten or damaged after")
    about = [line for line in lines if line.startswith(file) and "as rewritten, " in line]
    assert len(about) == 1
    assert "Download the file again" in about[0]
    assert "toolkit's version" not in "\n".join(line for line in lines if line.startswith(file))


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_name_is_not_the_current_directory(
    release: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], empty: str
) -> None:
    monkeypatch.chdir(release)
    with pytest.raises(SystemExit) as stopped:
        main([empty])
    assert stopped.value.code == 2
    assert "an empty name; want a directory" in capsys.readouterr().err
    assert main(["."]) == 0


def test_any_single_byte_that_changes_is_caught(release: Path) -> None:
    rng = random.Random(7)
    names = [name for name in files_of(release) if not name.startswith("analysis/")]
    tables = [name for name in names if name.endswith(".parquet")]
    for name in [*names, "analysis/cli.py", *rng.choices(names, k=20), *rng.choices(tables, k=30)]:
        sound = (release / name).read_bytes()
        damaged = bytearray(sound)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        (release / name).write_bytes(damaged)
        found = {problem.file for problem in validate_release(release)}
        assert name in found or (name == SUMS and found), name
        (release / name).write_bytes(sound)
    assert rules(release) == ""


Change = Callable[[list[Any]], None]


def put(row: int, value: Any) -> Change:
    def change(values: list[Any]) -> None:
        values[row] = value

    return change


def first(old: Any, new: Any) -> Change:
    """The first cell that is (or for a callable: fulfils) `old` becomes `new`."""

    def change(values: list[Any]) -> None:
        fits = old if callable(old) else lambda value: value == old
        at = next(n for n, value in enumerate(values) if fits(value))
        values[at] = new(values[at]) if callable(new) else new

    return change


def last(old: Any, new: Any) -> Change:
    """The last cell that is `old` becomes `new`: people decided of the first trials, votes of the last."""

    def change(values: list[Any]) -> None:
        values[len(values) - 1 - values[::-1].index(old)] = new

    return change


def text(value: Any) -> bool:
    return isinstance(value, str) and not value.startswith("[withheld")


def marked(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("[withheld")


CELLS: list[tuple[str, str, Change]] = [
    ("datapoints", "target", put(0, "openai/other")),
    ("datapoints", "request_id", put(0, "fraud-L1-00")),
    ("datapoints", "variant_id", put(0, "weapons-L1-00-v1")),
    ("datapoints", "variant", put(0, 2)),
    ("datapoints", "sample", put(0, 7)),
    ("datapoints", "topic", put(0, 3)),
    ("datapoints", "topic", put(0, 10)),
    ("datapoints", "level", put(0, 2)),
    ("datapoints", "level", put(0, 0)),
    ("datapoints", "text", put(0, "another text")),
    ("datapoints", "prediction_status", first(0, 1)),
    ("datapoints", "pred_refuse", first(True, False)),
    ("datapoints", "pred_refuse", first(None, True)),
    ("datapoints", "confidence", first(4, 5)),
    ("datapoints", "confidence", first(4, None)),
    ("datapoints", "confidence", first(4, 6)),
    ("datapoints", "harm_rating", first(1, 2)),
    ("datapoints", "outcome", first(0, 4)),
    ("datapoints", "status", first(0, 2)),
    ("datapoints", "status", first(5, 1)),
    ("datapoints", "actual_class", first(3, 2)),
    ("datapoints", "actual_class", first(0, 4)),
    ("datapoints", "actual_class", first(0, -1)),
    ("datapoints", "label_source", first("judges", "human")),
    ("datapoints", "route_reason", first(None, "split")),
    ("datapoints", "refused", first(True, False)),
    ("datapoints", "refused", first(None, False)),
    ("datapoints", "refused_strict", first(False, True)),
    ("datapoints", "refusals", put(0, 0)),
    ("datapoints", "outcomes", put(0, 3)),
    ("datapoints", "bin", put(0, 0)),
    ("datapoints", "bin_probability", put(0, 0.5)),
    ("datapoints", "bin_certain", put(0, True)),
    ("datapoints", "response", first(text, "something else")),
    ("datapoints", "response", first(marked, "something harmful")),
    ("datapoints", "response_redacted", first(False, True)),
    ("requests", "request_id", put(0, "weapons-L1-99")),
    ("requests", "topic", put(0, 5)),
    ("requests", "level", put(0, 5)),
    ("requests", "text", put(0, "another text")),
    ("variants", "variant_id", put(0, "weapons-L1-00-v9")),
    ("variants", "request_id", put(0, "fraud-L1-00")),
    ("variants", "variant", put(0, 1)),
    ("variants", "kind", put(0, 3)),
    ("variants", "kind", put(1, None)),
    ("variants", "topic", put(0, 1)),
    ("variants", "level", put(0, 5)),
    ("variants", "text", put(1, "another text")),
    ("predictions", "target", put(0, "openai/beta")),
    ("predictions", "variant_id", put(0, "nowhere-v0")),
    ("predictions", "sample", put(0, -1)),
    ("predictions", "status", put(0, 3)),
    ("predictions", "refuse", first(False, True)),
    ("predictions", "confidence", put(0, 1)),
    ("predictions", "harm_rating", put(0, 5)),
    ("predictions", "text", first(marked, "something harmful")),
    ("responses", "response_key", put(0, "0" * 64)),
    ("responses", "sample", put(0, 3)),
    ("responses", "outcome", first(0, 1)),
    ("responses", "text", first(text, lambda value: value[:-1] + "x")),
    ("responses", "text", first(text, None)),
    ("responses", "text", first(marked, lambda value: value.replace("withheld", "withhold"))),
    ("responses", "redacted", first(True, False)),
    ("responses", "redacted", first(False, True)),
    ("responses", "sha256", put(0, "0" * 64)),
    ("responses", "characters", put(0, 1)),
    ("judgments", "response_key", put(0, "0" * 64)),
    ("judgments", "target", put(0, "openai/beta")),
    ("judgments", "label", last(3, 0)),
    ("judgments", "label", last(0, 3)),
    ("judgments", "confidence", first(5, 0)),
    ("judgments", "evidence", first(marked, "something harmful")),
    ("judgments", "reason", first(marked, "something harmful")),
    ("judgments", "reason", first("unparsed: no quote", None)),
    ("judgments", "label_order", put(0, ["full_refusal"])),
    ("judgments", "label_order", put(0, ["full_refusal"] * 4)),
    ("annotations", "response_key", put(0, "0" * 64)),
    ("annotations", "annotator", put(0, "p2")),
    ("annotations", "label", put(0, 4)),
    ("annotations", "confidence", put(0, 9)),
    ("labels", "response_key", put(0, "0" * 64)),
    ("labels", "target", put(0, "openai/beta")),
    ("labels", "status", first(0, 1)),
    ("labels", "label", first(3, 0)),
    ("labels", "label", first(None, 0)),
    ("labels", "source", first("judges", "human")),
    ("labels", "source", first("judges", "outcome")),
    ("labels", "source", first("judges", "accepted_judge")),
    ("labels", "route_reason", put(0, "split")),
    ("labels", "votes", first(1, 2)),
    ("labels", "votes", first(1, -1)),
    ("labels", "inclusion_probability", put(0, 1.5)),
    ("labels", "inclusion_probability", put(0, float("nan"))),
    ("ground_truth", "target", put(0, "openai/beta")),
    ("ground_truth", "topic", put(0, 9)),
    ("ground_truth", "level", put(0, 5)),
    ("ground_truth", "refusals", put(0, 0)),
    ("ground_truth", "outcomes", put(0, 3)),
    ("ground_truth", "bin", put(0, 4)),
    ("ground_truth", "bin", put(0, None)),
    ("ground_truth", "posterior", put(0, [0.2] * 5)),
    ("ground_truth", "posterior", put(0, None)),
    ("ground_truth", "posterior", put(0, [None] * 5)),
    ("ground_truth", "bin_probability", put(0, 0.1)),
    ("ground_truth", "bin_certain", put(0, True)),
    ("attempts", "model", put(0, "openai/other")),
    ("attempts", "served_model", put(0, "another")),
    ("attempts", "stop_reason", put(0, "length")),
    ("responses", "served_model", put(0, "another")),
    ("attempts", "attempt", put(0, 2)),
    ("attempts", "attempt", put(0, 0)),
    ("attempts", "outcome", first(0, None)),
    ("attempts", "error", first(None, "server")),
    ("attempts", "stop_reason", first(None, "stop")),
    ("attempts", "input_tokens", put(0, -1)),
]


@pytest.mark.parametrize(("config", "column", "change"), CELLS)
def test_any_cell_that_changes_is_caught_even_when_sealed_anew(
    release: Path, config: str, column: str, change: Change
) -> None:
    seal.cells(release, config, column, change)
    seal.seal(release, config)
    found = validate_release(release)
    assert found
    assert all(problem.rule and problem.action and problem.file for problem in found)
    assert not [problem for problem in found if "bytes" in problem.rule or "digest" in problem.rule]


def test_a_hundred_cells_that_change_at_random_are_all_caught(sound: Path, tmp_path: Path) -> None:
    rng = random.Random(11)
    release = tmp_path / "release"
    for _ in range(100):
        shutil.copytree(sound, release)
        config = rng.choice(CONFIGS)
        table = read_table(release / parquet_path(config))
        known = [name for name in table.column_names if table[name].null_count < table.num_rows]
        column, row = rng.choice(known), rng.randrange(table.num_rows)
        old = table[column][row].as_py()
        new = rng.choice([value for value in [*table[column].to_pylist(), None] if value != old])
        seal.cells(release, config, column, put(row, new))
        damaged = (release / parquet_path(config)).read_bytes()
        assert parquet_path(config) in {problem.file for problem in validate_release(release)}, (config, column, row)
        seal.seal(release)
        # Hashes made anew do not help: the manifest's digest of the rows still tells.
        assert parquet_path(config) in {problem.file for problem in validate_release(release)}, (config, column, row)
        assert (release / parquet_path(config)).read_bytes() == damaged
        shutil.rmtree(release)


def test_a_cell_that_changes_without_a_new_seal_is_caught_by_hash_and_digest(release: Path) -> None:
    seal.cells(release, "annotations", "note", put(0, "I never said that"))
    assert "its bytes are not those SHA256SUMS states" in rules(release)
    assert "the digest of its rows is" in rules(release)


def test_free_text_that_changes_under_a_new_seal_is_caught_by_the_old_digest(release: Path) -> None:
    seal.cells(release, "annotations", "note", put(0, "I never said that"))
    old = (release / MANIFEST).read_bytes()
    seal.seal(release, "annotations")
    (release / MANIFEST).write_bytes(old)
    seal.seal(release)
    assert "the digest of its rows is" in rules(release)


def card(old: str, new: str, after: str = "") -> Callable[[Path], None]:
    def damage(release: Path) -> None:
        whole = (release / CARD).read_text()
        start = whole.index(after)
        assert old in whole[start:]
        (release / CARD).write_text(whole[:start] + whole[start:].replace(old, new, 1))

    return damage


INFO = "dataset_info:"
SILENT: dict[str, Callable[[Path], None]] = {
    "extra column": card("  - name: text\n", "  - name: x\n    dtype: string\n  - name: text\n", INFO),
    "missing column": card("  - name: text\n    dtype: string\n", "", INFO),
    "too few class names": card("          '9': violence\n", "", INFO),
    "renamed class": card("'0': weapons", "'0': weapon", INFO),
    "swapped classes": card("'0': weapons\n          '1': drugs", "'0': drugs\n          '1': weapons", INFO),
    "wrong dtype": card("  - name: level\n    dtype: int8", "  - name: level\n    dtype: int16", INFO),
    "wrong list": card("list: string", "dtype: string", INFO),
    "repeated key": card("license: cc-by-4.0\n", "license: cc-by-4.0\nlicense: cc-by-4.0\n"),
    "repeated class code": card("          '9': violence\n", "          '9': violence\n          '9': other\n", INFO),
    "other licence": card("license: cc-by-4.0", "license: mit"),
    "no version": card("  version: 1.0.0\n", ""),
    "older version": card("version: 1.0.0", "version: 0.9.0"),
    "no default": card("  default: true\n", ""),
    "other file": card("path: data/requests/train", "path: data/variants/train"),
    "other split": card("- split: train", "- split: test"),
    "dash in split": card("- split: train", "- split: train-set"),
    "fewer examples": card("num_examples: 48", "num_examples: 47", INFO),
    "config misspelt": card("- config_name: requests\n  version", "- config_name: request\n  version"),
    "yaml unreadable": card("language:\n- en", "language: [en"),
    "no yaml": card("---\n", ""),
    "no canary": card("canary 00000000", "canary 10000000"),
    "download size": card("download_size: ", "download_size: 1", INFO),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_a_card_that_would_load_wrong_is_caught(release: Path, name: str) -> None:
    SILENT[name](release)
    seal.seal(release)
    found = validate_release(release)
    assert [problem for problem in found if problem.file == CARD], name


MANIFESTS: dict[str, Callable[[Any], Any]] = {
    "format": lambda m: m.update(format=2),
    "version": lambda m: m.update(version="1.0"),
    "other version": lambda m: m.update(version="1.0.1"),
    "tier": lambda m: m.update(tier="open"),
    "tier opened": lambda m: m.update(tier="gated"),
    "canary": lambda m: m.update(canary="another canary"),
    "targets": lambda m: m["targets"].pop(),
    "planned": lambda m: m["counts"][0].update(planned=25),
    "made": lambda m: m["counts"][0].update(made=23),
    "missing": lambda m: m["counts"][1].update(missing={}),
    "negative": lambda m: m["counts"][0].update(made=25, missing={"error": -1}),
    "count left out": lambda m: m["counts"].pop(),
    "count of another form": lambda m: m["counts"].append({"stage": "predict"}),
    "rows": lambda m: m["configs"]["labels"].update(rows=1),
    "digest": lambda m: m["configs"]["labels"].update(digest="0" * 64),
    "config left out": lambda m: m["configs"].pop("labels"),
    "withheld": lambda m: m["withheld"].update({"responses.text": 0}),
    "codebook": lambda m: m["codebook"].update(sha256="0" * 64),
    "scheme": lambda m: m["settings"].update(bin_scheme="thirds"),
    "settings": lambda m: m.update(settings=None),
    "accepted judge": lambda m: m["settings"].pop("accept_judge"),
    "votes wanted": lambda m: m["settings"].update(min_votes=2),
    "sureness": lambda m: m["settings"].update(lexical_sure="4"),
    "empty canary": lambda m: m.update(canary=""),
    "empty record": lambda m: m.update(judge_records=[{}]),
    "record without a field": lambda m: m["judge_records"][0].pop("gold_sha256"),
    "gate": lambda m: m["judge_records"][0].update(passes_gate=False),
}


def test_a_column_name_that_is_no_text_is_a_problem_and_no_crash(release: Path) -> None:
    file = release / parquet_path("attempts")
    data = file.read_bytes()
    file.write_bytes(data.replace(b"stop_reason", b"stop_rea\xec\xecn"))
    assert f"{parquet_path('attempts')}: not readable as Parquet" in rules(release)


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_that_states_something_else_is_caught(release: Path, name: str) -> None:
    seal.manifest(release, MANIFESTS[name])
    seal.seal(release)
    assert validate_release(release), name


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tables": {}}', "\xff"])
def test_a_summary_that_is_none_is_a_problem(release: Path, text: str) -> None:
    (release / "report").mkdir(exist_ok=True)
    (release / "report" / "summary.json").write_bytes(text.encode("latin-1"))
    seal.seal(release)
    (problem,) = rules(release).splitlines()
    assert problem.startswith("report/summary.json: ")


def test_a_summary_is_known_by_all_its_keys() -> None:
    assert tuple(field.name for field in fields(Summary)) == KEYS


def test_each_name_is_said_once(release: Path) -> None:
    seal.manifest(release, lambda m: m["counts"].append({"stage": "predict"}))
    assert f"{MANIFEST}, counts: counts are not in the form" not in rules(release)
    assert f"{MANIFEST}, counts: not in the form" in rules(release)
    for text in ("[]", "{"):
        (release / MANIFEST).write_text(text)
        (told,) = (line for line in rules(release).splitlines() if "JSON" in line)
        assert told.count(MANIFEST) == 1
    (release / MANIFEST).unlink()
    assert not [line for line in rules(release).splitlines() if "is no release" in line]


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "\xff"])
def test_a_broken_manifest_is_a_problem_and_no_crash(release: Path, text: str) -> None:
    (release / MANIFEST).write_bytes(text.encode("latin-1"))
    assert MANIFEST in rules(release)


@pytest.mark.parametrize(
    "name", ["README.md", "croissant.json", "CITATION.cff", parquet_path("labels"), SUMS, MANIFEST]
)
def test_a_missing_file_is_named(release: Path, name: str) -> None:
    (release / name).unlink()
    assert f"{name}: the file is missing" in rules(release)


@pytest.mark.parametrize(
    "name", ["release.py", "data/labels/train-00001-of-00002.parquet", "data/extra.csv", "notes.md"]
)
def test_a_file_too_many_is_named_even_if_listed(release: Path, name: str) -> None:
    (release / name).write_text("x")
    assert f"{name}: not listed in SHA256SUMS" in rules(release)
    seal.seal(release)
    assert f"{name}: not a file of a release" in rules(release)


def test_columns_of_another_schema_are_named(release: Path) -> None:
    shutil.copy(release / parquet_path("requests"), release / parquet_path("datapoints"))
    assert "column pred_refuse: the column is missing" in rules(release)


def test_a_directory_that_is_none_is_a_problem(tmp_path: Path) -> None:
    assert "not a directory" in rules(tmp_path / "nowhere")
    for number in range(30):
        (tmp_path / f"{number}.py").touch()
    (only,) = validate_release(tmp_path)
    assert str(only) == f"{tmp_path}: no release: it has none of the files that tell one. {WANTED}"


@pytest.mark.parametrize("name", [CITATION, MANIFEST, "analysis/__init__.py", "notes.txt"])
def test_a_link_is_a_problem_whatever_it_leads_to(release: Path, tmp_path: Path, name: str) -> None:
    shutil.copyfile(release / MANIFEST if name == MANIFEST else release / CITATION, tmp_path / "secret")
    (release / name).unlink(missing_ok=True)
    (release / name).symlink_to(tmp_path / "secret")
    seal.seal(release)
    (problem,) = rules(release).splitlines()
    assert problem.startswith(f"{name}: a symbolic link; a release has files alone. ")


def test_a_linked_folder_and_a_pipe_are_problems(release: Path, tmp_path: Path) -> None:
    (release / "analysis").rename(tmp_path / "analysis")
    (release / "analysis").symlink_to(tmp_path / "analysis")
    (release / SUMS).unlink()
    os.mkfifo(release / SUMS)
    assert [line.partition(";")[0] for line in rules(release).splitlines()] == [
        f"{SUMS}: no regular file",
        "analysis: a symbolic link",
    ]


def test_many_rows_with_one_fault_are_one_problem(release: Path) -> None:
    seal.cells(release, "datapoints", "refused", lambda values: values.reverse())
    lines = [line for line in rules(release).splitlines() if "want what actual_class says" in line]
    assert len(lines) == 1
    assert "more rows" in lines[0]


def test_the_command_prints_problems_and_exits_with_1(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(release)]) == 0
    (release / CARD).unlink()
    assert main([str(release)]) == 1
    printed = capsys.readouterr()
    assert "README.md: the file is missing. Download the file again" in printed.out
    assert "problems in" in printed.err
