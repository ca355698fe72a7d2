"""The code in the marks around material shown to a model; material that lacks the code cannot forge a mark."""

from itertools import count

from schemas.key import digest

LENGTH = 6


def code_for(purpose: str, *texts: str) -> str:
    """A code of LENGTH hex digits that stands in none of `texts`; the same for the same purpose and texts.

    Short, because small models read digits one by one; drawn again until no text contains it, so that length
    adds nothing to its safety.
    """
    whole = "\n".join(texts).lower()
    draws = (digest(purpose, str(draw), *texts)[:LENGTH] for draw in count())
    return next(code for code in draws if code not in whole)
