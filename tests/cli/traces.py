# SPDX-License-Identifier: MIT
"""Writes traces in apitrace's format (FORMAT.markdown of its documents), for tests that need one of a certain form.

A value is None, a bool, an int, a float, a str, bytes (a block), a list (an array), or one of the classes below.
"""
import struct


class Opaque(int):
    """An address."""


class Struct(tuple):
    """The members of a structure."""


class Enum(int):
    """A number that has a name."""


class Flags(int):
    """A number of named bits."""


class Pair(tuple):
    """(what people read, the value)"""


def number(value):
    out = bytearray()
    while value > 0x7f:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    data = value.encode()
    return number(len(data)) + data


def snappy(data):
    """Snappy with copies of all three kinds and literals of several lengths: whatever repeats is copied."""
    out, at, literal, seen = bytearray(number(len(data))), 0, 0, {}

    def flush(end):
        nonlocal literal
        while literal < end:
            part = min(end - literal, 70000)
            if part <= 60:
                out.append(part - 1 << 2)
            else:
                size = 1 if part <= 256 else 2 if part <= 65536 else 3
                out.append(59 + size << 2)
                out.extend((part - 1).to_bytes(size, "little"))
            out.extend(data[literal:literal + part])
            literal += part

    while at + 4 <= len(data):
        before = seen.get(data[at:at + 4])
        seen[data[at:at + 4]] = at
        if before is None:
            at += 1
            continue
        length, back = 4, at - before
        while length < 64 and at + length < len(data) and data[before + length] == data[at + length]:
            length += 1
        flush(at)
        if length <= 11 and back < 2048:
            out.append((back >> 8) << 5 | length - 4 << 2 | 1)
            out.append(back & 255)
        elif back < 65536 and (length & 1 or back > 60):
            out.append(length - 1 << 2 | 2)
            out.extend(back.to_bytes(2, "little"))
        else:
            out.append(length - 1 << 2 | 3)
            out.extend(back.to_bytes(4, "little"))
        at += length
        literal = at
    flush(len(data))
    return bytes(out)


class Trace:
    def __init__(self, version=6):
        self.version, self.calls, self.known = version, 0, {}
        self.data = bytearray(number(version))
        if version >= 6:
            self.data += number(version) + text("process.name") + text("a test") + text("")

    def signature(self, kind, key, body):
        """The number of a signature, and at its first occurrence the signature."""
        numbers = self.known.setdefault(kind, {})
        if key in numbers:
            return number(numbers[key])
        numbers[key] = len(numbers)
        return number(numbers[key]) + body()

    def value(self, value):
        if value is None:
            return b"\0"
        if value is True or value is False:
            return b"\2" if value else b"\1"
        if isinstance(value, Opaque):
            return b"\x0d" + number(value)
        if isinstance(value, Enum):
            plain = self.value(int(value))
            if self.version >= 3:
                return b"\x09" + self.signature("enum", value, lambda: number(1) + text("NAME") + plain) + plain
            return b"\x09" + self.signature("enum", value, lambda: text("NAME") + plain)
        if isinstance(value, Flags):
            return b"\x0a" + self.signature("bitmask", 0, lambda: number(1) + text("BIT") + number(1)) + number(value)
        if isinstance(value, int):
            return b"\4" + number(value) if value >= 0 else b"\3" + number(-value)
        if isinstance(value, float):
            return b"\5" + struct.pack("<f", value)
        if isinstance(value, str):
            return b"\7" + text(value)
        if isinstance(value, bytes):
            return b"\x08" + number(len(value)) + value
        if isinstance(value, Pair):
            return b"\x0e" + self.value(value[0]) + self.value(value[1])
        if isinstance(value, Struct):
            names = b"".join(text("m") for _ in value)
            return b"\x0c" + self.signature("struct", len(value), lambda: text("S") + number(len(value)) + names) + b"".join(map(self.value, value))
        return b"\x0b" + number(len(value)) + b"".join(map(self.value, value))

    def enter(self, name, arguments, fake=False):
        """Begins a call. arguments: values, or `...` for those that are told when it returns. Returns its number."""
        names = b"".join(text("a") for _ in arguments)
        self.data += b"\0" + (b"\0" if self.version >= 4 else b"")
        self.data += self.signature("function", name, lambda: text(name) + number(len(arguments)) + names)
        for index, value in enumerate(arguments):
            if value is not ...:
                self.data += b"\1" + number(index) + self.value(value)
        self.data += (b"\5\1" if fake else b"") + b"\0"
        self.calls += 1
        return self.calls - 1

    def leave(self, call, result=None, **out):
        """Ends it. out: a1=... is what argument 1 is then."""
        self.data += b"\1" + number(call)
        for key, value in out.items():
            self.data += b"\1" + number(int(key[1:])) + self.value(value)
        self.data += (b"" if result is ... else b"\2" + self.value(result)) + b"\0"

    def call(self, name, *arguments, result=0, fake=False, **out):
        call = self.enter(name, list(arguments), fake)
        self.leave(call, result, **out)
        return call

    def file(self, chunk=1 << 20, pack=snappy):
        out = bytearray(b"at")
        for at in range(0, len(self.data), chunk):
            packed = pack(bytes(self.data[at:at + chunk]))
            out += struct.pack("<I", len(packed)) + packed
        return bytes(out)
