"""The command `publish-dataset`: a release goes on a Hub or into a directory, as a version that never changes."""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from hub_card.changes import Difference
from hub_card.directory import check_place, named, plan_move, publish_to_directory
from hub_card.facts import ReleaseError, Version
from hub_card.hub import PUBLIC_HUB, Hub
from hub_card.layout import files_of
from hub_card.publish import Plan, Publisher
from hub_card.readiness import check_ready

EPILOG = """\
examples:
  publish-dataset runs/first/release --to /srv/datasets       into /srv/datasets/v1.0.0
  publish-dataset runs/first/release --to /srv/datasets --dry-run
  publish-dataset runs/first/release --repo owner/name --dry-run
  publish-dataset runs/first/release --repo owner/name        private until it is verified, then public
  publish-dataset runs/first/release --repo owner/name --gated manual

The token for a Hub comes from the environment variable HF_TOKEN. An interrupted run is finished by running it again.

exit status:
  0  published and verified (or, with --dry-run, nothing stands in the way)
  1  refused: the message says why and what to do
  2  wrong usage
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments (default: the process's) and returns its exit status."""
    command = parser()
    arguments = command.parse_args(argv)
    if arguments.to is not None and (arguments.private or arguments.gated):
        command.error("--private and --gated are for --repo")
    if arguments.repo is not None and re.fullmatch(r"[\w.-]{1,96}/[\w.-]{1,96}", arguments.repo) is None:
        command.error(f"--repo {arguments.repo!r}: want owner/name")
    if arguments.to is not None:
        try:
            check_place(arguments.release, arguments.to)
        except ReleaseError as error:
            command.error(f"--to {error}")
    try:
        check_ready(arguments.release, arguments.accept_unmeasured_judges)
        if arguments.to is not None:
            _in_directory(arguments)
        else:
            _on_hub(arguments, os.environ)
    except ReleaseError as error:
        print(f"publish-dataset: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"publish-dataset: {error.filename or 'a file'}: {(error.strerror or str(error)).lower()}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        print("publish-dataset: interrupted; run the same command again to finish", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    found = argparse.ArgumentParser(
        prog="publish-dataset",
        description="Validates a release, publishes it as one commit and one tag, and loads it back to verify it.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    found.add_argument("release", type=named, metavar="RELEASE", help="the directory that build-dataset made")
    place = found.add_mutually_exclusive_group(required=True)
    place.add_argument("--to", type=named, metavar="DIR", help="a directory of releases, one folder a version")
    place.add_argument("--repo", metavar="OWNER/NAME", help="a dataset repository; made if there is none")
    found.add_argument("--endpoint", metavar="URL", help="the Hub (default: $HF_ENDPOINT or huggingface.co)")
    found.add_argument("--private", action="store_true", help="only the owner can read it")
    found.add_argument(
        "--gated",
        nargs="?",
        const="auto",
        choices=["auto", "manual"],
        help="readers accept conditions; manual: you let each of them in (default: auto)",
    )
    found.add_argument(
        "--date",
        type=day,
        default=datetime.now(UTC).date().isoformat(),
        metavar="YYYY-MM-DD",
        help="the day in the changelog (default: today, in UTC); a version that was begun keeps its day",
    )
    found.add_argument("--dry-run", action="store_true", help="show what would be done; changes nothing")
    found.add_argument(
        "--accept-unmeasured-judges",
        action="store_true",
        help="publish though nothing says how well a judge agrees with people; the card warns of it",
    )
    return found


def day(text: str) -> str:
    """A date as YYYY-MM-DD. Raises ArgumentTypeError for anything else."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: want a day as YYYY-MM-DD") from None


def _in_directory(arguments: argparse.Namespace) -> None:
    if not arguments.dry_run:
        print(f"Published and verified: {publish_to_directory(arguments.release, arguments.to, arguments.date)}")
        return
    move = plan_move(arguments.release, arguments.to, arguments.date)
    steps = () if move.done else (f"copy {len(files_of(arguments.release))} files to {move.place}",)
    print(lines_of(str(move.place), move.before, move.changed, (*steps, f"verify {move.place}")))


def _on_hub(arguments: argparse.Namespace, environment: Mapping[str, str]) -> None:
    token = environment.get("HF_TOKEN", "")
    if not token:
        raise ReleaseError("no token: export HF_TOKEN with a token of the Hub that has write access")
    endpoint = (arguments.endpoint or environment.get("HF_ENDPOINT") or PUBLIC_HUB).rstrip("/")
    hub = Hub(arguments.repo, endpoint, token)
    publisher = Publisher(arguments.release, hub, token, arguments.date, arguments.private, arguments.gated)
    if arguments.dry_run:
        print(shown(publisher.plan(), arguments.repo))
        return
    plan = publisher.publish()
    print(f"Published and verified: {endpoint}/datasets/{arguments.repo} at {plan.tag}")


def shown(plan: Plan, repository: str) -> str:
    """A plan for people: version, what changed, steps, files."""
    before = plan.before.version if plan.before else None
    files = [f"  + {name}" for name in plan.adds] + [f"  - {name}" for name in plan.deletes]
    return "\n".join([lines_of(f"{repository} {plan.tag}", before, plan.changed, plan.steps), *files])


def lines_of(what: str, before: Version | None, changed: Difference | None, steps: Sequence[str]) -> str:
    """What is published, after which version, what changed since and the steps, a line each."""
    after = "the first release" if before is None else f"after {before}"
    lines = [f"{what}, {after}", *(f"  changed: {line}" for line in (changed.lines if changed else ()))]
    return "\n".join([*lines, *(f"  {number}. {step}" for number, step in enumerate(steps, 1))])


if __name__ == "__main__":
    sys.exit(main())
