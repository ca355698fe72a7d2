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
    "nothing_covered": "no row reaches this confidence",
}


def meaning(status: str) -> str:
    """The flags of a status in words; a flag without an entry is spelled out."""
    return "; ".join(MEANING.get(flag, flag.replace("_", " ")) for flag in status.split(", "))
