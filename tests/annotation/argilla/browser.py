"""A person at Argilla's pages, in a real Chromium."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from annotation.argilla.form import fields
from annotation.codebook import codebook_version
from tests.annotation.argilla.server import Serving

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
TITLES = {str(field["name"]): str(field["title"]) for field in fields(expert=True)}
LABEL_KEYS = {"full_refusal": "1", "partial_refusal": "2", "partial_compliance": "3", "full_compliance": "4"}
SCREENSHOTS = os.environ.get("SCREENSHOTS")


def chromium() -> str:
    """Where Chromium is. Without one the test fails in CI and is skipped elsewhere."""
    found = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        missing = "no Chromium found: apt-get install chromium, or name one in CHROMIUM"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    assert found is not None
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    path = chromium()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, headless=True, args=list(QUIET))
        yield opened
        opened.close()


@dataclass(slots=True)
class Person:
    """Somebody logged in at a server's pages. What the page asked of other places is in `elsewhere`."""

    serving: Serving
    name: str
    page: Page
    elsewhere: list[Request] = field(default_factory=list)

    @classmethod
    def at(cls, opened: Browser, serving: Serving, name: str) -> "Person":
        """Log in by name and password."""
        page = opened.new_context(viewport={"width": 1240, "height": 780}).new_page()
        page.set_default_timeout(60_000)
        person = cls(serving, name, page)
        page.on("request", lambda request: person._watch(request))
        page.goto(f"{serving.url}/sign-in")
        page.locator('input[name="Username"]').fill(name)
        page.locator('input[name="Password"]').fill(serving.passwords[name])
        page.locator('button[type="submit"]').click()
        page.get_by_text("Home", exact=True).first.wait_for()
        return person

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((self.serving.url, "data:", "blob:")):
            self.elsewhere.append(request)

    def open(self, dataset: str) -> None:
        """Open a dataset from the home page, at its pending records."""
        self.page.get_by_text(dataset, exact=True).first.click()
        self.page.locator(".span-annotation__field").wait_for()

    def text(self, name: str) -> str:
        """What is shown in a field, character by character."""
        title = TITLES[name]
        area = self.page.locator(f'.text_field_component:has(.text_field_component__title-content:text-is("{title}"))')
        shown = area.locator('[id^="fields-content-"] > :first-child')
        return str(shown.evaluate("element => element.textContent"))

    def choose(self, question: str, value: str) -> None:
        """Choose an answer with the mouse, if it is not chosen already."""
        box = self.page.locator(f"#{question}_{value}")
        if not box.is_checked():
            self.page.locator(f'label[for="{question}_{value}"]').click()
        expect(box).to_be_checked()

    def submit(self) -> None:
        """Press Submit and wait for the next record."""
        self._done(lambda: self.page.locator(".button--submit").click())

    def discard(self) -> None:
        """Press Discard and wait for the next record."""
        self._done(lambda: self.page.locator(".button--discard").click())

    def keys(self, label: str, sure: str) -> None:
        """Answer by keys alone and wait for the next record. The page moves the focus on after each answer."""

        def press() -> None:
            for question, value, key in (("label", label, LABEL_KEYS[label]), ("confidence", sure, sure)):
                self.page.wait_for_function("question => document.activeElement.id.startsWith(question)", arg=question)
                self.page.keyboard.press(key)
                expect(self.page.locator(f"#{question}_{value}")).to_be_checked()
            self.page.keyboard.press("Enter")

        self._done(press)

    def next_record(self) -> None:
        """Turn to the next record without answering."""
        before = self.text("request")
        self.page.locator(".pagination__button").last.click()
        self._wait_for_another(before)

    def mark(self, word: str) -> None:
        """Mark a word of the response with the mouse."""
        self.page.get_by_text("These words").click()
        x, y, width, height = self.page.locator(".span-annotation__field").evaluate(
            """(field, word) => {
                const range = document.createRange(), at = field.firstChild.data.indexOf(word);
                range.setStart(field.firstChild, at);
                range.setEnd(field.firstChild, at + word.length);
                const box = range.getBoundingClientRect();
                return [box.x, box.y, box.width, box.height];
            }""",
            word,
        )
        mouse = self.page.mouse
        mouse.move(x + 1, y + height / 2)
        mouse.down()
        mouse.move(x + width / 2, y + height / 2)
        mouse.move(x + width - 1, y + height / 2)
        mouse.up()

    def open_submitted(self, dataset: str) -> None:
        """Open a dataset from the home page and show what was submitted before."""
        self.page.get_by_text(dataset, exact=True).first.click()
        self.page.get_by_text("Pending").first.click()
        self.page.get_by_text("Submitted").first.click()
        expect(self.page).to_have_url(re.compile("status=submitted"))
        self.page.locator(".span-annotation__field").wait_for()

    def read_guidelines(self) -> None:
        """Open the guidelines, with their warning and version, and close them again."""
        panel = self.page.get_by_role("button", name="Expand Panel").first
        panel.click()
        self.page.get_by_text("Content warning.").first.wait_for()
        self.page.get_by_text(f"Codebook version {codebook_version()}").first.wait_for()
        self.screenshot("annotate-guidelines")
        self.page.get_by_role("button", name="Collapse Panel").first.click()

    def screenshot(self, name: str) -> None:
        """Keep a picture for the documentation, if SCREENSHOTS names a directory."""
        if SCREENSHOTS:
            self.page.wait_for_timeout(700)
            self.page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")

    def _done(self, act: Callable[[], None]) -> None:
        before = self.text("request")
        with self.page.expect_response(
            lambda answer: "/responses" in answer.url and answer.request.method in ("POST", "PUT")
        ) as answered:
            act()
        assert answered.value.ok, answered.value.text()
        self._wait_for_another(before)

    def _wait_for_another(self, before: str) -> None:
        self.page.wait_for_function(
            """before => {
                const first = document.querySelector('[id^="fields-content-"] > :first-child');
                return !first || first.textContent !== before;
            }""",
            arg=before,
        )
