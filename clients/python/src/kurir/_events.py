"""Follows the feed of events by long polling.

Each page is asked for by the cursor of the one before, so an outage loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ._errors import KurirError, is_passing
from .types import Event, ListEventsAnswer

if TYPE_CHECKING:
    from ._client import Kurir

WAIT_SECONDS = 25
PATIENCE_SECONDS = 10.0
"""After this long without an answer to a request that waits, the connection is broken."""
MAX_PAUSE_SECONDS = 30.0


class EventFeed:
    """The events of an account, one after the other. Iterate over it."""

    def __init__(
        self,
        client: Kurir,
        after: str | None,
        types: Sequence[str] | None,
        device_id: str | None,
        follow: bool,
    ) -> None:
        self._client = client
        self._cursor = after
        self._types = types
        self._device_id = device_id
        self._follow = follow

    @property
    def cursor(self) -> str | None:
        """The place up to which all events were handled. ``None``: the feed has not begun."""
        return self._cursor

    def __iter__(self) -> Iterator[Event]:
        failures = 0
        while True:
            try:
                page = self._read_page()
            except KurirError as error:
                if not self._follow or not is_passing(error):
                    raise
                self._pause(failures)
                failures += 1
                continue
            failures = 0
            yield from page["events"]
            self._cursor = page["next_cursor"]
            if not self._follow and not page["has_more"]:
                return

    def _read_page(self) -> ListEventsAnswer:
        wait = WAIT_SECONDS if self._follow and self._cursor is not None else 0
        return self._client.list_events(
            after=self._cursor,
            types=self._types,
            device_id=self._device_id,
            wait=wait,
            timeout=max(self._client._timeout, wait + PATIENCE_SECONDS),
        )

    def _pause(self, failures: int) -> None:
        clock = self._client._clock
        clock.sleep(min(2.0**failures, MAX_PAUSE_SECONDS) * (0.5 + clock.random() / 2))
