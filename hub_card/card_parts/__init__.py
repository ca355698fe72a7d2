"""The computed parts of the card, one question a file."""
