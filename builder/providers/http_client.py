"""The HTTP client of live calls: the SDKs' own one over aiohttp, without what a call to a model has no use for.

A third of a call's CPU time went into merging URLs, headers and cookies that are the same in every call, and into
authentication and redirects that no call has. Proxies, TLS and time limits stay as the SDK's client has them.
"""

from typing import Any

import httpx2


class PlainClient(httpx2.AsyncClient):
    """Sends JSON requests as they are given; whatever else is asked of it goes the usual way.

    Redirects are not followed: a key belongs to the address it was given for. They come back as an error that names
    the new address. Put it before an SDK's aiohttp client in a class's bases.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, follow_redirects=False)
        self._targets: dict[str, httpx2.URL] = {}
        self._usual = [(name, self.headers[name]) for name in ("accept-encoding", "connection")]
        self._timeouts: dict[str, Any] = {"timeout": self.timeout.as_dict()}

    def build_request(self, method: str, url: httpx2.URL | str, **given: Any) -> httpx2.Request:
        """The request, with the limits of time that the client was made with."""
        headers, content = given.get("headers"), given.get("content")
        other = (value for name, value in given.items() if name not in ("headers", "content", "timeout"))
        if not (isinstance(content, bytes) and isinstance(headers, list)) or any(value is not None for value in other):
            return super().build_request(method, url, **given)
        address = str(url)
        target = self._targets.get(address) or self._targets.setdefault(address, httpx2.URL(address))
        sent = {name.lower(): value for name, value in (*self._usual, *headers)}
        raw = [(name.encode("ascii"), value.encode("ascii")) for name, value in sent.items()]
        raw += [(b"host", target.netloc), (b"content-length", b"%d" % len(content))]
        request = httpx2.Request(
            method, target, headers=raw, stream=httpx2.ByteStream(content), extensions=self._timeouts
        )
        request.headers.encoding = "ascii"
        request.read()
        return request

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """The response, read to its end. Raises httpx2.HTTPError."""
        if stream:
            return await super().send(request, stream=True, **options)
        response = await self._transport_for_url(request.url).handle_async_request(request)
        response.request = request
        try:
            await response.aread()
        finally:
            await response.aclose()
        return response
