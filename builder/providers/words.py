"""What servers write, made fit to keep: every letter storable, no half of a key left by a cut."""

from builder.providers.secrets import without_secrets


def well_formed(text: str) -> str:
    """The text with lone surrogates, which no file format can hold, replaced by U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def excerpt(text: str, limit: int = 300) -> str:
    """At most `limit` letters of the text, well-formed; secrets are taken out before the cut, which could halve one."""
    return without_secrets(well_formed(text))[:limit]
