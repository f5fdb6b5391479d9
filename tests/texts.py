"""Documents that several tests read."""

SMALL = (
    [
        "Cheap pills, buy now!",
        "buy cheap watches now now",
        "see you at the meeting",
        "Meeting at noon, see you",
        "über Öl",
    ],
    ["spam", "spam", "ham", "ham", "other"],
)
