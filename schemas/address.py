"""The address of a provider's server: it is kept in a run's settings, so it must hold nothing secret. Pure."""


def check_address(provider: str, url: str) -> None:
    """Raise ValueError, without the address, if it holds a user, a password or a query, where keys could stand.

    It says which environment variable the key belongs in.
    """
    variable = f"{provider.upper().replace('-', '_')}_API_KEY"
    instead = f"leave it out, and if the server wants a key set the environment variable {variable}"
    if "@" in url:
        raise ValueError(f"{provider}: the address holds a user or password (…@HOST), which would be kept; {instead}")
    if "?" in url or "#" in url:
        raise ValueError(f"{provider}: the address goes on after its path (?… or #…), which is never sent; {instead}")
