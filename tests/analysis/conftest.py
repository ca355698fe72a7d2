"""Property tests here are repeatable and have no deadline, so that a busy machine does not fail them."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, max_examples=60)
settings.load_profile("repeatable")
