"""The tables of the report: what each number is, and how tables look on a terminal, in CSV, LaTeX and HTML."""
