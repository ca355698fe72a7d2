"""Publishes a release on a Hub: look, plan, do the next thing that is missing, verify from outside.

Every step is found from what the Hub has, so an interrupted run is finished by running it again.
"""

import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hub_card.changes import Difference, Published, date_of, parse_sums
from hub_card.facts import ReleaseError, Version
from hub_card.hub import Gate, Hub, Repository, hashes
from hub_card.hub_errors import HubBusyError, HubError, HubMovedError
from hub_card.layout import CHANGELOG, MANIFEST, SUMS, files_of
from hub_card.manifest import load_manifest
from hub_card.readiness import Audience, check_audience
from hub_card.repository_rules import KEPT, check_ours, file_changes, opens, versions_of
from hub_card.staging import stage
from hub_card.verify import verify

TRIES = 5
FIRST_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What publishing would still do: the steps in order, and the files of its one commit."""

    version: Version
    tag: str
    before: Published | None
    changed: Difference | None
    steps: tuple[str, ...]
    adds: tuple[str, ...]
    deletes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Publisher:
    """Publishes one release to one repository.

    `date` (YYYY-MM-DD) goes into the changelog, unless the Hub has an entry for this version: that one is kept.
    `say` tells the user what is done, `pause` sleeps between tries, `check` loads the published version from outside.
    """

    release: Path
    hub: Hub
    token: str
    date: str
    private: bool = False
    gate: Gate | None = None
    say: Callable[[str], None] = print
    pause: Callable[[float], None] = time.sleep
    check: Callable[..., None] = verify

    def plan(self) -> Plan:
        """What would be done, without doing any of it. Raises ReleaseError if it must not be done."""
        check_audience(self.release, Audience(self.private, self.gate is not None))
        self.hub.check_token()
        with tempfile.TemporaryDirectory() as folder:
            return self._plan(self.hub.look(), Path(folder))

    def publish(self) -> Plan:
        """Publishes and verifies, and returns the plan that was left at the end.

        Raises ReleaseError if it must not be done, HubError if the Hub refuses or stays busy.
        """
        check_audience(self.release, Audience(self.private, self.gate is not None))
        failures = 0
        while True:
            try:
                return self._run()
            except (HubBusyError, HubMovedError) as error:
                failures += 1
                if failures == TRIES:
                    raise HubError(
                        f"{error}. Gave up after {TRIES} tries; to go on, run the same command again"
                    ) from error
                wait = error.wait if isinstance(error, HubBusyError) else 0
                seconds = FIRST_PAUSE * 2 ** (failures - 1) if wait is None else wait
                self.say(f"{error}; looking again in {seconds:g} s")
                self.pause(seconds)

    def _run(self) -> Plan:
        self.hub.check_token()
        with tempfile.TemporaryDirectory() as name:
            repository = self.hub.look()
            if repository is None:
                self.say(f"creating {self.hub.name}, private for now")
                self.hub.create()
                repository = self._seen()
            repository = self._closed(repository)
            folder = Path(name)
            plan = self._plan(repository, folder)
            if plan.adds or plan.deletes:
                self.say(f"committing {len(plan.adds)} files, deleting {len(plan.deletes)}")
                self.hub.commit(folder, plan.adds, plan.deletes, f"Release {plan.version}", repository.head)
                repository = self._seen()
            if plan.tag not in repository.tags:
                self.say(f"tagging {plan.tag}")
                self.hub.tag(plan.tag, repository.head, f"Release {plan.version}")
            self._verify(plan)
            self._opened(self._seen(), plan)
            return plan

    def _plan(self, repository: Repository | None, folder: Path) -> Plan:
        version = Version.parse(load_manifest(self.release)["version"])
        tag = f"v{version}"
        earlier = versions_of(repository)
        if earlier and version < max(earlier):
            raise ReleaseError(
                f"version {version} is too low: {max(earlier)} is published. Set a higher release_version."
            )
        if repository is not None and not earlier:
            check_ours(repository, self.hub.name)
        before = self._published(max((v for v in earlier if v < version), default=None))
        changed = stage(self.release, folder, before, self.hub.name, self._date(repository, version))
        if repository is not None and tag in repository.tags:
            self._check_same(tag, folder)
            return Plan(version, tag, before, changed, ("verify",), (), ())
        adds, deletes = file_changes(repository, folder)
        return Plan(version, tag, before, changed, self._steps(repository, adds, deletes, tag), adds, deletes)

    def _steps(
        self, repository: Repository | None, adds: Sequence[str], deletes: Sequence[str], tag: str
    ) -> tuple[str, ...]:
        wanted = {
            "create the repository, private": repository is None,
            "make it private": repository is not None and self.private and not repository.private,
            f"gate it ({self.gate})": self.gate is not None and not (repository and repository.gated),
            f"commit {len(adds)} files, delete {len(deletes)}": bool(adds or deletes),
            f"tag {tag}": True,
            "verify": True,
            "make it public": not self.private and (repository is None or opens(repository, tag)),
        }
        return tuple(step for step, needed in wanted.items() if needed)

    def _closed(self, repository: Repository) -> Repository:
        if self.private and not repository.private:
            self.say("making it private")
            self.hub.restrict(private=True)
        if self.gate is not None and not repository.gated:
            self.say(f"gating it ({self.gate})")
            self.hub.restrict(gate=self.gate)
        return self._seen()

    def _opened(self, repository: Repository, plan: Plan) -> None:
        if self.private or not repository.private:
            return
        if opens(repository, plan.tag):
            self.say("making it public")
            self.hub.restrict(private=False)
        else:
            self.say(f"{self.hub.name} is private and stays so; its settings on the Hub can open it")

    def _verify(self, plan: Plan) -> None:
        self.say(f"verifying {plan.tag} from outside")
        digests = {name: stated["digest"] for name, stated in load_manifest(self.release)["configs"].items()}
        self.check(self.hub.name, digests, revision=plan.tag, endpoint=self.hub.endpoint, token=self.token)

    def _seen(self) -> Repository:
        repository = self.hub.look()
        if repository is None:
            raise HubMovedError(f"{self.hub.name} is not there, though it was just made")
        return repository

    def _date(self, repository: Repository | None, version: Version) -> str:
        """The date that an earlier run committed, if one did: a version is published once, in however many runs."""
        if repository is None or CHANGELOG not in repository.files:
            return self.date
        revision = f"v{version}" if f"v{version}" in repository.tags else repository.head
        return date_of(self.hub.read(CHANGELOG, revision), version) or self.date

    def _published(self, version: Version | None) -> Published | None:
        if version is None:
            return None
        manifest, sums, log = (self.hub.read(name, f"v{version}") for name in (MANIFEST, SUMS, CHANGELOG))
        return Published(version, json.loads(manifest), parse_sums(sums), log)

    def _check_same(self, tag: str, folder: Path) -> None:
        published = {name: found for name, found in self.hub.files(tag).items() if name not in KEPT}
        if published.keys() != set(files_of(folder)) or any(
            found not in hashes(folder / name) for name, found in published.items()
        ):
            raise ReleaseError(
                f"{tag} is published with other content, and a published version never changes. "
                "Set a higher release_version and build again."
            )
