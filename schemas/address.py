"""The address of a provider's server: it is kept in a run's settings, so it must hold nothing secret. Pure."""

from urllib.parse import urlsplit


def check_address(provider: str, url: str) -> None:
    """Raise ValueError, without the address, if it holds a user, a password or a query, where keys could stand.

    It says which environment variable the key belongs in. Raises ValueError too for an address that cannot be one.
    """
    variable = f"{provider.upper().replace('-', '_')}_API_KEY"
    instead = f"leave it out, and if the server wants a key set the environment variable {variable}"
    if "@" in url:
        raise ValueError(f"{provider}: the address holds a user or password (…@HOST), which would be kept; {instead}")
    if "?" in url or "#" in url:
        raise ValueError(f"{provider}: the address goes on after its path (?… or #…), which is never sent; {instead}")
    if not _is_address(url):
        raise ValueError(f"{provider}: the address is none: want http://HOST:PORT/v1, with a port from 1 to 65535")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # a bracket that is not closed, a port that is no number or too large
        return False
    readable = url.isprintable() and " " not in url
    return readable and port != 0 and bool(parts.hostname or not parts.scheme)
