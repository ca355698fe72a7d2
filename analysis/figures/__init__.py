"""The figures of the report: each draws what one table says."""
