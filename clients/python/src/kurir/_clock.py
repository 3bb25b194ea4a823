"""The only source of time and chance. Tests replace it, so that they need not wait."""

import random
import threading
import time
from typing import Callable


class Clock:
    """The clock of this machine."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Return after ``seconds``."""
        time.sleep(seconds)

    def random(self) -> float:
        """Return 0 to 1, for the jitter of retries."""
        return random.random()


class GatewayTime:
    """The clock of this machine, corrected when the gateway refuses a timestamp."""

    def __init__(self, local_now: Callable[[], float]) -> None:
        self._local_now = local_now
        self._offset_ms = 0.0
        self._last_ms = 0
        self._lock = threading.Lock()

    def now_ms(self) -> int:
        """Return milliseconds since 1970."""
        return round(self._local_now() * 1000 + self._offset_ms)

    def next_unique_ms(self) -> int:
        """Return the time, never the same twice. The gateway takes two equal calls for a replay."""
        with self._lock:
            self._last_ms = max(self._last_ms + 1, self.now_ms())
            return self._last_ms

    def correct(self, gateway_now: float) -> None:
        """Take over the gateway's time, in seconds since 1970."""
        with self._lock:
            self._offset_ms = (gateway_now - self._local_now()) * 1000
            self._last_ms = 0
