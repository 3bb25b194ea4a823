"""The one error of this package."""

from __future__ import annotations

from typing import Any


class KurirError(Exception):
    """A call failed, a wait ran out of time, or a webhook is not to be trusted.

    Attributes:
        code: A code of the gateway's catalogue, such as ``QUOTA_EXHAUSTED``, or one of this
            package: ``NO_ANSWER``, ``WAIT_TIMEOUT``, ``WEBHOOK_MALFORMED``,
            ``WEBHOOK_WRONG_SIGNATURE``, ``WEBHOOK_TOO_OLD``.
        message: A sentence that says what to do next.
        status: The HTTP status. ``None`` if there was no answer.
        request_id: The ``X-Request-Id`` of the answer. Quote it when you ask for help.
        retry_after: Seconds, from ``Retry-After``. ``None`` if the gateway sent none.
        may_have_arrived: ``False`` if the request certainly did not reach the gateway.
        last_job: With ``WAIT_TIMEOUT``, the job as it was last seen. Otherwise ``None``.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        *,
        may_have_arrived: bool = True,
        last_job: Any = None,
    ) -> None:
        super().__init__(code, message, status, request_id, retry_after)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.may_have_arrived = may_have_arrived
        self.last_job = last_job

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


NO_ANSWER = "NO_ANSWER"


def is_passing(error: KurirError) -> bool:
    """Return whether it is an outage, or a gateway that asks to come back later."""
    return error.code == NO_ANSWER or (error.status or 0) >= 500 or error.status == 429
