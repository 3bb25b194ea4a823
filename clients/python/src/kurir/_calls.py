"""One call: tries until the gateway answers, refuses for good, or no try is left.

A send repeats the signature of its first try, and the gateway then gives its first answer. Shortly
before that signature expires, the send is signed again. Its client_ref then keeps it single. Any
other call is signed again for each try.
"""

from __future__ import annotations

import copy
import ssl
from collections.abc import Iterator, Mapping
from typing import Any, Callable, TypeVar
from urllib.parse import SplitResult, urlsplit

from ._clock import Clock, GatewayTime
from ._errors import KurirError
from ._requests import (
    PlainRequest,
    Route,
    SignedRequest,
    request_body,
    request_path,
    request_query,
    signed,
)
from ._retries import retry_delay
from ._tries import TimestampRefusedError, Try

REUSE_SIGNATURE_MS = 270_000
"""The gateway accepts a signature for 300 s. A repeat must arrive before that."""

Answer = TypeVar("Answer")
Caller = TypeVar("Caller", bound="Calls")
Attempt = Callable[[Try, SignedRequest, float], Answer]


class Calls:
    """The settings of a client, and the way of a call. The generated operations stand on it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        api_secret: str,
        device_id: str | None = None,
        timeout: float = 30.0,
        *,
        max_retries: int = 3,
        ssl_context: ssl.SSLContext | None = None,
        clock: Clock | None = None,
    ) -> None:
        if not api_key or not api_secret:
            raise ValueError("api_key and api_secret must not be empty.")
        self._base = _parse_base_url(base_url)
        self._api_key = api_key
        self._api_secret = api_secret
        self._device_id = device_id
        self._timeout = timeout
        self._max_retries = max_retries
        self._ssl_context = ssl_context
        self._clock = clock or Clock()
        self._gateway_time = GatewayTime(self._clock.now)
        self._deadline: float | None = None

    def _call(
        self,
        route: Route,
        *,
        ids: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        device_id: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Return the ``data`` of the gateway's answer."""
        request = self._request(route, ids, query, body, device_id, idempotency_key)
        return self._try_again(request, timeout, _read_answer)

    def _download(
        self,
        route: Route,
        *,
        ids: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Iterator[str]:
        """Yield the lines of a file. A refusal is raised before the first line."""
        request = self._request(route, ids, query, None, None, None)
        attempt, lines = self._try_again(request, timeout, _read_file)
        try:
            yield from lines
        finally:
            attempt.close()

    def _pages(self, items: str, list_page: Callable[..., Any], **filters: Any) -> Iterator[Any]:
        """Yield the items of all pages. Each page is asked for when the one before is used up."""
        while True:
            page = list_page(**filters)
            yield from page[items]
            if page["next_cursor"] is None:
                return
            filters["cursor"] = page["next_cursor"]

    def _until(self: Caller, deadline: float) -> Caller:
        """Return the same client whose calls end at ``deadline``, in seconds since 1970."""
        bounded = copy.copy(self)
        bounded._deadline = deadline
        return bounded

    def _request(
        self,
        route: Route,
        ids: Mapping[str, str] | None,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        device_id: str | None,
        idempotency_key: str | None,
    ) -> PlainRequest:
        device = (device_id or self._device_id or "").strip() if route.needs_device else ""
        if route.needs_device and not device:
            raise ValueError(f"{route.path} needs the id of a device: give device_id.")
        path = request_path(route.path, ids or {})
        return PlainRequest(
            method=route.method,
            target=self._base.path + path + request_query(query or {}),
            body=None if body is None else request_body(route, body),
            device_id=device or None,
            idempotency_key=None if idempotency_key is None else idempotency_key.strip(),
            repeat=route.repeat,
        )

    def _try_again(
        self, request: PlainRequest, timeout: float | None, read: Attempt[Answer]
    ) -> Answer:
        ready = self._sign(request)
        corrected = False
        retries = 0
        while True:
            try:
                return self._try_once(ready, timeout, read)
            except TimestampRefusedError as refused:
                if corrected:
                    raise
                corrected = True
                self._gateway_time.correct(refused.gateway_now)
                ready = self._sign(request)
            except KurirError as error:
                delay = retry_delay(error, request.repeat, retries, self._clock.random())
                if delay is None or retries >= self._max_retries or self._is_too_late(delay):
                    raise
                retries += 1
                self._clock.sleep(delay)
                if not self._is_reusable(ready):
                    ready = self._sign(request)

    def _try_once(
        self, request: SignedRequest, timeout: float | None, read: Attempt[Answer]
    ) -> Answer:
        now = self._clock.now()
        seconds = self._timeout if timeout is None else timeout
        if self._deadline is not None:
            # The last try may start at the deadline.
            seconds = min(seconds, max(self._deadline - now, 1.0))
        attempt = Try(self._base, self._ssl_context, seconds)
        return read(attempt, request, now)

    def _is_too_late(self, delay: float) -> bool:
        return self._deadline is not None and self._clock.now() + delay > self._deadline

    def _sign(self, request: PlainRequest) -> SignedRequest:
        """Sign with a fresh time. No two calls share it if the gateway refuses a second use."""
        time = self._gateway_time
        at_ms = time.next_unique_ms() if request.repeat == "refuse" else time.now_ms()
        return signed(request, at_ms, self._api_key, self._api_secret)

    def _is_reusable(self, request: SignedRequest) -> bool:
        age_ms = self._gateway_time.now_ms() - request.signed_at_ms
        return request.plain.repeat == "first-answer" and 0 <= age_ms < REUSE_SIGNATURE_MS


def _read_answer(attempt: Try, request: SignedRequest, now: float) -> Any:
    try:
        return attempt.answer(request, now)
    finally:
        attempt.close()


def _read_file(attempt: Try, request: SignedRequest, now: float) -> tuple[Try, Iterator[str]]:
    try:
        return attempt, attempt.file(request, now)
    except BaseException:
        attempt.close()
        raise


def _parse_base_url(text: str) -> SplitResult:
    """Return the parts of a plain http(s) address. A query or a password in it is not signed."""
    base = urlsplit(text)
    plain = f"{base.scheme}://{base.netloc}{base.path}" == text and "@" not in base.netloc
    if base.scheme not in ("http", "https") or not base.hostname or not plain:
        raise ValueError("The base URL must be like https://gateway.example.com, without a query.")
    return base._replace(path=base.path.rstrip("/"))
