"""One try over HTTP: sends the signed bytes and returns the answer, or raises a KurirError."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import re
import socket
import ssl
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import SplitResult

from ._errors import NO_ANSWER, KurirError
from ._requests import SignedRequest

CHUNK_BYTES = 65_536


class TimestampRefusedError(KurirError):
    """The gateway refused the timestamp. ``gateway_now`` is its time, in seconds since 1970."""

    gateway_now: float


class Try:
    """One connection to the gateway, used for one request. The caller closes it."""

    def __init__(
        self, base: SplitResult, ssl_context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._origin = f"{base.scheme}://{base.netloc}"
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        host = base.hostname or ""
        if base.scheme == "https":
            context = ssl_context or ssl.create_default_context()
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, base.port, timeout=timeout, context=context
            )
        else:
            self._connection = http.client.HTTPConnection(host, base.port, timeout=timeout)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def answer(self, request: SignedRequest, now: float) -> dict[str, Any]:
        """Return the ``data`` of the answer. ``now`` is the local time in seconds since 1970."""
        response, sock = self._send(request)
        return self._read_answer(response, sock, now)

    def file(self, request: SignedRequest, now: float) -> Iterator[str]:
        """Return the lines of a file with their ends. A refusal is raised at once."""
        response, sock = self._send(request)
        is_json = response.headers.get_content_type() == "application/json"
        if response.status != 200 or is_json:
            self._read_answer(response, sock, now)
            raise self._foreign(response, now)
        # From here on, each read may take the whole time.
        sock.settimeout(self._timeout)
        return self._lines(response)

    def _send(self, request: SignedRequest) -> tuple[http.client.HTTPResponse, socket.socket]:
        plain = request.plain
        try:
            self._connection.connect()
        except OSError as cause:
            raise self._no_answer(cause, may_have_arrived=False) from cause
        sock: socket.socket = self._connection.sock
        try:
            self._limit(sock)
            # The gateway may refuse a long body before it has read all of it.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self._connection.request(plain.method, plain.target, plain.body, request.headers)
            return self._connection.getresponse(), sock
        except (OSError, http.client.HTTPException) as cause:
            raise self._no_answer(cause) from cause

    def _read_answer(
        self, response: http.client.HTTPResponse, sock: socket.socket, now: float
    ) -> dict[str, Any]:
        try:
            text = self._read_all(response, sock)
        except (OSError, http.client.HTTPException) as cause:
            raise self._no_answer(cause) from cause
        envelope = _parse_object(text)
        data = envelope.get("data")
        if response.status < 300 and envelope.get("success") is True and isinstance(data, dict):
            return data
        code, sentence = envelope.get("code"), envelope.get("error")
        if envelope.get("success") is False and isinstance(code, str) and isinstance(sentence, str):
            raise _refusal(response, code, sentence, now)
        raise self._foreign(response, now)

    def _read_all(self, response: http.client.HTTPResponse, sock: socket.socket) -> bytes:
        pieces = []
        # At its end the response closes the socket.
        while not response.isclosed():
            self._limit(sock)
            pieces.append(response.read1(CHUNK_BYTES))
            if not pieces[-1]:
                break
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return b"".join(pieces)

    def _lines(self, response: http.client.HTTPResponse) -> Iterator[str]:
        try:
            # Without a translation of line ends, as the module csv wants it.
            yield from io.TextIOWrapper(response, "utf-8", newline="")
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
        except (OSError, http.client.HTTPException) as cause:
            message = f"{self._origin}: the file broke off."
            raise KurirError(NO_ANSWER, message) from cause

    def _limit(self, sock: socket.socket) -> None:
        """Let the next step take the rest of the time, at most."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise socket.timeout("timed out")
        sock.settimeout(left)

    def _no_answer(self, cause: BaseException, may_have_arrived: bool = True) -> KurirError:
        timed_out = isinstance(cause, socket.timeout)
        reason = f"no answer within {self._timeout:g} s" if timed_out else _reason(cause)
        message = f"{self._origin}: {reason}."
        return KurirError(NO_ANSWER, message, may_have_arrived=may_have_arrived)

    def _foreign(self, response: http.client.HTTPResponse, now: float) -> KurirError:
        """Return the error for an answer that is not the gateway's, such as a proxy's page."""
        status = response.status
        redirects = 300 <= status < 400
        advice = (
            "it redirects; use the address it leads to"
            if redirects
            else ("the answer is not the gateway's JSON")
        )
        return KurirError(
            NO_ANSWER,
            f"{self._origin} answered {status}: {advice}.",
            status,
            retry_after=_retry_after(response, now),
            # After a redirect, a 4xx or a 429 the server has certainly done nothing.
            may_have_arrived=status < 300 or status >= 500,
        )


def _refusal(
    response: http.client.HTTPResponse, code: str, sentence: str, now: float
) -> KurirError:
    gateway_now = _seconds(response.getheader("Date"))
    request_id = response.getheader("X-Request-Id")
    parts = (code, sentence, response.status, request_id, _retry_after(response, now))
    if code != "TIMESTAMP_OUT_OF_RANGE" or gateway_now is None:
        return KurirError(*parts)
    refused = TimestampRefusedError(*parts)
    refused.gateway_now = gateway_now
    return refused


def _reason(cause: BaseException) -> str:
    return (str(cause) or type(cause).__name__).rstrip(".")


def _parse_object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        # The text is not JSON, so it is not from the gateway.
        return {}
    return value if isinstance(value, dict) else {}


def _seconds(text: str | None) -> float | None:
    """Return an HTTP date in seconds since 1970, or None."""
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (TypeError, ValueError):
        return None


def _retry_after(response: http.client.HTTPResponse, now: float) -> float | None:
    """Return the seconds of ``Retry-After``, which holds seconds or an HTTP date."""
    text = response.getheader("Retry-After") or ""
    if re.fullmatch("[0-9]+", text):
        return float(text)
    at = _seconds(text)
    return None if at is None else max(0.0, at - now)
