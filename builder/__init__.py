"""Composition: commands, the pipeline, the journal, stages, providers and transports."""

import os

# NumPy reads this when it is first imported. Our matrices are tiny: more threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
