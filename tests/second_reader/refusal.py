"""What a reader says of a bad bundle."""

from __future__ import annotations


class Refused(Exception):
    def __init__(self, area: str, offset: int, message: str) -> None:
        super().__init__(f"{area}, offset {offset}: {message}")


def require(condition: bool, area: str, offset: int, message: str) -> None:
    if not condition:
        raise Refused(area, offset, message)


def decode(text: bytes, area: str, offset: int) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise Refused(area, offset + error.start, "isn't UTF-8") from None
