"""The code of docs/quickstart.md runs as printed on a release directory."""

import os
import re
import subprocess
import sys
from pathlib import Path

from .builders import columns, lose_prediction, write_release

QUICKSTART = Path(__file__).parents[2] / "docs" / "quickstart.md"
CARD = """---
configs:
- config_name: datapoints
  default: true
  data_files: data/datapoints/*.parquet
---
"""


def test_ten_lines_lead_from_the_dataset_to_a_figure(tmp_path: Path) -> None:
    table = columns(n_requests=20)
    lose_prediction(table, [3], "refused")
    release = write_release(tmp_path / "release", table)
    (release / "README.md").write_text(CARD, encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", QUICKSTART.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(code.strip().splitlines()) <= 10
    environment = os.environ | {"HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1", "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", code.replace("OWNER/NAME", str(release))],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "foresight.png").stat().st_size > 5000
