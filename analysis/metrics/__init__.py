"""The statistics of the analysis: one method a file, arrays in, plain results out (numpy and scipy only)."""
