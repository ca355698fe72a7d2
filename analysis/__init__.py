"""Numbers, tables, figures and report of the dataset; runs wherever the folder is copied, as `python -m analysis`."""
