"""What a report is about: the rows of every target under one coding, and how intervals and tests are to be made."""

from dataclasses import dataclass, field

import numpy as np

from .data import LENIENT, Bools, Coding, Datapoints, Ints, TargetRows, target_rows
from .estimates import Numbers, numbers


class UnequalItemsError(ValueError):
    """Targets answered different items, so a comparison between them would compare item sets."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Choices of a run: coding, study conventions, seed and number of resamples."""

    coding: Coding = LENIENT
    paper: bool = False
    allow_unequal_items: bool = False
    seed: int = 0
    n_resamples: int = 2000
    m_ratio_resamples: int = 2000


@dataclass(frozen=True, slots=True)
class Study:
    """The data of a report, split by target in order of name."""

    data: Datapoints
    settings: Settings
    targets: tuple[TargetRows, ...]
    _numbers: dict[str, Numbers] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> list[str]:
        """Names of the targets, in the order of `targets`."""
        return [target.name for target in self.targets]

    @property
    def topics(self) -> tuple[int, ...]:
        """Codes of the topics that any target has rows for, in the table's order."""
        return tuple(int(code) for code in np.unique(self.data.topic.codes))

    def topic_name(self, code: int) -> str:
        """The topic's name as stored."""
        return self.data.topic.names[code]

    def numbers(self, target: TargetRows, mask: Bools | None = None) -> Numbers:
        """Counts of a target's rows (those under `mask`); counts of all rows are made once."""
        if mask is not None:
            return numbers(target.where(mask))
        if target.name not in self._numbers:
            self._numbers[target.name] = numbers(target)
        return self._numbers[target.name]


def study(data: Datapoints, settings: Settings) -> Study:
    """The rows of every target that has any."""
    codes = [int(code) for code in np.unique(data.target.codes)]
    return Study(data, settings, tuple(target_rows(data, code, settings.coding) for code in codes))


def item_keys(rows: TargetRows) -> Ints:
    """One integer an item (request, variant, sample), equal across targets."""
    return (rows.request * 4096 + rows.variant) * 65536 + rows.sample
