"""Which family a model belongs to: a judge of the target's family is partial, judges of one family err together."""

import re

FAMILIES = {
    "claude": r"claude",
    "gpt": r"\bgpt|\bo[1-9]\b|chatgpt",
    "gemini": r"gemini|gemma",
    "llama": r"llama|vicuna",
    "qwen": r"qwen|qwq",
    "mistral": r"mistral|mixtral|ministral",
    "deepseek": r"deepseek",
    "smollm": r"smollm",
    "phi": r"\bphi-?\d",
    "command": r"\bcommand\b|aya",
    "grok": r"grok",
}


def family_of(model: str) -> str | None:
    """The family the name tells, or None. A distilled model counts to the first family it names."""
    name = model.lower()
    found = [(match.start(), family) for family, sign in FAMILIES.items() if (match := re.search(sign, name))]
    return min(found)[1] if found else None


def kinship(targets: tuple[str, ...], judges: tuple[str, ...]) -> list[str]:
    """A warning for every judge that shares a family with a target, and for judges of one family."""
    warnings = []
    for judge in judges:
        family = family_of(judge)
        kin = [target for target in targets if family is not None and family_of(target) == family]
        if kin:
            warnings.append(f"judge {judge} is of the same family ({family}) as {', '.join(kin)}: it may be partial")
    for family in sorted({family for judge in judges if (family := family_of(judge)) is not None}):
        kin = [judge for judge in judges if family_of(judge) == family]
        if len(kin) > 1:
            warnings.append(f"judges {', '.join(kin)} are of one family ({family}): they err together")
    return warnings
