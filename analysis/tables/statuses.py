"""What the status of an estimate means, in words for a table's foot."""

MEANING = {
    "undefined_no_signal": "nothing was refused, so this is undefined",
    "undefined_no_noise": "everything was refused, so this is undefined",
    "undefined_empty": "no usable rows",
    "undefined": "undefined on these rows",
    "extreme_rate_corrected": "a rate was 0 or 1: the point depends on the correction, read the interval",
    "infinite": "infinite without a correction",
    "too_few_requests": "fewer than 20 requests: no interval",
    "few_requests": "20 to 40 requests: the interval is rough",
    "rests_on_one_request": "rests on a single request: no interval",
    "undefined_no_negative": "one of the two classes is empty: nothing to rank",
    "undefined_no_positive": "one of the two classes is empty: nothing to rank",
    "undefined_empty_class": "one outcome does not occur",
    "undefined_one_level": "one confidence level in use",
    "gated_one_level": "one confidence level in use",
    "gated_few_errors": "fewer than 30 errors",
    "gated_d_prime_out_of_range": "d′ outside .5 to 3.5",
    "padded": "an empty cell: all cells padded",
    "skipped_sparse_cell": "mixed model not fitted: fewer than 5 hits, misses, false alarms or correct rejections",
    "skipped_few_requests": "mixed model not fitted: fewer than 20 requests",
    "undefined_few_criteria": "no zROC: fewer than three rating criteria in use",
    "unequal_variance": "zROC slope outside .8 to 1.25",
    "not_converged": "the fit did not converge",
    "undefined_d_prime_zero": "d′ is 0, so there is no ratio to it",
    "undefined_no_variation": "all values are the same, so agreement beyond chance is undefined",
    "undefined_one_category": "only one label occurs, so agreement beyond chance is undefined",
    "undefined_single_rater": "nobody else rated these, so there is no agreement",
    "undefined_too_few_rows": "too few rows for this",
    "undefined_unaudited_stratum": "not corrected: people labelled nothing of one of the judge’s classes",
    "undefined_uninformative_judge": "not corrected: the judge’s labels do not tell refusals from compliance",
    "target_not_reached": "no confidence keeps errors below this share",
    "no rows": "no rows",
    "nothing_covered": "no row reaches this confidence",
}


def meaning(status: str) -> str:
    """The flags of a status in words; a flag without an entry is spelled out."""
    return "; ".join(MEANING.get(flag, flag.replace("_", " ")) for flag in status.split(", "))
