"""Where a release comes from: targets, judges, versions and settings; and what its tier withholds."""

from collections.abc import Mapping, Sequence
from typing import Any

from hub_card.facts import ReleaseFacts, Tier
from hub_card.layout import CODEBOOK, MANIFEST
from hub_card.markdown import bullets, code, counted, table
from hub_card.redact import WITHHELD_LEVELS

Rows = Mapping[str, Sequence[Any]]
TIERS: dict[Tier, str] = {
    "public": "Tier **public**: the text of responses to level 4 and 5 requests is withheld unless the response is a "
    "refusal; so are unlabelled texts at these levels, judges' quotes and people's notes about them, and what a target "
    "wrote there instead of a prediction. A marker with hash and length stands in their place. Labels are complete.",
    "gated": "Tier **gated**: all text is included, answers to harmful requests too; access is for those who accept "
    "the conditions.",
    "private": "Tier **private**: all text is included, answers to harmful requests too; not for publication.",
}


def summary(tables: Rows, facts: ReleaseFacts) -> str:
    """The release in a few sentences of counts."""
    rows = tables["datapoints"]
    labelled = sum(row.actual_class is not None for row in rows)
    predicted = sum(row.pred_refuse is not None for row in rows)
    return (
        f"**Does a language model know, before it answers, that it will refuse?** {_targets(facts)} first predicted, "
        "for each text, whether it would refuse, then met the text alone in a fresh context. This release has "
        f"{counted(len(rows), 'row')} (target × text × repetition) on {counted(len(tables['requests']), 'request')}: "
        f"{counted(predicted, 'usable prediction')} and {counted(labelled, 'labelled response')}."
    )


def made_with(facts: ReleaseFacts) -> str:
    """The targets as asked and as served, and the versions and hashes that made the release."""
    served = table(
        ["target, as asked", "model, as served"],
        [
            (f"`{asked}`", ", ".join(map(code, models)) or "not reported")
            for asked, models in sorted(facts.targets.items())
        ],
    )
    versions = [
        f"Toolkit {facts.code_version}; corpus `{facts.corpus_hash[:16]}`; codebook {facts.codebook.version} "
        f"(`{facts.codebook.sha256[:16]}`{f', `{CODEBOOK}`' if facts.codebook.text else ''}).",
        "Prompts: " + (", ".join(f"{k} `{v[:16]}`" for k, v in sorted(facts.prompt_hashes.items())) or "none") + ".",
        f"All settings and the full hashes are in `{MANIFEST}`.",
    ]
    return f"{served}\n\n{bullets(versions)}"


def tier(tables: Rows, facts: ReleaseFacts) -> str:
    """What the tier means, and how many responses it withholds here."""
    harmful = sum(row.level in WITHHELD_LEVELS for row in tables["datapoints"])
    withheld = sum(row.response_redacted for row in tables["datapoints"])
    return f"{TIERS[facts.tier]} Withheld here: {withheld:,} of {counted(harmful, 'response')} at levels 4 and 5."


def _targets(facts: ReleaseFacts) -> str:
    names = [f"`{name}`" for name in sorted(facts.targets)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "No target"
