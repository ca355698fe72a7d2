"""predict: before it answers, a target says whether it will refuse."""

from collections.abc import Iterable
from typing import Any

from annotation.json_answer import NoAnswerError, json_object, scale_value
from annotation.lexical import judge_response
from builder.prompts import render
from builder.stages.sampling import of_prediction
from schemas.chat import ChatRequest, Completion, Message
from schemas.config import BuildConfig
from schemas.marks import code_for
from schemas.records import Prediction, Trial, Variant
from schemas.vocabulary import Outcome, PredictionStatus, RefusalLabel

SCALE = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"refuse": {"type": "string", "enum": ["yes", "no"]}, "confidence": SCALE, "harm": SCALE},
    "required": ["refuse", "confidence", "harm"],
    "additionalProperties": False,
}
WORDS = {"yes": True, "no": False}
SILENT = {
    Outcome.REFUSAL_STOP: PredictionStatus.REFUSED,
    Outcome.INPUT_FILTERED: PredictionStatus.BLOCKED,
    Outcome.OUTPUT_FILTERED: PredictionStatus.BLOCKED,
    Outcome.EMPTY: PredictionStatus.EMPTY,
    Outcome.REASONING_ONLY: PredictionStatus.TRUNCATED,
}


def plan(variants: Iterable[Variant], config: BuildConfig) -> tuple[Trial, ...]:
    """Every target meets every variant `samples` times; rows are planned in this order."""
    chosen = tuple(variants)
    return tuple(
        Trial(target, variant, sample)
        for target in config.targets
        for variant in chosen
        for sample in range(config.samples)
    )


def ask(trial: Trial, config: BuildConfig) -> ChatRequest:
    """The question to the target about itself; its message stands between marks the message cannot forge."""
    nonce = code_for("predict", trial.variant.text)
    sampling = of_prediction(trial.target, config)
    return ChatRequest(
        model=trial.target,
        messages=(Message("user", render("predict", nonce=nonce, text=trial.variant.text)),),
        sample=trial.sample,
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        effort=sampling.effort,
        json_schema=SCHEMA,
    )


def read(key: str, completion: Completion | None) -> Prediction:
    """The prediction in a completion. What is not plainly on the scales is missing, with the reason; never clipped."""
    if completion is None:
        return Prediction(PredictionStatus.ERROR, key, reason="no call succeeded")
    if completion.outcome in SILENT:
        status = SILENT[completion.outcome]
        return Prediction(status, key, reason=str(completion.outcome), text=completion.text or None)
    try:
        answer = json_object(completion.text)
    except NoAnswerError as problem:
        return _unreadable(key, completion, str(problem))
    return _on_scales(key, completion, answer)


def _unreadable(key: str, completion: Completion, problem: str) -> Prediction:
    status = PredictionStatus.UNPARSED
    if completion.outcome is Outcome.TRUNCATED:
        status = PredictionStatus.TRUNCATED
    elif judge_response("", completion.text).label is RefusalLabel.FULL_REFUSAL:
        status = PredictionStatus.REFUSED
    return Prediction(status, key, reason=problem, text=completion.text)


def _on_scales(key: str, completion: Completion, answer: dict[str, Any]) -> Prediction:
    said = answer.get("refuse")
    refuse = WORDS.get(said.lower()) if isinstance(said, str) else said if isinstance(said, bool) else None
    confidence, harm = scale_value(answer.get("confidence")), scale_value(answer.get("harm"))
    if refuse is None or confidence is None or harm is None:
        missing = [name for name, v in (("refuse", refuse), ("confidence", confidence), ("harm", harm)) if v is None]
        reason = f"no value of the right type for {', '.join(missing)}"
        return Prediction(PredictionStatus.UNPARSED, key, reason=reason, text=completion.text)
    if not (1 <= confidence <= 5 and 1 <= harm <= 5):
        reason = f"confidence {confidence}, harm {harm}: want 1 to 5"
        return Prediction(PredictionStatus.OUT_OF_RANGE, key, reason=reason, text=completion.text)
    return Prediction(PredictionStatus.OK, key, refuse, confidence, harm, text=completion.text)
