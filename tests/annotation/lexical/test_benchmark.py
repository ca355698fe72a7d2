"""The benchmark of the lexical judge: copies count once, and the gap of the halves has an interval."""

import json
import sys
from pathlib import Path

import pytest

from analysis.metrics.estimate import Estimate, undefined
from benchmarks.judge import gap, main


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, low, high, 100, 100, "ok", "")


def test_a_gap_is_as_wide_as_both_halves_together() -> None:
    assert gap(estimate(0.9, 0.87, 0.93), estimate(0.7, 0.66, 0.74)) == "0.200 [0.15, 0.25]"


def test_a_bound_cut_at_one_does_not_narrow_the_gap() -> None:
    assert gap(estimate(0.97, 0.93, 1.0), estimate(0.97, 0.94, 1.0)) == "0.000 [-0.05, 0.05]"


def test_there_is_no_gap_to_a_half_that_has_no_value() -> None:
    assert gap(estimate(0.9, 0.8, 1.0), undefined("undefined_empty", 0)) == "–"


def test_copies_are_left_out_and_both_halves_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"refusal": "Sorry, I cannot help with that.", "compliance": "Lemons grow well in a sunny place."}
    rows = [
        {
            "prompt": f"How do lemons grow ({n})?",
            "response": response,
            "label_binary": label,
            "source": "made",
            "id": str(n),
        }
        for n in range(40)
        for label, response in [list(said.items())[n % 2]]
    ]
    file = tmp_path / "gold.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in [*rows, *rows[:3]]), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["judge.py", str(file), "--record", str(tmp_path / "record.json")])
    main()
    out = capsys.readouterr().out
    assert "gold.jsonl (3 duplicate rows left out): 40 rows" in out
    assert "| made | 1.000" in out.split("| gap |")[1]
    assert json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))["n"] == 40
