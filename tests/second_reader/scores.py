"""Impacts and inverse document frequencies. Reading needs none of it; the vectors do."""

from __future__ import annotations

FIELDS = {"TermName": (24, 30), "WholeName": (20, 0), "NamePart": (16, 30), "Path": (6, 0), "Prose": (4, 75),
          "Snippet": (2, 0)}


def weighted_frequency(field: str, count: int, length: int, total: int, documents: int) -> int:
    weight, share = FIELDS[field]
    frequency = weight * count * 1024 // 4
    if share and total:
        frequency = weight * count * 1024 * 100 * total // (4 * ((100 - share) * total + share * length * documents))
    return min(frequency, (1 << 32) - 1)


def impact_of(frequency: int, low_priority: bool) -> int:
    impact = (255 * frequency + (1228 + frequency) // 2) // (1228 + frequency)
    return max(impact // 4 if low_priority else impact, 1)


def log2(number: int) -> int:
    result = number.bit_length() - 1
    mantissa = number << 63 >> result
    for _ in range(16):
        mantissa, result = mantissa * mantissa >> 63, result * 2
        if mantissa >> 64:
            mantissa, result = mantissa >> 1, result + 1
    return result


def inverse_document_frequency(documents: int, holding: int) -> int:
    return max((log2(2 * (documents + 1)) - log2(2 * holding + 1)) * 45426 // 65536, 1)
