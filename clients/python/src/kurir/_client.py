"""The client: the generated operations, and what takes more than one of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Callable, Literal

from ._errors import KurirError, is_passing
from ._events import EventFeed
from ._operations import Operations
from .types import Job

WaitUntil = Literal["sent", "delivered", "read"]

STEPS = ("sent", "delivered", "read")
ENDS = ("failed", "expired", "cancelled", "unknown")
FIRST_INTERVAL_SECONDS = 0.2
MAX_INTERVAL_SECONDS = 5.0


class Kurir(Operations):
    """A client of one gateway and one key. Threads may share it, and it needs no closing.

    Args:
        base_url: The address of the gateway, such as ``https://gateway.example.com``.
        api_key: The key, ``kk_…``.
        api_secret: Its secret, ``ks_…``.
        device_id: The device that sends, unless a call names another one.
        timeout: How long each try may take, in seconds.
        max_retries: How many times a call is tried again, if that is safe.
        ssl_context: For certificates of your own. The default trusts those of this machine.
        clock: The source of time and chance, for tests.

    Raises:
        ValueError: The address is not plain http(s), or the key is empty.

    A call returns the ``data`` of the gateway's answer. It raises :class:`KurirError` if the
    gateway refuses or does not answer, and ValueError if the call cannot be sent as it is.
    """

    @classmethod
    def from_env(cls) -> Kurir:
        """Return a client with the settings of the environment.

        It reads ``KURIR_BASE_URL``, ``KURIR_API_KEY``, ``KURIR_API_SECRET`` and
        ``KURIR_DEVICE_ID``. The last may be missing. Raises ValueError if another one is.
        """
        names = ("KURIR_BASE_URL", "KURIR_API_KEY", "KURIR_API_SECRET")
        missing = [name for name in names if not os.environ.get(name)]
        if missing:
            raise ValueError(f"Set {', '.join(missing)}.")
        base_url, api_key, api_secret = (os.environ[name] for name in names)
        return cls(base_url, api_key, api_secret, os.environ.get("KURIR_DEVICE_ID"))

    def wait_for_job(
        self,
        job_id: str,
        *,
        until: WaitUntil = "delivered",
        timeout: float = 60.0,
        on_status: Callable[[Job], None] | None = None,
    ) -> Job:
        """Look a job up, at growing intervals, until it reaches a status or ends otherwise.

        Args:
            job_id: The id that ``send_message`` returned.
            until: The status to wait for.
            timeout: How long to wait at most, in seconds.
            on_status: Called with each new status, also with the first.

        Returns:
            The job when it reaches ``until``, or ends as ``failed``, ``expired``, ``cancelled`` or
            ``unknown``. Check its ``status``.

        Raises:
            KurirError: The time is over (``WAIT_TIMEOUT``, with ``last_job``), or the first look-up
                failed. Later outages do not end the wait.
        """
        clock = self._clock
        deadline = clock.now() + timeout
        bounded = self._until(deadline)
        last_job: Job | None = None
        interval = FIRST_INTERVAL_SECONDS
        while True:
            cause: KurirError | None = None
            try:
                job = bounded.get_message(job_id)
            except KurirError as error:
                is_late = clock.now() >= deadline
                if not is_passing(error) or (last_job is None and not is_late):
                    raise
                cause = error
            else:
                if on_status and (last_job is None or job["status"] != last_job["status"]):
                    on_status(job)
                if _has_reached(job, until) or job["status"] in ENDS:
                    return job
                last_job = job
            left = deadline - clock.now()
            if left <= 0:
                raise _wait_timeout(job_id, until, timeout, last_job) from cause
            clock.sleep(min(interval, left))
            interval = min(interval * 1.5, MAX_INTERVAL_SECONDS)

    def iter_events(
        self,
        *,
        after: str | None = None,
        types: Sequence[str] | None = None,
        device_id: str | None = None,
        follow: bool = True,
    ) -> EventFeed:
        """Return the events of the account as something to iterate over.

        Store ``feed.cursor`` after you have handled an event, and pass it as ``after`` to continue.
        After a crash the last page may come again, so compare the ``id`` of each event.

        Args:
            after: The cursor to continue from. ``earliest`` begins with the oldest event. Left out,
                the feed begins now.
            types: Only events of these types.
            device_id: Only events of this device.
            follow: Wait for new events for ever, also through outages. If false, the feed ends
                after the newest event, and an outage raises.

        Raises:
            KurirError: While you iterate, if the gateway refuses for good.
        """
        return EventFeed(self, after, types, device_id, follow)


def _has_reached(job: Job, until: WaitUntil) -> bool:
    return job["status"] in STEPS[STEPS.index(until) :]


def _wait_timeout(
    job_id: str, until: WaitUntil, timeout: float, last_job: Job | None
) -> KurirError:
    seen = "it could not be looked up" if last_job is None else f"it is {last_job['status']}"
    message = f"{job_id} was not {until} within {timeout:g} s; {seen}."
    return KurirError("WAIT_TIMEOUT", message, last_job=last_job)
