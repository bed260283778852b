"""The one error of the comparison."""


class Failure(Exception):
    """What went wrong, and what to do about it."""

    def __init__(self, what: str, remedy: str):
        super().__init__(what)
        self.remedy = remedy
