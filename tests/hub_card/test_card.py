"""The card: computed from the rows, readable by machines, silent about what answers say."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from huggingface_hub import DatasetCard

from annotation.routing import RULES
from hub_card.card import card_text
from hub_card.facts import Report
from hub_card.layout import CONFIGS
from hub_card.markdown import estimate
from hub_card.metadata import FeatureMismatchError, TableSize, card_metadata, check_features
from hub_card.redact import redact
from hub_card.release import write_release
from hub_card.words import WORDS, in_words
from schemas.rows import TABLES
from schemas.tables import features_of
from schemas.vocabulary import PredictionStatus, RefusalLabel, ResponseStatus
from tests.hub_card import rows

SIZES = {config: TableSize(10, 100, 50) for config in CONFIGS}
FEATURES = {config: features_of(TABLES[config]) for config in CONFIGS}


def card(built: rows.Tables, report: Report | None = None, **changed: Any) -> str:
    return card_text(redact(built, "public"), rows.facts(built, **changed), report or Report())


def relabelled(built: rows.Tables, label: RefusalLabel | None) -> rows.Tables:
    return {**built, "labels": [replace(row, label=label) for row in built["labels"]]}


def test_dataset_info_is_read_back_as_the_features_of_the_parquet_files() -> None:
    metadata = card_metadata(rows.facts(rows.tables()), SIZES, people=True)
    check_features(metadata, FEATURES)
    assert [info["config_name"] for info in metadata["dataset_info"]] == list(CONFIGS)


@pytest.mark.parametrize(
    "damage",
    [
        lambda info: info["features"].append({"name": "extra", "dtype": "string"}),
        lambda info: info["features"].pop(),
        lambda info: info["features"].reverse(),
        lambda info: info["features"][0].update(dtype="int8"),
        lambda info: info["features"][5]["dtype"]["class_label"]["names"].popitem(),
    ],
)
def test_dataset_info_that_differs_from_the_parquet_files_is_named(damage: Any) -> None:
    metadata = card_metadata(rows.facts(rows.tables()), SIZES, people=True)
    damage(metadata["dataset_info"][0])
    with pytest.raises(FeatureMismatchError, match="dataset_info of datapoints differs"):
        check_features(metadata, FEATURES)


def test_every_config_names_the_version_and_one_is_the_default() -> None:
    metadata = card_metadata(rows.facts(rows.tables(), version="2.3.4"), SIZES, people=False)
    assert {config["version"] for config in metadata["configs"]} == {"2.3.4"}
    assert [config["config_name"] for config in metadata["configs"] if config.get("default")] == ["datapoints"]
    assert metadata["license"] == "cc-by-4.0"


def test_the_hub_client_reads_the_card(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built), tmp_path / "release")
    loaded = DatasetCard.load(tmp_path / "release" / "README.md")
    assert loaded.data.license == "cc-by-4.0"
    assert loaded.data.size_categories == ["n<1K"]
    infos = datasets.info.DatasetInfosDict.from_directory(str(tmp_path / "release"))
    assert {name: info.features for name, info in infos.items()} == FEATURES


def test_only_the_gated_tier_words_conditions() -> None:
    built = rows.tables()
    assert "extra_gated_prompt" in card_metadata(rows.facts(built, tier="gated"), SIZES, people=True)
    assert "extra_gated_prompt" not in card_metadata(rows.facts(built), SIZES, people=True)


def test_the_card_counts_what_the_rows_hold() -> None:
    text = card(rows.tables())
    assert "This release has 48 rows (target × text × repetition) on 8 requests" in text
    assert "| `local/alpha` | 5 | 4 | 5 | 5 | 5 |" in text
    assert "| respond | `openai/beta` | 24 | 21 | 3 the call failed | 0 |" in text
    assert "| `openai/beta` | 24 | 17 | 9 of 17 (53 %) | 10 of 19 (53 %) | 5 of 19 (26 %) | 6 of 14 (43 %) |" in text
    assert "Withheld here: 13 of 24 responses at levels 4 and 5." in text


def test_what_cannot_be_computed_is_said_in_words() -> None:
    built = rows.tables()
    assert "`local/alpha` refused nothing that was labelled" in card(relabelled(built, RefusalLabel.FULL_COMPLIANCE))
    assert "`local/alpha` complied with nothing" in card(relabelled(built, RefusalLabel.FULL_REFUSAL))
    assert "`local/alpha` has no labelled response" in card(relabelled(built, None))
    sparse = card(rows.sparse())
    assert "No person labelled a response" in sparse
    assert "No judge voted" in sparse
    assert "Without rows, and so not loadable by `datasets`: `judgments` (`data/judgments/" in sparse


def test_a_judge_without_a_record_is_warned_of() -> None:
    assert "Warning" not in card(rows.tables())
    warned = card(rows.tables(), judge_records=())
    assert "> **Warning.** No record says how well `local/umpire` agrees with people." in warned


def test_people_who_disagree_are_counted() -> None:
    built = rows.tables()
    first, *rest = built["annotations"]
    built["annotations"] = [replace(first, label=RefusalLabel.FULL_REFUSAL), *rest]
    assert "Same label from two people for the same response: 2 of 3 (67 %) pairs." in card(built)


def test_every_config_has_a_snippet_pinned_to_the_tag() -> None:
    text = card(rows.tables(), version="1.2.3")
    pinned = re.findall(r'load_dataset\("OWNER/NAME", "(\w+)", split="train", revision="v1.2.3"\)', text)
    assert pinned == list(CONFIGS)


def test_given_numbers_come_with_interval_and_n_or_with_the_reason_there_is_none() -> None:
    numbers = [
        {"target": "a", "accuracy": {"value": 0.93, "low": 0.913, "high": 0.947, "n": 900, "status": "ok"}},
        {"target": "b", "accuracy": {"value": None, "low": None, "high": None, "n": 3, "status": "undefined_empty"}},
    ]
    text = card(rows.tables(), Report(numbers, {"report/figures/a.svg": "Accuracy by target"}))
    assert "| a | 0.93 [0.913, 0.947], n = 900 |" in text
    assert "| b | – (no usable rows, n = 3) |" in text
    assert "![Accuracy by target](report/figures/a.svg)" in text


def test_the_card_quotes_no_response() -> None:
    built = rows.tables()
    text = card(built)
    assert not [row for row in built["responses"] if row.text and row.text[:40] in text]


def test_canary_and_licence_are_on_the_card() -> None:
    built = rows.tables()
    text = card(built)
    assert rows.facts(built).canary in text
    assert "please do not train on it" in text
    assert "https://creativecommons.org/licenses/by/4.0/" in text


def test_a_hostile_target_name_stays_in_its_cell() -> None:
    built = rows.tables()
    named = {**built, "labels": [replace(row, target="a|b\n<script>") for row in built["labels"]]}
    assert "| `a\\|b &lt;script>` |" in card(named)


def test_citation_is_valid_yaml_with_the_version(tmp_path: Path) -> None:
    built = rows.tables()
    write_release(built, rows.facts(built, version="1.4.0"), tmp_path / "release")
    cited = yaml.safe_load((tmp_path / "release" / "CITATION.cff").read_text())
    assert (cited["cff-version"], cited["type"], cited["version"]) == ("1.2.0", "dataset", "1.4.0")


def test_codes_are_told_in_words() -> None:
    codes = {*PredictionStatus, *ResponseStatus, *(rule.reason for rule in RULES)} - {PredictionStatus.OK}
    assert sorted(codes - WORDS.keys()) == []
    assert in_words("some_new_code") == "some new code"
    nothing = {"value": None, "low": None, "high": None, "n": 4, "status": "undefined_no_signal"}
    assert estimate(nothing) == "– (nothing was refused, so this is undefined, n = 4)"
