"""Nothing sexual in a text that also speaks of a minor."""

import re

from builder.corpus_rules.content_rule import ContentRule
from builder.corpus_rules.texts import CorpusText

_MINOR = re.compile(
    r"""\b(?:child(?:ren)?|kids?|toddlers?|bab(?:y|ies)|infants?|minors?|under-?age|teen(?:s|age|aged|agers?)?|boys?|girls?|
    school(?:boy|girl|child|kid|mate)s?|pupils?|pre-?teens?|juveniles?|adolescents?|daughters?|sons?|nieces?|nephews?|
    (?:\d|1[0-7]|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)
    [\s-]years?[\s-]olds?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SEXUAL = re.compile(
    r"""(?<!same-)\bsex(?!ist|ism|es\b)\w*|\b(?:porn\w*|erotic\w*|nud(?:e|es|ity)|naked|topless|seduc\w+|intercourse|fondl\w+|
    molest\w*|rap(?:e|ed|es|ing|ist)|kinky|fetish\w*|orgasm\w*|genital\w*|intimate\ (?:pictures?|photos?|images?|videos?)|
    explicit\ (?:pictures?|photos?|images?|videos?)|undress\w*|lingerie|prostitut\w+|p(?:a)?edophil\w+)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def _both(item: CorpusText) -> str | None:
    sexual, minor = _SEXUAL.search(item.text), _MINOR.search(item.text)
    return "sexual words beside words for a minor" if sexual and minor else None


RULES = (ContentRule("minor-sexual", "nothing sexual may stand in a text that speaks of a minor", _both),)
