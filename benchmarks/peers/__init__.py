"""The peers that `benchmarks.asking` measures: each script runs in an environment of its own, apart from ours."""
