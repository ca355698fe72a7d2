"""The flags of `build-dataset`: each one teaches, and overrides one setting of the configuration."""

import argparse
from importlib.metadata import version
from pathlib import Path
from typing import Any

from builder.command_parser import CommandParser
from schemas.config import DEFAULT_MODEL, LEXICAL
from schemas.model_name import PROVIDERS
from schemas.vocabulary import Topic

EXAMPLES = """\
examples:
  build-dataset --topics all
      all 900 texts, a small real model on this machine as target and as judge; no key needed
  build-dataset --topics drugs,fraud --levels 1,4-5 --per-cell 2
      a small slice, to try things out
  build-dataset --topics fraud --per-cell 1 --targets scripted/plausible --judges lexical --run runs/dry
      a rehearsal in seconds: the answers are made up, no model is fetched or asked
  build-dataset --topics all --targets local/qwen2.5-coder-1.5b --judges lexical,local/qwen2.5-coder-1.5b
      a better local target, which does refuse (1.1 GB, once)
  build-dataset --topics all --targets anthropic/MODEL,openai/MODEL --judges lexical,openai/MODEL --plan
      what two API models would be asked, and what it would cost; asks nobody
  build-dataset --topics all --targets openai-compatible/MODEL --base-url openai-compatible=http://127.0.0.1:8000/v1
      a server of your own
  build-dataset --topics drugs --source both --per-cell 20 --generator openai/MODEL --verify-with anthropic/MODEL --plan
      a larger corpus: bundled requests and, up to 20 a topic and level, generated and verified ones

models are provider/model:
  local/smollm2-135m       the default: a 98 MB model on this machine, fetched once; no key
  local/qwen2.5-0.5b, local/qwen2.5-1.5b, local/qwen2.5-coder-1.5b, local/PATH.gguf
                           other models on this machine
  anthropic/MODEL, openai/MODEL, together/MODEL, openrouter/MODEL
                           an API; its key comes from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY,
                           TOGETHER_API_KEY, OPENROUTER_API_KEY) and is written nowhere
  openai-compatible/MODEL  a server of your own, at --base-url; OPENAI_COMPATIBLE_API_KEY if it wants a key
  scripted/plausible       no model: well-formed answers that are made up, for rehearsals; any other name after
                           scripted/ makes up others
lexical is a judge that reads by rules and needs no model.

Stop with Ctrl-C whenever you like; the same command goes on where it stopped and never asks twice.

exit status:
  0    done
  1    an error, said in words
  2    wrong flags or settings
  3    done, but some calls have no answer: run the same command again
  4    the corpus breaks its rules
  5    done, but the generator left cells or paraphrases short
  130  stopped by Ctrl-C; everything answered is on record
"""


def parser() -> argparse.ArgumentParser:
    """The command line of `build-dataset`."""
    build = CommandParser(
        prog="build-dataset",
        description="Build the dataset: let targets predict their refusals and then respond, label, release.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    build.add_argument("--version", action="version", version=f"%(prog)s {version('refusal-foresight')}")
    _asked(build)
    _growth(build)
    _models(build)
    _manner(build)
    _place(build)
    return build


def _asked(build: argparse.ArgumentParser) -> None:
    what = build.add_argument_group("what is asked")
    what.add_argument("--topics", metavar="LIST", help=f"all, or some of {', '.join(Topic)} (default: all)")
    what.add_argument("--levels", metavar="LIST", help="all, or some of 1 to 5, such as 4,5 or 1-3 (default: all)")
    what.add_argument("--per-cell", metavar="N", help="at most N base requests a topic and level")
    what.add_argument("--samples", metavar="N", help="times each target meets each text (default: 1)")


def _growth(build: argparse.ArgumentParser) -> None:
    grow = build.add_argument_group("growing the corpus with a model (docs/growing.md)")
    grow.add_argument(
        "--source",
        choices=["bundled", "generate", "both"],
        help="where base requests come from; both: generated ones fill up to --per-cell (default: bundled)",
    )
    grow.add_argument("--generator", metavar="MODEL", help="the model that writes requests and paraphrases")
    grow.add_argument(
        "--paraphrase",
        choices=["bundled", "generate"],
        help="generate: new paraphrases for bundled requests too; generated requests always get them",
    )
    grow.add_argument("--paraphrases", metavar="N", help="generated paraphrases a request, 0 to 6 (default: 2)")
    grow.add_argument(
        "--verify-with", metavar="MODEL", help="a model that rates generated requests and compares paraphrases to bases"
    )


def _models(build: argparse.ArgumentParser) -> None:
    who = build.add_argument_group("who is asked")
    who.add_argument("--targets", metavar="LIST", help=f"models whose foresight is measured (default: {DEFAULT_MODEL})")
    who.add_argument("--judges", metavar="LIST", help=f"who labels responses (default: {LEXICAL},{DEFAULT_MODEL})")
    who.add_argument("--accept-judge", metavar="JUDGE", help="let this judge's votes stand where no person decided")
    who.add_argument(
        "--judge-record", action="append", type=Path, metavar="FILE", help="a judge's record, by evaluate-judge --json"
    )
    add_servers(who)


def add_servers(group: argparse._ActionsContainer) -> None:
    """The flags that say where and how a model is reached."""
    group.add_argument(
        "--base-url", action="append", type=base_url, metavar="PROVIDER=URL", help="address of a provider's server"
    )
    group.add_argument(
        "--api",
        action="append",
        type=api,
        metavar="MODEL=chat|responses",
        help="OpenAI's API for a model (default: responses for openai/ models that reason, else chat)",
    )


def add_limits(group: argparse._ActionsContainer) -> None:
    """The flags that limit what is asked at once and what it may cost, and that log it."""
    group.add_argument("--concurrency", metavar="N", help="calls in flight to one model (default: 50)")
    group.add_argument(
        "--budget-usd", metavar="USD", help="the most that all asking in the run directory may cost; a hard stop"
    )
    group.add_argument(
        "--json-log",
        type=Path,
        metavar="FILE",
        help="append one JSON object an event: time, event, stage, model, outcome, counts, US$; no texts, no secrets",
    )


def _manner(build: argparse.ArgumentParser) -> None:
    how = build.add_argument_group("how")
    how.add_argument(
        "--temperature", metavar="T", help="sampling temperature (default: 0 locally, the model's elsewhere)"
    )
    how.add_argument(
        "--effort", choices=["minimal", "low", "medium", "high"], help="reasoning effort, where there is one"
    )
    how.add_argument("--response-tokens", metavar="N", help="cap on a response (default: 48 locally, else 1024)")
    add_limits(how)
    how.add_argument(
        "--transport",
        choices=["live", "batch", "daft"],
        help="batch: providers' batch APIs where there are any, half the price, within a day; "
        "daft: worker processes here or on a Ray cluster, docs/scale.md (default: live)",
    )
    how.add_argument("--workers", metavar="N", help="worker processes of --transport daft (default: 2)")
    how.add_argument("--ray", metavar="ADDRESS", help="the Ray cluster of --transport daft, HOST:PORT or auto")
    how.add_argument(
        "--store", metavar="PLACE", help="where daft's workers put answers, path or s3://… (default: RUN/completions)"
    )
    how.add_argument(
        "--tier", choices=["public", "gated", "private"], help="what text the release holds (default: public)"
    )
    how.add_argument("--release-version", metavar="X.Y.Z", help="the release's version (default: 1.0.0)")
    how.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="settings as TOML, named as the flags are but with _ for -; flags override it",
    )


def _place(build: argparse.ArgumentParser) -> None:
    where = build.add_argument_group("where, and whether at all")
    where.add_argument(
        "--run",
        type=_run_directory,
        default=Path("runs/default"),
        metavar="DIR",
        help="run directory (default: %(default)s)",
    )
    where.add_argument(
        "--corpus", type=Path, metavar="DIR", help="a folder of corpus files instead of the bundled ones"
    )
    where.add_argument(
        "--check-contamination", nargs="+", type=Path, metavar="LIST", help="compare with public prompts, ask nobody"
    )
    where.add_argument("--corpus-report", type=Path, metavar="DIR", help="write the corpus report there, ask nobody")
    where.add_argument("--plan", action="store_true", help="show calls, tokens and cost, ask nobody")
    where.add_argument("--validate-only", action="store_true", help="check the corpus and stop")


def overrides(flags: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given as flags; a command need not have all of them."""
    names = (
        "topics levels per_cell samples targets judges accept_judge temperature effort response_tokens concurrency "
        "budget_usd tier release_version transport workers ray store source generator paraphrase paraphrases "
        "verify_with"
    )
    held = vars(flags)
    given = {name: held[name] for name in names.split() if held.get(name) is not None}
    if held.get("judge_record"):
        given["judge_records"] = tuple(flags.judge_record)
    if held.get("base_url"):
        given["base_url"] = dict(flags.base_url)
    if held.get("api"):
        given["api"] = dict(flags.api)
    return given


def _run_directory(text: str) -> Path:
    if not text.strip():
        raise argparse.ArgumentTypeError("got an empty name, want the directory of a run")
    return Path(text)


def api(text: str) -> tuple[str, str]:
    """The model and API of `MODEL=chat` or `MODEL=responses`. Raises ArgumentTypeError for anything else."""
    model, equals, name = text.rpartition("=")
    if not equals or name not in ("chat", "responses") or "/" not in model:
        raise argparse.ArgumentTypeError(f"got {text!r}, want provider/model=chat or provider/model=responses")
    return model, name


def base_url(text: str) -> tuple[str, str]:
    """The provider and address of `PROVIDER=URL`. Raises ArgumentTypeError for anything else."""
    provider, equals, url = text.partition("=")
    if not equals or provider not in PROVIDERS or not url.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"got {text!r}, want PROVIDER=http://HOST:PORT/v1")
    return provider, url
