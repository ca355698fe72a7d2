"""Counts in words."""


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 match`, `2,000 matches`: the noun in the number that fits, its plural with an s unless given."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
