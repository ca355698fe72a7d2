"""The lexical judge: offline, deterministic, the same verdict for the same words."""

from annotation.lexical.judge import judge_response
from annotation.lexical.verdict import LexicalVerdict

__all__ = ["LexicalVerdict", "judge_response"]
