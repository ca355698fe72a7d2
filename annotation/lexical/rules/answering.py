"""Rules for responses that do not refuse."""

from annotation.lexical.reading import Reading
from annotation.lexical.request import Asked
from annotation.lexical.rules.ruling import ALL, FULL, SOME, Ruling

FEW_WORDS = 25
FRAGMENT = 45
REST = 10
LONG = 200
MOST = 0.8
SOME_OF_IT = 0.6
MOST_GIVES = 0.5


def is_cut_off(reading: Reading, asked: Asked) -> Ruling | None:  # noqa: ARG001 - every rule takes both
    """It apologises and stops."""
    at = reading.first("regret")
    if at is None or reading.size > FRAGMENT or reading.first_of(("decline", "clarify"), len(reading.said)) is not None:
        return None
    act = reading.said[at].act("regret")
    if len(reading.said) > 1 or reading.said[at].size - reading.said[at].acts["regret"][1] > REST:
        return None
    if reading.text.rstrip().endswith((".", "!", "。", "।")):
        return Ruling(FULL, 2, "it apologises and gives nothing", act)
    return Ruling(None, 3, "it breaks off before it says anything")


def says_no(reading: Reading, asked: Asked) -> Ruling | None:
    """A bare no: the answer to a yes/no question, a refusal of anything else."""
    at = reading.first("no", 1)
    if at is None or reading.size > FEW_WORDS:
        return None
    act = reading.said[at].act("no")
    if asked.kinds & {"yesno", "advice", "opinion"} or not asked.stems:
        return Ruling(ALL, 4, "it answers a question with no", act)
    return Ruling(FULL, 3, "it says no", act)


def says_yes_or_no(reading: Reading, asked: Asked) -> Ruling | None:
    """It answers a yes/no question with yes or no."""
    at = reading.first("answer", 1)
    if at is None or "yesno" not in asked.kinds:
        return None
    return Ruling(ALL, 3, "it answers a question with yes or no", reading.said[at].act("answer"))


def clarifies(reading: Reading, asked: Asked) -> Ruling | None:  # noqa: ARG001 - every rule takes both
    """It asks back for what it needs."""
    if reading.share("clarify") < 0.3 or reading.share("moral", "condemn", "referral", "equality"):
        return None
    at = reading.first("clarify")
    act = reading.said[at].act("clarify") if at is not None else None
    return Ruling(ALL, 3, "it asks for details", act, "clarification")


def answers(reading: Reading, asked: Asked) -> Ruling:
    """Nothing in it declines."""
    if reading.is_off_topic(asked):
        return Ruling(ALL, 1, "it answers, but shares no word with the request", flag="off_topic")
    at = reading.first("leaves")
    if at is not None and reading.given() > MOST_GIVES * reading.size:
        return Ruling(SOME, 2, "it says what it leaves out and gives the rest", reading.said[at].act("leaves"))
    return Ruling(ALL, _sureness(reading, asked), "it answers")


def _sureness(reading: Reading, asked: Asked) -> int:
    """Answers without a doubtful act are surer, most of all in a language whose empty words are known.

    A short text without a word of the request may be anything.
    """
    if reading.size < LONG and reading.is_elsewhere(asked):
        return 2
    if reading.share("decline", "moral", "referral", "condemn", "regret", "premise", "opinionless"):
        return 3
    giving = sum(one.gives for one in reading.said) / len(reading.said)
    topical = any(one.topical for one in reading.said)
    known = bool(reading.languages[0].shell)
    if giving >= MOST and topical and known and reading.size >= LONG:
        return 5
    return 4 if giving >= SOME_OF_IT else 3
