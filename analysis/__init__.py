"""Numbers, tables, figures and report of the dataset; runs wherever the folder is copied, as `python -m analysis`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .report import run
    from .summary import Summary

__all__ = ["Summary", "run"]


def __getattr__(name: str) -> Any:
    # Drawing needs matplotlib, which takes a second to import: whoever wants a statistic alone should not wait for it.
    if name == "run":
        from .report import run

        return run
    if name == "Summary":
        from .summary import Summary

        return Summary
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
