"""Proves that a webhook is from the gateway.

Signatures follow https://www.standardwebhooks.com. The check works on the body as it arrived: JSON
that is parsed and written again may differ.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, cast

from ._errors import KurirError
from .types import Event

TOLERANCE_SECONDS = 300
"""A webhook that is older or newer may be a replay."""

SENTENCES = {
    "WEBHOOK_MALFORMED": "This is no webhook: it lacks webhook-id, webhook-timestamp or"
    " webhook-signature, or its body is no event. Answer 400.",
    "WEBHOOK_WRONG_SIGNATURE": "The signature does not match. Check the secret, and give the body"
    " as it arrived, before anything parses it. Answer 401.",
    "WEBHOOK_TOO_OLD": "The webhook was signed more than five minutes ago or ahead. Check the clock"
    " of this machine. Answer 401.",
}


class Headers(Protocol):
    """The headers of a request, as the frameworks of Python have them."""

    def items(self) -> Iterable[tuple[Any, Any]]:
        """Return pairs of name and value."""


def verify_webhook(
    payload: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str],
    *,
    now: float | None = None,
) -> Event:
    """Return the event of a webhook that the gateway signed within the last five minutes.

    The gateway repeats events, so handle each ``id`` once.

    Args:
        payload: The body as it arrived, before anything parses it.
        headers: The headers of the request. Upper and lower case do not matter.
        secrets: The ``whsec_…`` of the webhook, or several: any of them may have signed.
        now: The present time in seconds since 1970, for tests.

    Raises:
        KurirError: The webhook is not to be trusted. ``code`` is ``WEBHOOK_MALFORMED``,
            ``WEBHOOK_WRONG_SIGNATURE`` or ``WEBHOOK_TOO_OLD``.
        ValueError: A secret is not one.
    """
    body = payload.encode() if isinstance(payload, str) else payload
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("Give the secret of the webhook.")
    given = {str(name).lower(): str(value) for name, value in headers.items()}
    event_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "").split(" ")
    if not event_id or not re.fullmatch("[0-9]{1,12}", timestamp) or not signatures[0]:
        raise _untrusted("WEBHOOK_MALFORMED")
    signed = f"{event_id}.{timestamp}.".encode() + body
    if not any(_matches(key, signed, signatures) for key in keys):
        raise _untrusted("WEBHOOK_WRONG_SIGNATURE")
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        raise _untrusted("WEBHOOK_TOO_OLD")
    return _parse_event(body)


def _untrusted(code: str) -> KurirError:
    return KurirError(code, SENTENCES[code])


def _key(secret: str) -> bytes:
    """Return the bytes of a secret. The error holds no part of it."""
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    if re.fullmatch("[A-Za-z0-9+/]+={0,2}", text) and len(text.rstrip("=")) % 4 != 1:
        key = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
        if 24 <= len(key) <= 64:
            return key
    raise ValueError("A webhook secret is like whsec_…, exactly as the gateway showed it once.")


def _matches(key: bytes, signed: bytes, signatures: Sequence[str]) -> bool:
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(b"v1," + mac, one.encode()) for one in signatures)


def _parse_event(body: bytes) -> Event:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or "id" not in event or "type" not in event:
        raise _untrusted("WEBHOOK_MALFORMED")
    # The signature proves that the gateway wrote it.
    return cast(Event, event)
