"""The parts of a date or time that can be read as categories, and the kind of their values."""

from __future__ import annotations

# The kind of a part's values, by its name. Readers cut dates into parts; weeks and weekdays are those of ISO 8601.
DATE_PARTS = {
    "year": "integer",
    "quarter": "integer",
    "month": "text",
    "week": "integer",
    "day": "integer",
    "weekday": "text",
    "hour": "integer",
    "minute": "integer",
}
