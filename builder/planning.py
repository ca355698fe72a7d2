"""`--plan`: what a build would ask and cost, and what it would stop on; nothing is asked, and nothing written."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from builder.estimate import estimate
from builder.growth.aids import aids_of
from builder.growth.bound import growth_bound
from builder.journal.store import Journal, missing_journal
from builder.judge_records import record_problems
from builder.plan_notes import plan_notes
from builder.providers.connect import access_problems, api_problems
from builder.summary import plan_text
from builder.transports.daft.crew import extra_problems
from builder.transports.daft.merge import with_leftovers
from builder.work import models_of, plan_work
from schemas.config import BuildConfig
from schemas.records import Request


def problems_of(config: BuildConfig) -> list[str]:
    """What would stop a run with these settings before it asks anything, each with what to do about it."""
    models = models_of(config)
    found = [*access_problems(models, config), *api_problems(models, config), *extra_problems(config)]
    return [*found, *record_problems(config.judge_records)]


def plan(requests: Sequence[Request], config: BuildConfig, run: Path) -> str:
    """The plan of a build in words. Raises JournalError or StoreError if what is on record cannot be read."""
    path = run / "journal.sqlite"
    with (
        Journal(path) if path.exists() else nullcontext() as recorded,
        with_leftovers(config, run, recorded) as journal,
    ):
        look = (lambda _key: None) if journal is None else journal.completion
        bound = growth_bound(tuple(requests), config, look, aids_of(config, journal))
        rows = [*bound.rows, *estimate(plan_work(bound.requests, config), journal)]
    notes = plan_notes(rows, config, problems_of(config))
    if words := missing_journal(run):
        notes.insert(0, f"{words}; the run would begin anew, and ask everything again")
    return plan_text(rows, notes)
