"""Intervals for the statistics of `analysis.metrics`; the base request is the cluster of every one."""
