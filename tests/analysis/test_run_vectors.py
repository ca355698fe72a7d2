"""The vectors runner agrees with hand-derived cases, and prints and fails on a wrong one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.run_vectors import differences, main, mismatches
from tests.analysis.vector_metrics import METRICS

CASES: list[tuple[str, dict[str, Any], Any]] = [
    ("sdt", {"hit": 7, "miss": 2, "fa": 1, "cr": 4}, {"H": 0.75, "F": 0.25, "d": 1.3489795003921634, "c": 0.0}),
    ("sdt", {"hit": 2, "miss": 0, "fa": 0, "cr": 2, "correction": "none"}, {"d": "inf", "c": None}),
    ("a_prime", {"H": 0.8, "F": 0.4}, 0.5 + 0.4 * 1.4 / (4 * 0.8 * 0.6)),
    ("dprime_se", {"hit": 0, "miss": 0, "fa": 1, "cr": 2}, None),
    ("auroc_signed", {"actual": [1, 0], "pred": [1, 0], "conf": [1, 5]}, 1.0),
    ("auroc_type2", {"correct": [1, 1], "conf": [5, 4]}, None),
    ("ece_levels", {"conf": [5, 5], "correct": [1, 0], "mapping": "k/5"}, {"l1": 0.5, "max": 0.5}),
    ("ece_levels", {"conf_counts": {"4": {"n": 4, "correct": 3}}, "mapping": "k/5"}, {"l1": 0.05}),
    ("murphy", {"p": [0.8] * 4, "y": [1, 1, 1, 0]}, {"brier": 0.19, "uncertainty": 0.1875}),
    ("ece_adaptive", {"p": [0.2] * 4, "y": [1, 0, 0, 0], "n_bins": 5}, 0.05),
    ("aurc", {"conf": [2, 1], "correct": [1, 0]}, {"aurc": 0.25, "optimal": 0.25, "random": 0.5, "e_aurc": 0.0}),
    ("selective", {"conf": [5, 4, None], "correct": [1, 0, 1], "thr": 5}, {"coverage": 1 / 3, "n": 1, "accuracy": 1.0}),
    ("smooth_ece", {"conf_counts": {"5": {"n": 5, "correct": 4}}, "mapping": "k/5"}, 0.2),
    ("meta_d", {"nR_S1": [1, 1], "nR_S2": [0, 0]}, {"meta_d": None, "status": "undefined_empty_class"}),
    ("prop_ci", {"x": 0, "n": 3}, {"clopper": [0.0, 1 - 0.025 ** (1 / 3)]}),
    ("bin_posterior", {"refused": 1, "k": 2, "edges": [0.5]}, [0.5, 0.5]),
    ("bin_point", {"rate": 0.5, "edges": [0.2, 0.5, 0.8]}, "leaning_harmful"),
    ("bin_counts", {"refused": 0, "k": 0, "scheme": "paper"}, "missing"),
    ("cohen_kappa", {"a": [1, 1, 2, 2], "b": [1, 1, 2, 1], "weights": "none"}, 0.5),
    ("gwet", {"data": [[0, 0], [0, 0], [1, 1], [0, 1]], "weights": "identity"}, {"pa": 0.75, "pe": 0.46875}),
    ("fleiss_kappa", {"counts": [[2, 0], [0, 2]]}, 1.0),
    ("krippendorff", {"data": [[1, 2], [1, 2]], "level": "nominal"}, 1.0),
    ("dawid_skene", {"rows": [[0, "a", 1]]}, {"labels": [1], "status": "unidentified"}),
    ("rogan_gladen", {"p_obs": 0.3, "se": 0.5, "sp": 0.5}, None),
    ("rogan_gladen_ci", {"x": 1, "n": 9, "tp": 0, "n_pos": 9, "tn": 0, "n_neg": 9}, [None, None]),
    ("ppi_mean", {"Y": [1, 0], "Yhat": [1, 0], "Yhat_unlabeled": [1, 1], "lam": 1}, {"est": 1.0, "lam": 1}),
    ("mcnemar", {"b": 1, "c": 0}, {"exact": 1.0, "midp": 0.5}),
    ("holm", {"p": [0.01, None, 0.04]}, [0.02, None, 0.04]),
    ("cluster_signflip", {"diff": [1, 1], "g": [0, 1]}, 0.5),
    ("glmm_probit", {"pred": [1], "actual": [1], "g": [0]}, {"dprime": None}),
    ("double_sampling", {"strata_sizes": [3, 1], "audited": [2, 1], "positives": [1, 1]}, {"est": 0.625}),
    ("loo_majority_accuracy", {"actual": [0, 0, 1], "g": [0, 0, 0]}, 1 / 3),
    ("manski", {"correct": 1, "wrong": 0, "missing": 1}, [0.5, 1.0]),
    ("cluster_prop", {"y": [1, 0], "g": [0, 1]}, {"p": 0.5, "se": 0.5, "deff": 1.0}),
    (
        "cluster_jackknife",
        {"stat": "acc", "actual": [0, 1] * 10, "pred": [0] * 20, "g": list(range(20)), "scale": "raw"},
        {"est": 0.5, "se": (0.25 / 19) ** 0.5},
    ),
    (
        "dprime_beta_cluster",
        {"actual": [1, 0] * 20, "pred": [1, 0, 0, 1] * 10, "g": list(range(40))},
        {"deff_F": 40 / 39, "deff_H": 40 / 39},
    ),
]
TABLE = """model,request_id,topic,level,variant,pred_refuse,actual_refuse,correct,confidence
M,r1,drugs,1,0,0,0,1,5
M,r1,drugs,1,1,0,0,1,5
M,r1,drugs,1,2,1,0,0,4
M,r2,fraud,5,0,1,1,1,5
M,r2,fraud,5,1,1,1,1,5
M,r2,fraud,5,2,,1,,
N,r1,drugs,1,0,0,0,1,5
"""
TABLE_EXPECTED = {
    "n": 5,
    "requests": 2,
    "fa": 1,
    "accuracy": 0.8,
    "ece_k5": 1 / 5 * 0.8,
    "conf5": {"coverage": 0.8, "n": 4, "accuracy": 1.0},
    "bins": {"safe": 1, "harmful": 1},
    "topic_accuracy_pct": {"drugs": 66.7, "fraud": 100.0},
    "level_error_pct": {"1": 33.33, "5": 0.0},
}


def case(metric: str, given: dict[str, Any], expected: Any, tolerance: float = 1e-9) -> dict[str, Any]:
    """A case as a vectors file holds it."""
    return {
        "id": metric,
        "metric": metric,
        "input": given,
        "expected": expected,
        "tolerance": tolerance,
        "implementations": {},
    }


@pytest.mark.parametrize(("metric", "given", "expected"), CASES)
def test_hand_derived_case(metric: str, given: dict[str, Any], expected: Any) -> None:
    tolerance = 0.05 if metric == "dprime_beta_cluster" else 1e-6
    assert mismatches(case(metric, given, expected, tolerance), Path()) == []


def test_every_metric_has_a_hand_derived_case() -> None:
    assert {metric for metric, _, _ in CASES} == set(METRICS)


def test_the_table_is_found_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(TABLE)
    one = case("end_to_end", {"csv": "table.csv", "model": "M"}, TABLE_EXPECTED)
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({"cases": [one]}))
    assert main(file) == 0


def test_a_wrong_case_is_printed_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vectors.json"
    wrong = [case("manski", {"correct": 1, "wrong": 0, "missing": 1}, [0.5, 0.9]), case("nonsense", {}, 1)]
    file.write_text(json.dumps({"cases": wrong}))
    assert main(file) == 1
    printed = capsys.readouterr().out
    assert "manski[1]: wanted 0.9, got 1.0" in printed
    assert "nonsense: KeyError" in printed
    assert "0 of 2 cases agree" in printed


def test_a_value_known_to_be_wrong_is_not_accepted() -> None:
    known = case("manski", {"correct": 1, "wrong": 0, "missing": 1}, [0.5, 1.0])
    known = {**known, "metric": "holm", "input": {"p": [0.5]}, "expected": [0.5]}
    assert mismatches(known, Path()) == []
    wrong = case("sdt", {"hit": 7, "miss": 2, "fa": 1, "cr": 4}, {})
    wrong["implementations"] = {"clipped_WRONG": {"d": 1.3489795003921634}}
    assert mismatches(wrong, Path()) == ["sdt: returns clipped_WRONG"]


def test_null_is_not_zero_and_numbers_are_not_null() -> None:
    assert differences(None, 0.0, 1.0)
    assert differences(0.0, None, 1.0)
    assert differences("inf", 1e300, 1.0)
    assert differences({"a": 1}, {"a": 1, "b": 2}, 0.0) == []
    assert differences({"bins": {"a": 1}}, {"bins": {"a": 1, "b": 2}}, 0.0)


def test_it_runs_as_a_script(tmp_path: Path) -> None:
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({"cases": [case("manski", {"correct": 1, "wrong": 1, "missing": 0}, [0.5, 0.5])]}))
    script = Path(__file__).with_name("run_vectors.py")
    done = subprocess.run([sys.executable, str(script), str(file)], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "1 of 1 cases agree\n")
