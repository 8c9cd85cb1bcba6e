"""Chaining values of BLAKE3, which the package `blake3` doesn't give."""

from __future__ import annotations

import struct

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
CHUNK_START, CHUNK_END, PARENT, ROOT = 1, 2, 4, 8
CHUNK, BLOCK, GROUP = 1024, 64, 1 << 16
PERMUTATION = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
COLUMNS_AND_DIAGONALS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _steps() -> list[tuple[int, ...]]:
    """All mixing steps of a compression: four places in the state and two in the message."""
    order = tuple(range(16))
    steps: list[tuple[int, ...]] = []
    for _ in range(7):
        steps += [(*places, order[2 * i], order[2 * i + 1]) for i, places in enumerate(COLUMNS_AND_DIAGONALS)]
        order = tuple(order[i] for i in PERMUTATION)
    return steps


STEPS = _steps()


def compress(chaining: bytes, block: bytes, counter: int, length: int, flags: int) -> bytes:
    mask, words = 0xFFFFFFFF, struct.unpack("<16I", block)
    state = [*struct.unpack("<8I", chaining), *IV[:4], counter & mask, counter >> 32, length, flags]
    for ia, ib, ic, id_, x, y in STEPS:
        a, b, c, d = state[ia], state[ib], state[ic], state[id_]
        a = (a + b + words[x]) & mask
        d ^= a
        d = (d >> 16 | d << 16) & mask
        c = (c + d) & mask
        b ^= c
        b = (b >> 12 | b << 20) & mask
        a = (a + b + words[y]) & mask
        d ^= a
        d = (d >> 8 | d << 24) & mask
        c = (c + d) & mask
        b ^= c
        state[ia], state[ib], state[ic], state[id_] = a, (b >> 7 | b << 25) & mask, c, d
    return struct.pack("<8I", *(low ^ high for low, high in zip(state[:8], state[8:])))


def chunk_value(chunk: bytes, counter: int) -> bytes:
    value = struct.pack("<8I", *IV)
    for at in range(0, len(chunk), BLOCK):
        block = chunk[at:at + BLOCK]
        flags = (CHUNK_START if at == 0 else 0) | (CHUNK_END if at + BLOCK >= len(chunk) else 0)
        value = compress(value, block.ljust(BLOCK, b"\0"), counter, len(block), flags)
    return value


def merge(values: list[bytes], root: bool = False) -> bytes:
    if len(values) == 1:
        return values[0]
    half = 1 << (len(values) - 1).bit_length() - 1
    pair = merge(values[:half]) + merge(values[half:])
    return compress(struct.pack("<8I", *IV), pair, 0, BLOCK, PARENT | (ROOT if root else 0))


def group_value(body: bytes, group: int) -> bytes:
    end = min((group + 1) * GROUP, len(body))
    return merge([chunk_value(body[at:min(at + CHUNK, end)], at // CHUNK) for at in range(group * GROUP, end, CHUNK)])
