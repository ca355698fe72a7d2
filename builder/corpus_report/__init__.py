"""What the corpus is like, in numbers and to leaf through: `corpus_report.html` and `corpus_report.json`."""
