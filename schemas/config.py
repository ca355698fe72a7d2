"""What one build is told to do: read from a TOML file, overridden by flags, checked in one place."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from schemas.address import check_address
from schemas.chat import Effort
from schemas.config_words import Source, problem_text
from schemas.model_name import parse_model
from schemas.vocabulary import HarmLevel, Topic

DEFAULT_MODEL = "local/smollm2-135m"
LEXICAL = "lexical"
EVERYTHING: dict[str | None, tuple[Any, ...]] = {"topics": tuple(Topic), "levels": tuple(HarmLevel)}


class ConfigError(Exception):
    """A configuration that cannot be used; the message says which value, where it came from and what is wanted."""


def _no_boolean(given: Any) -> Any:
    """The value; pydantic would take true for 1, and no setting is true or false."""
    if isinstance(given, bool) or (isinstance(given, list) and any(isinstance(part, bool) for part in given)):
        raise ValueError  # without words: what is wanted instead is said from the schema
    return given


class Price(BaseModel):
    """US dollars for a million tokens.

    Input read from the provider's cache costs `cached_input` and input written to it `cache_write`, where they differ
    from `input`; `batch` is the share of it all that the batch API costs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    _no_boolean = field_validator("*", mode="before")(_no_boolean)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0)
    cache_write: float | None = Field(default=None, ge=0)
    batch: float = Field(default=1.0, ge=0, le=1)


class BuildConfig(BaseModel):
    """Every setting of `build-dataset`, with its default. None of them is a secret.

    What is a list may be given as words with commas; `topics` and `levels` take "all", levels also ranges ("1-3,5").
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    _no_boolean = field_validator("*", mode="before")(_no_boolean)

    topics: tuple[Topic, ...] = tuple(Topic)
    levels: tuple[HarmLevel, ...] = tuple(HarmLevel)
    per_cell: int | None = Field(default=None, ge=1, description="at most this many base requests a topic and level")
    targets: tuple[str, ...] = (DEFAULT_MODEL,)
    judges: tuple[str, ...] = (LEXICAL, DEFAULT_MODEL)
    samples: int = Field(default=1, ge=1, le=1000, description="times each target meets each variant")
    source: Literal["bundled", "generate", "both"] = "bundled"
    generator: str | None = Field(default=None, description="model that writes requests and paraphrases")
    paraphrase: Literal["bundled", "generate"] = "bundled"
    paraphrases: int = Field(default=2, ge=0, le=6, description="generated paraphrases a request")
    verify_with: str | None = Field(default=None, description="model that checks generated texts and paraphrases")
    transport: Literal["live", "batch", "daft"] = "live"
    workers: int | None = Field(default=None, ge=1, le=10_000, description="workers of the daft transport; 2")
    ray: str | None = Field(default=None, min_length=1, description="daft: Ray cluster, HOST:PORT or auto")
    store: str | None = Field(default=None, min_length=1, description="daft: where answers are put; RUN/completions")
    batch_poll_s: float = Field(default=30, gt=0, description="seconds between two looks at a batch")
    temperature: float | None = Field(default=None, ge=0, le=2)
    effort: Effort | None = None
    response_tokens: int | None = Field(default=None, ge=1, description="cap on a response; 48 locally, else 1024")
    concurrency: int = Field(default=50, ge=1, le=1000, description="calls in flight to one provider and model")
    call_timeout_s: float = Field(default=120, gt=0)
    base_url: dict[str, str] = Field(default_factory=dict, description="address of a provider's server")
    api: dict[str, Literal["chat", "responses"]] = Field(default_factory=dict, description="OpenAI's API for a model")
    prices: dict[str, Price] = Field(default_factory=dict)
    budget_usd: float | None = Field(default=None, gt=0, description="the most one run may spend")
    judge_records: tuple[Path, ...] = Field(default=(), description="files that evaluate-judge --json wrote")
    accept_judge: str | None = Field(default=None, description="judge whose votes stand where no person decided")
    min_votes: int = Field(default=1, ge=1, description="valid votes of deciding judges that a label needs")
    bin_scheme: Literal["paper", "20_50_80"] = "paper"
    release_name: str = "refusal-foresight"
    release_version: str = Field(default="1.0.0", pattern=r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$")
    tier: Literal["public", "gated", "private"] = "public"

    @field_validator("topics", "levels", "targets", "judges", mode="before")
    @classmethod
    def _from_words(cls, given: Any, info: ValidationInfo) -> Any:
        if not isinstance(given, str):
            return given
        if given.strip() == "all" and info.field_name in EVERYTHING:
            return EVERYTHING[info.field_name]
        words = tuple(word.strip() for word in given.split(",") if word.strip())
        return tuple(level for word in words for level in _range(word)) if info.field_name == "levels" else words

    @field_validator("targets", "judges")
    @classmethod
    def _names_known(cls, names: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if not names:
            raise ValueError("got nothing, want at least one, as provider/model")
        for name in names:
            if name != LEXICAL:
                parse_model(name)
            elif info.field_name == "targets":
                raise ValueError(f"{LEXICAL} is a judge, not a model that answers")
        return tuple(dict.fromkeys(names))

    @field_validator("generator", "verify_with")
    @classmethod
    def _is_a_model(cls, name: str | None) -> str | None:
        if name is not None:
            parse_model(name)
        return name

    @field_validator("base_url")
    @classmethod
    def _holds_no_secret(cls, addresses: dict[str, str]) -> dict[str, str]:
        for provider, url in addresses.items():
            check_address(provider, url)
        return addresses

    @field_validator("topics", "levels")
    @classmethod
    def _in_order_once(cls, chosen: tuple[Any, ...]) -> tuple[Any, ...]:
        if not chosen:
            raise ValueError("got nothing, want at least one; leave it out for all")
        return tuple(member for member in type(chosen[0]) if member in chosen)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.accept_judge is not None and self.accept_judge not in self.judges:
            raise ValueError(f"accept_judge: {self.accept_judge!r} is not among the judges {', '.join(self.judges)}")
        if self.grows and self.generator is None:
            raise ValueError("generator: name the model that writes, as provider/model")
        if self.generator is not None and not self.grows:
            raise ValueError("generator: goes with source generate or both, or with paraphrase generate, only")
        for name in ("workers", "ray", "store"):
            if self.transport != "daft" and getattr(self, name) is not None:
                raise ValueError(f"{name}: goes with transport daft only (got transport {self.transport})")
        if self.ray is not None and "://" in self.ray:
            raise ValueError(
                f"ray: got {self.ray!r}, want HOST:PORT or auto, on a machine of the cluster: "
                "its workers must reach this process"
            )
        if self.source == "both" and self.per_cell is None:
            raise ValueError("per_cell: say how many requests a topic and level shall hold, bundled and generated")
        if self.samples > 1 and self.temperature in (None, 0) and any(t.startswith("local/") for t in self.targets):
            raise ValueError(
                "samples: a local model decodes greedily, more samples repeat its answer; give a temperature"
            )
        return self

    @property
    def grows(self) -> bool:
        """Whether a model writes a part of the corpus."""
        return self.source != "bundled" or self.paraphrase == "generate"


def load_config(
    file: Path | None, overrides: Mapping[str, Any], spelled: Mapping[str, str] | None = None
) -> BuildConfig:
    """The configuration of a TOML file (or the defaults) with `overrides`, the flags, laid over it.

    `spelled` says how a flag is written that is not named for its setting. Raises ConfigError naming the flag or the
    key of the file, the value got and what is wanted.
    """
    settings: dict[str, Any] = {}
    if file is not None:
        try:
            settings = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"cannot read the configuration {file}: {error.strerror}") from error
        except ValueError as error:
            raise ConfigError(f"{file} is not TOML: {error}") from error
        except RecursionError:
            raise ConfigError(f"{file} is nested too deep to be a configuration") from None
    try:
        return BuildConfig.model_validate(settings | dict(overrides))
    except ValidationError as error:
        source, schema = Source(overrides, spelled or {}, file), BuildConfig.model_json_schema()
        told = [problem_text(dict(problem), source, schema) for problem in error.errors()]
        raise ConfigError("\n".join(dict.fromkeys(told))) from error


def _range(word: str) -> tuple[object, ...]:
    """The levels of `4` or `1-3`; what is neither stays as it is, for the complaint about it."""
    ends = re.fullmatch(r"([1-5])\s*[-–]\s*([1-5])", word)
    if ends is None or ends[1] > ends[2]:
        return (int(word) if word in {"1", "2", "3", "4", "5"} else word,)
    return tuple(range(int(ends[1]), int(ends[2]) + 1))
