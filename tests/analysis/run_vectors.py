"""`python tests/analysis/run_vectors.py FILE.json`: every case against the analysis; exit status 1 on a mismatch."""

import json
import math
import sys
from pathlib import Path
from typing import Any

ROUNDING = 1e-12


def mismatches(case: dict[str, Any], folder: Path) -> list[str]:
    """How the analysis differs from one case: its `expected` within `tolerance`, or a value known to be WRONG."""
    from tests.analysis.vector_metrics import returned

    try:
        found = returned(case["metric"], case["input"], folder)
    except (KeyError, TypeError, ValueError, FileNotFoundError) as error:
        return [f"{case['id']}: {type(error).__name__}: {error}"]
    tolerance = float(case["tolerance"]) + ROUNDING
    wrong = {name: value for name, value in case.get("implementations", {}).items() if "WRONG" in name}
    return [
        *(f"{case['id']}{line}" for line in differences(case["expected"], found, tolerance)),
        *(f"{case['id']}: returns {name}" for name, value in wrong.items() if _is_wrong(value, found)),
    ]


def differences(expected: Any, found: Any, tolerance: float, where: str = "", nested: bool = False) -> list[str]:
    """One line for each place where `found` is not `expected`; keys that only `found` has count when nested."""
    if isinstance(expected, dict):
        if not isinstance(found, dict) or (nested and expected.keys() != found.keys()):
            return [f"{where}: wanted {expected}, got {found}"]
        pairs = [(value, found.get(name, "nothing"), f"{where}.{name}") for name, value in expected.items()]
    elif isinstance(expected, list):
        if not isinstance(found, list) or len(expected) != len(found):
            return [f"{where}: wanted {expected}, got {found}"]
        pairs = [
            (one, other, f"{where}[{place}]") for place, (one, other) in enumerate(zip(expected, found, strict=True))
        ]
    else:
        return [] if _equal(expected, found, tolerance) else [f"{where}: wanted {expected}, got {found}"]
    return [line for one, other, place in pairs for line in differences(one, other, tolerance, place, nested=True)]


def _equal(expected: Any, found: Any, tolerance: float) -> bool:
    if expected in ("inf", "-inf"):
        return isinstance(found, float) and found == float(expected)
    if expected is None or isinstance(expected, str):
        return bool(expected == found)
    return isinstance(found, int | float) and math.isfinite(found) and abs(found - expected) <= tolerance


def _is_wrong(value: Any, found: Any) -> bool:
    if not isinstance(value, dict):
        found = found.get("l1") if isinstance(found, dict) else found
        return _equal(value, found, 1e-9)
    return all(_equal(one, found.get(name), 1e-9) for name, one in value.items())


def main(path: Path) -> int:
    """Prints every mismatch and a summary; 0 if there was none."""
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    failed = 0
    for case in cases:
        lines = mismatches(case, path.parent)
        failed += bool(lines)
        for line in lines:
            print(line)
    print(f"{len(cases) - failed} of {len(cases)} cases agree")
    return int(failed > 0)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    if len(sys.argv) != 2:
        sys.exit("usage: python tests/analysis/run_vectors.py FILE.json")
    sys.exit(main(Path(sys.argv[1])))
