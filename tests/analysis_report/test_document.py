"""The report's files: self-contained, safe against the data they show, the same bytes for the same data."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from analysis.report import run
from analysis.study import Settings

from .builders import Columns, columns, write_release

SETTINGS = Settings(n_resamples=50, m_ratio_resamples=20)
HOSTILE = 'x/<script>alert("1")</script>&\x1b[2J'


class Tags(HTMLParser):
    """Collects the tags and attributes of a page and checks that tags close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    table = columns(targets=("maker/one", HOSTILE), topics=("drugs", "<b>bold</b>"), n_requests=30)
    write_release_of_names(place / "release", table)
    run(place / "release", place / "out", settings=SETTINGS)
    return place / "out"


def write_release_of_names(directory: Path, table: Columns) -> None:
    """A release whose categories are plain strings, so that any text can be a topic."""
    folder = directory / "data" / "datapoints"
    folder.mkdir(parents=True)
    pyarrow.parquet.write_table(pa.table(table), folder / "train.parquet")


def parsed(out: Path) -> Tags:
    tags = Tags()
    tags.feed((out / "report.html").read_text(encoding="utf-8"))
    assert tags.open == []
    return tags


def test_the_page_is_well_formed_and_runs_and_loads_nothing(out: Path) -> None:
    tags = parsed(out)
    assert not {"script", "img", "iframe", "link", "object"} & set(tags.tags)
    for name, value in tags.attributes:
        assert not name.startswith("on")
        if name in ("href", "src", "xlink:href"):
            assert (value or "").startswith("#")
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", (out / "report.html").read_text(encoding="utf-8"))


def test_the_data_s_text_is_shown_and_never_markup(out: Path) -> None:
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert" in html
    assert "<b>bold" not in html
    assert "\x1b" not in html


def test_contents_lead_to_every_chapter_and_ids_are_unique(out: Path) -> None:
    tags = parsed(out)
    ids = [value for name, value in tags.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {value for name, value in tags.attributes if name == "href"} <= {f"#{key}" for key in ids}


def test_every_table_comes_with_its_name_and_every_figure_with_a_label(out: Path) -> None:
    tags = parsed(out)
    assert tags.tags.count("figure") == len(list((out / "figures").glob("*.svg")))
    assert sum(name == "aria-label" for name, _ in tags.attributes) > tags.tags.count("figure")


def test_counts_come_first_and_methods_last(out: Path) -> None:
    html = (out / "report.html").read_text(encoding="utf-8")
    chapters = re.findall(r"<section[^>]*><h2>([^<]*)", html)
    assert chapters[0] == "What is there and what is missing"
    assert chapters[-1] == "Methods and limits"


def test_the_summary_keeps_its_schema(out: Path) -> None:
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert set(summary) == {"schema", "source", "settings", "targets", "n_rows", "n_used", "tables"}
    assert summary["schema"] == "refusal-foresight/analysis-summary/1"
    accuracy = summary["tables"]["headline"][0]["accuracy"]
    assert set(accuracy) == {"value", "low", "high", "n", "n_requests", "status", "method"}


def test_the_same_data_give_the_same_bytes(tmp_path: Path) -> None:
    place = write_release(tmp_path / "release", columns(n_requests=30))
    for name in ("first", "second"):
        run(place, tmp_path / name, settings=SETTINGS)
    files = sorted(path.relative_to(tmp_path / "first") for path in (tmp_path / "first").rglob("*") if path.is_file())
    assert len(files) > 50
    for file in files:
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes(), file


def test_a_new_report_replaces_the_files_of_an_old_one(tmp_path: Path) -> None:
    place = write_release(tmp_path / "release", columns(targets=("maker/one",), n_requests=25))
    stale = tmp_path / "out" / "tables" / "pairs_of_yesterday.csv"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    (tmp_path / "out" / "notes.txt").write_text("kept")
    run(place, tmp_path / "out", settings=SETTINGS)
    assert not stale.exists()
    assert (tmp_path / "out" / "notes.txt").read_text() == "kept"
