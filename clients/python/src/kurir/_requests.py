"""Turns an operation and its fields into the bytes that are signed and sent."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlencode

from ._unset import UNSET

Repeat = Literal["harmless", "first-answer", "refuse"]
"""How the gateway treats a second use of a signature."""


@dataclass(frozen=True)
class Route:
    """One operation of the API."""

    method: str
    path: str
    repeat: Repeat
    needs_device: bool = False
    """Whether the request names a device in ``X-Device-Id``."""
    has_client_ref: bool = False
    """Whether the gateway recognises a repeat by ``client_ref``, also with another signature."""
    nullable: tuple[str, ...] = ()
    """The fields of the body for which null has a meaning."""


@dataclass(frozen=True)
class PlainRequest:
    """A request before it is signed. All tries use the same one."""

    method: str
    target: str
    """Path and query, exactly as they are sent."""
    body: bytes | None
    device_id: str | None
    idempotency_key: str | None
    repeat: Repeat


@dataclass(frozen=True)
class SignedRequest:
    """A request with the headers of one signature."""

    plain: PlainRequest
    signed_at_ms: int
    headers: dict[str, bytes]


def request_path(template: str, ids: Mapping[str, str]) -> str:
    """Return the path with its ids. Raises ValueError for a text that is no id."""
    path = template
    for name, value in ids.items():
        if not re.fullmatch(r"[A-Za-z0-9_:-]+", value):
            raise ValueError(f"{value!r} is not a {name.replace('_', ' ')}.")
        path = path.replace("{" + name + "}", value)
    return path


def request_query(fields: Mapping[str, Any]) -> str:
    """Return the query with its question mark, or an empty text. Leaves out None and UNSET."""
    given = {name: _query_text(value) for name, value in fields.items() if _is_given(value)}
    return "?" + urlencode(given) if given else ""


def request_body(route: Route, fields: Mapping[str, Any]) -> bytes:
    """Return the fields as JSON. Leaves out UNSET, and None where the API knows no null."""
    given = {
        name: value
        for name, value in fields.items()
        if _is_given(value) or (value is None and name in route.nullable)
    }
    if route.has_client_ref:
        given = _with_client_refs(given)
    return json.dumps(given, ensure_ascii=False, default=_json_value).encode()


def sign(request: PlainRequest, timestamp: str, secret: str) -> str:
    """Return the signature of scheme 2, in lower-case hex."""
    parts = (
        "v2",
        request.method,
        request.target,
        timestamp,
        request.device_id or "",
        _sha256((request.idempotency_key or "").encode()),
        _sha256(request.body or b""),
    )
    return hmac.new(secret.encode(), ":".join(parts).encode(), hashlib.sha256).hexdigest()


def signed(request: PlainRequest, signed_at_ms: int, api_key: str, secret: str) -> SignedRequest:
    """Return the request with its headers. The time is in milliseconds since 1970."""
    timestamp = str(signed_at_ms)
    headers = {
        "Accept": "application/json",
        "Content-Type": None if request.body is None else "application/json",
        "X-Device-Id": request.device_id,
        "Idempotency-Key": request.idempotency_key,
        "X-API-Key": api_key,
        "X-Timestamp": timestamp,
        "X-Signature-Version": "2",
        "X-Signature": sign(request, timestamp, secret),
    }
    sent = {name: value.encode() for name, value in headers.items() if value is not None}
    return SignedRequest(request, signed_at_ms, sent)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_given(value: Any) -> bool:
    return value is not None and value is not UNSET


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _json_value(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _json_value(value: Any) -> str:
    if not isinstance(value, datetime):
        raise TypeError(f"{type(value).__name__} is not JSON.")
    if value.tzinfo is None:
        raise ValueError("Give a time with its zone, such as datetime.now(timezone.utc).")
    return value.isoformat()


def _with_client_refs(body: dict[str, Any]) -> dict[str, Any]:
    """Name each message or device that has no name, so that the gateway recognises a repeat."""
    if "messages" in body:
        return {**body, "messages": [_with_client_ref(message) for message in body["messages"]]}
    return _with_client_ref(body)


def _with_client_ref(fields: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in fields.items() if _is_given(value)}
    return {"client_ref": f"kc_{uuid.uuid4()}", **given}
