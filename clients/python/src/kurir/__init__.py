"""Send messages through a Kurir gateway. Start with :meth:`Kurir.from_env`."""

from ._client import Kurir
from ._clock import Clock
from ._errors import KurirError
from ._events import EventFeed
from ._unset import UNSET, Unset
from ._webhooks import verify_webhook

__all__ = ["UNSET", "Clock", "EventFeed", "Kurir", "KurirError", "Unset", "verify_webhook"]
