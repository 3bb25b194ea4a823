"""The default of arguments for which ``None`` has a meaning of its own."""

from enum import Enum


class Unset(Enum):
    """The type of :data:`UNSET`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset.UNSET
"""The field is left out. ``None`` is sent as null: no limit, no proxy, or no value."""
