"""What an error says to a user: the operating system's complaints in words, with what to do about them. Pure."""

import errno

FULL = "free some space and run the same command again; what was answered is on record"
DENIED = "you may not read or write there: choose another place, or change its permissions"
ADVICE = {
    errno.ENOENT: "check the path",
    errno.EACCES: DENIED,
    errno.EPERM: DENIED,
    errno.EROFS: DENIED,
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: FULL,
    errno.EEXIST: "something else is where a directory is wanted: choose another place",
    errno.ENOTDIR: "a file is where a directory is wanted: choose another place",
    errno.EISDIR: "a directory is where a file is wanted: name a file",
}


def problem_text(error: BaseException | str) -> str:
    """The error's own words; of an operating system's error the file, what is the matter and what to do."""
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text (byte {error.start + 1:,} is {error.object[error.start]:#04x}); save it as UTF-8"
    if not isinstance(error, OSError) or error.errno is None or error.strerror is None:
        return str(error)
    files = " and ".join(str(file) for file in (error.filename, error.filename2) if file is not None)
    words = f"{files}: {error.strerror}" if files else error.strerror
    advice = ADVICE.get(error.errno)
    return f"{words}; {advice}" if advice else words
