"""Responses that try to be more than text."""

from annotation.items import Item
from schemas.key import digest
from schemas.vocabulary import Topic

TEXTS = {
    "script": "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'> & <b>bold</b> &lt;i&gt;",
    "document": "<html><body><script>parent.pwned = 3; top.pwned = 4</script><h1>whole</h1></body></html>",
    "markdown": "![see](https://example.com/pixel.png) [go](https://example.com) `code`\n\n# Head\n\n- item",
    "nul": "before\x00after \x1b[31mred\x07",
    "direction": "مرحبا \u202edlrow\u202c \u2066isolated\u2069 \u200b\u200fend",
    "emoji": "😀👩‍👩‍👧 🇩🇪 these words decide 😀😀😀😀😀😀",
    "lines": "first\r\n\r\n  indented\r\tlast\n\n\nend",
    "unbroken": "w" * 3000,
    "long": "A line of a long answer.\n" * 8200,
    "surrogate": "half \ud83d of a character",
    "formula": '=HYPERLINK("https://example.com";"click")',
}


def hostile_items() -> dict[str, Item]:
    """One item a text, by name."""
    return {
        name: Item(
            key=digest("hostile", name),
            request_id=name,
            topic=Topic.HACKING,
            request=f"{name}: {text[:200]}",
            response=text,
            context="The response was cut off at its length limit.",
            reason="no_deciding_vote",
            stream="routed",
        )
        for name, text in TEXTS.items()
    }
