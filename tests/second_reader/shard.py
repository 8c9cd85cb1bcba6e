"""Shards of dictionaries: automata that spell keys and give each its rank."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any, NamedTuple

from refusal import require

MOST_TRANSITIONS_LISTED, LONGEST_KEY = 1 << 24, 32748
INPUTS = b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG"
SHARD_START, EMPTY = 16, 0


class Node(NamedTuple):
    start: int
    final: bool
    final_output: int
    inputs: bytes
    outputs: list[int]
    children: list[int]


class Shard:
    """One automaton; the numbers in messages are the rules of SPEC, "Duties of a reader"."""

    def __init__(self, data: bytes, row: Any, area: str, base: int) -> None:
        self.data, self.row, self.area, self.base = data, row, area, base
        self._check_frame()
        self.root = EMPTY if len(data) == 36 else len(data) - 21
        self.nodes = self._read_nodes()
        self._check_nodes()

    def require(self, condition: bool, offset: int, message: str) -> None:
        require(condition, self.area, self.base + offset, message)

    def _check_frame(self) -> None:
        length, keys = len(self.data), self.row.keys
        self.require(1 <= keys <= 65536, 0, f"rule 1: {keys} keys")
        self.require(36 <= length <= (65536 if keys == 1 else 16384), 0, f"rule 2: length {length}")
        self.require(self.row.longest <= LONGEST_KEY, 0, f"limits: a key of {self.row.longest} bytes")
        self.require(struct.unpack_from("<QQ", self.data) == (3, 0), 0, "rule 3: version or type")
        footer_keys, root, checksum = struct.unpack_from("<QQI", self.data, length - 20)
        self.require(footer_keys == keys, length - 20, "rule 4: key counts differ")
        self.require(root == (EMPTY if length == 36 else length - 21), length - 12, f"rule 5: root {root}")
        self.require(checksum == masked_crc(self.data[:-4]), length - 4, "rule 15: checksum")

    def _read_nodes(self) -> dict[int, Node]:
        nodes, address = {}, self.root
        while address >= SHARD_START:
            nodes[address] = self._read_node(address)
            address = nodes[address].start - 1
        return nodes

    def _read_node(self, address: int) -> Node:
        at = address + 1

        def take(count: int) -> bytes:
            nonlocal at
            at -= count
            self.require(at >= SHARD_START, address, "rule 6: a node passes the beginning")
            return self.data[at:at + count]

        def numbers(count: int, width: int) -> list[int]:
            return [int.from_bytes(take(width), "little") for _ in range(count)]

        state = take(1)[0]
        if state & 0x80:
            final, count = False, 1
            inputs = INPUTS[(state & 63) - 1:state & 63] if state & 63 else take(1)
        else:
            final, count = bool(state & 0x40), state & 63
            if count == 0:
                count = take(1)[0]
                self.require(count == 1 or count >= 64, address, f"rule 8: count byte {count}")
                count = 256 if count == 1 else count
        if state >> 6 == 3:
            return Node(at, False, 0, inputs, [0], [at - 1])
        sizes = take(1)[0]
        delta_size, output_size = sizes >> 4, sizes & 15
        self.require(1 <= delta_size <= 8 and output_size <= 8, address, f"rule 7: sizes {sizes:#04x}")
        if not state & 0x80:
            index = take(256) if count > 32 else None
            inputs = take(count)[::-1]
            self.require(all(a < b for a, b in pairwise(inputs)), address, "rule 9: inputs don't ascend")
            places = {byte: place for place, byte in enumerate(inputs)}
            self.require(index is None or list(index) == [places.get(byte, 255) for byte in range(256)], address,
                         "rule 10: index")
        deltas, outputs = numbers(count, delta_size), numbers(count, output_size)
        self.require(all(delta <= at - SHARD_START for delta in deltas), address, "rule 11: a delta leads to no node")
        final_output = numbers(1, output_size)[0] if final else 0
        return Node(at, final, final_output, inputs, outputs, [at - delta if delta else EMPTY for delta in deltas])

    def _check_nodes(self) -> None:
        sums, reached = {EMPTY: (1, 0)}, {self.root}
        for address in sorted(self.nodes):
            node, keys, longest = self.nodes[address], int(self.nodes[address].final), 0
            self.require(node.final_output == 0, address, "rule 13: final output")
            for child, output in zip(node.children, node.outputs):
                self.require(child in sums, address, "rule 11: a delta doesn't lead to a node")
                self.require(output == keys, address, f"rule 13: output {output} before which are {keys} keys")
                keys, longest = keys + sums[child][0], max(longest, sums[child][1] + 1)
                reached.add(child)
                self.require(keys <= self.row.keys, address, "rule 14: too many keys")
            sums[address] = keys, longest
        unreached = self.nodes.keys() - reached
        self.require(not unreached, min(unreached, default=0), "rule 12: a node that is no child")
        self.require(sums[self.root] == (self.row.keys, self.row.longest), self.root, "rule 14: keys or longest key")

    def keys(self) -> list[bytes]:
        found: list[bytes] = []
        followed, stack = 0, [(self.root, b"")]
        while stack:
            address, prefix = stack.pop()
            if address == EMPTY:
                found.append(prefix)
                continue
            node = self.nodes[address]
            if node.final:
                found.append(prefix)
            followed += len(node.inputs)
            self.require(followed <= MOST_TRANSITIONS_LISTED, 0, "too large to be listed")
            stack += [(child, prefix + bytes([byte])) for byte, child in zip(node.inputs[::-1], node.children[::-1])]
        return found


def _crc_table() -> list[int]:
    table = list(range(256))
    for _ in range(8):
        table = [value >> 1 ^ (0x82F63B78 if value & 1 else 0) for value in table]
    return table


CRC_TABLE = _crc_table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
