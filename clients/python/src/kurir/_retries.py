"""Says which failures may be tried again without doing anything twice, and after which delay."""

from __future__ import annotations

from ._errors import NO_ANSWER, KurirError
from ._requests import Repeat

FIRST_BACKOFF_SECONDS = 0.25
MAX_BACKOFF_SECONDS = 8.0
MAX_RETRY_AFTER_SECONDS = 60.0
"""If ``Retry-After`` is longer, the call fails. The caller finds it in the error."""


def retry_delay(error: KurirError, repeat: Repeat, retry: int, random: float) -> float | None:
    """Return the seconds until the next try, or None. ``retry`` counts from 0."""
    may_try = _may_try_unanswered if error.code == NO_ANSWER else _may_try_refused
    if not may_try(error, repeat):
        return None
    if error.retry_after is None:
        return min(FIRST_BACKOFF_SECONDS * 2**retry, MAX_BACKOFF_SECONDS) * (0.5 + random / 2)
    if error.retry_after > MAX_RETRY_AFTER_SECONDS:
        return None
    # Never sooner than asked. The spread keeps clients from coming back all at the same time.
    return error.retry_after + random * FIRST_BACKOFF_SECONDS


def _may_try_unanswered(error: KurirError, repeat: Repeat) -> bool:
    if error.status is not None and _is_lasting(error.status):
        return False
    return repeat != "refuse" or not error.may_have_arrived


def _may_try_refused(error: KurirError, repeat: Repeat) -> bool:
    """With 429 and 503 the gateway asks for another try, and it does not repeat work that is done.

    After any other 5xx only a repeatable call is tried again.
    """
    status = error.status or 0
    return status in (429, 503) or (repeat != "refuse" and not _is_lasting(status))


def _is_lasting(status: int) -> bool:
    """Return whether another try would only repeat this status, of the gateway or of a proxy."""
    return status >= 300 and status != 429 and (status < 500 or status == 501)
