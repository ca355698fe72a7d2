"""The report: one offline HTML page, files for every table and figure, and a machine-readable summary."""
