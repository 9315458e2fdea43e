#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/transactions.py [--relations] FILE.ftr: the transactions of an FTR file as lines of JSON, those of a stream
one behind the other; with --relations its relations. It needs nothing but Python (docs/transactions.md)."""
import json
import sys

DICTIONARY, DIRECTORY, TRANSACTIONS, RELATIONS = 8, 10, 12, 14  # of what is not packed; packed: one more
INFO, STREAM, GENERATOR, EVENT = 6, 16, 17, 6
TEXT_TYPES = (1, 5, 6, 10)  # of attributes: the value is a number in the dictionary
BREAK = object()


class Tagged:
    def __init__(self, tag, value):
        self.tag, self.value = tag, value


def lz4(packed, size):
    """The content of a block of LZ4: sequences of literals and matches, literals at the end."""
    out, at = bytearray(), 0

    def length(begun):
        nonlocal at
        while begun >= 15:
            more = packed[at]
            at += 1
            begun += more
            if more < 255:
                break
        return begun

    while True:
        token = packed[at]
        at += 1
        literals = length(token >> 4)
        out += packed[at:at + literals]
        at += literals
        if at == len(packed):
            break
        offset = packed[at] | packed[at + 1] << 8
        at += 2
        if not 0 < offset <= len(out):
            raise ValueError(f"LZ4: an offset of {offset} after {len(out)} bytes")
        for _ in range(length(token & 15) + 4):
            out.append(out[-offset])
    if len(out) != size:
        raise ValueError(f"LZ4: {len(out)} bytes instead of {size}")
    return bytes(out)


class Cbor:
    """Reads items of CBOR (RFC 8949)."""

    def __init__(self, content):
        self.content, self.at = memoryview(content), 0

    def take(self, count):
        if self.at + count > len(self.content):
            raise ValueError("CBOR: the file is cut off")
        self.at += count
        return self.content[self.at - count:self.at]

    def item(self):
        first = self.take(1)[0]
        if first < 24:
            return first
        kind, low = first >> 5, first & 31
        if low == 31:
            if kind == 7:
                return BREAK
            if kind == 4:
                return list(iter(self.item, BREAK))
            raise ValueError("CBOR: only arrays have an open end here")
        if low > 27:
            raise ValueError("CBOR: a bad beginning of an item")
        value = low if low < 24 else int.from_bytes(self.take(1 << (low - 24)), "big")
        if kind == 0:
            return value
        if kind == 1:
            return -1 - value
        if kind == 2:
            return self.take(value)
        if kind == 3:
            return str(self.take(value), "utf-8")
        if kind == 4:
            return [self.item() for _ in range(value)]
        if kind == 5:
            return {self.item(): self.item() for _ in range(value)}
        if kind == 6:
            return Tagged(value, self.item())
        raise ValueError("CBOR: neither numbers with a point nor simple values stand here")


def content_of(chunk, kind):
    """The items of a chunk, unpacked."""
    packed = chunk.tag == kind + 1
    parts = chunk.value if isinstance(chunk.value, list) else [chunk.value]
    return Cbor(lz4(parts[-1], parts[-2]) if packed else parts[-1]).item()


class Ftr:
    """timescale: the exponent of ten of a unit of time in seconds. streams: {number: (name, kind)}. generators:
    {number: (name, stream)}. transactions: a list of {"id", "stream", "generator", "begin", "end", attributes ...}.
    relations: a list of (name, from, to, stream of from, stream of to)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            whole = Cbor(file.read()).item()
        if not isinstance(whole, Tagged) or whole.tag != 55799:
            raise ValueError("it begins as none")
        self.texts, self.streams, self.generators, self.transactions, self.relations = {}, {}, {}, [], []
        for chunk in whole.value:
            if chunk.tag == INFO:
                self.timescale = Cbor(chunk.value).item()[0]
            elif chunk.tag in (DICTIONARY, DICTIONARY + 1):
                self.texts.update(content_of(chunk, DICTIONARY))
            elif chunk.tag in (DIRECTORY, DIRECTORY + 1):
                self.read_directory(content_of(chunk, DIRECTORY))
            elif chunk.tag in (TRANSACTIONS, TRANSACTIONS + 1):
                self.read_block(chunk)
            elif chunk.tag in (RELATIONS, RELATIONS + 1):
                for name, source, sink, source_stream, sink_stream in content_of(chunk, RELATIONS):
                    self.relations.append((self.texts[name], source, sink, source_stream, sink_stream))
            else:
                raise ValueError(f"a chunk of kind {chunk.tag}")

    def read_directory(self, entries):
        for entry in entries:
            number, name, third = entry.value
            if entry.tag == STREAM:
                self.streams[number] = (self.texts[name], self.texts[third])
            elif entry.tag == GENERATOR:
                self.generators[number] = (self.texts[name], third)

    def read_block(self, chunk):
        stream, begin, end = chunk.value[:3]
        for first, *attributes in content_of(chunk, TRANSACTIONS):
            if first.tag != EVENT:
                raise ValueError("a transaction that does not begin with its times")
            number, generator, *times = first.value
            name, of = self.generators[generator]
            if of != stream or not begin <= times[0] <= times[1] <= end:
                raise ValueError(f"transaction {number} is not of its block")
            one = {"id": number, "stream": self.streams[stream][0], "generator": name, "begin": times[0],
                   "end": times[1]}
            for attribute in attributes:
                what, kind, value = attribute.value
                one[self.texts[what]] = self.texts[value] if kind in TEXT_TYPES else value
            self.transactions.append(one)


def main():
    files = [a for a in sys.argv[1:] if a != "--relations"]
    if len(files) != 1 or files[0].startswith("-"):
        sys.exit(__doc__)
    try:
        content = Ftr(files[0])
    except OSError as error:
        sys.exit(f"transactions.py: {files[0]}: {error.strerror}")
    except Exception as error:  # of any kind, where bytes were altered
        sys.exit(f"transactions.py: {files[0]} is not an FTR file, or is damaged: {error or type(error).__name__}")
    try:
        for one in content.relations if "--relations" in sys.argv else content.transactions:
            print(json.dumps(one))
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main()
