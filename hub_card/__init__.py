"""From rows to a published dataset: release directory, card, validation and publishing."""
