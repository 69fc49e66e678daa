#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures for the scripts and tests: reads PPM and 8-bit PNG, writes PNG, compares pixels.

picture.py compare A B      prints `identical` or what differs; exit status as cmp: 0, 1, 2
picture.py convert A B.png
"""
import struct
import sys
import zlib


def read_ppm(data):
    fields, at = [], 0
    while len(fields) < 4:
        end = at
        while not data[end : end + 1].isspace():
            end += 1
        fields.append(data[at:end])
        at = end + 1
    width, height = int(fields[1]), int(fields[2])
    return width, height, data[at : at + width * height * 3]


def unfilter(rows, stride, step):
    """PNG specification, 9.2; step is bytes per pixel."""
    out, above = bytearray(), bytearray(stride)
    for at in range(0, len(rows), stride + 1):
        kind, line = rows[at], bytearray(rows[at + 1 : at + 1 + stride])
        for i in range(stride if kind else 0):
            left = line[i - step] if i >= step else 0
            corner = above[i - step] if i >= step else 0
            up = above[i]
            if kind == 4:
                guess = left + up - corner
                to = [abs(guess - left), abs(guess - up), abs(guess - corner)]
                add = (left, up, corner)[to.index(min(to))]
            else:
                add = (left, up, (left + up) // 2)[kind - 1]
            line[i] = (line[i] + add) & 255
        out += line
        above = line
    return out


def read_png(data):
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", body)
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    if depth != 8 or color not in (2, 6):
        raise ValueError("not an 8-bit RGB or RGBA PNG")
    step = 3 if color == 2 else 4
    pixels = unfilter(zlib.decompress(packed), width * step, step)
    if step == 4:
        pixels = b"".join(bytes(pixels[i : i + 3]) for i in range(0, len(pixels), 4))
    return width, height, bytes(pixels)


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    return read_ppm(data) if data[:2] == b"P6" else read_png(data)


def write_png(path, width, height, pixels):
    rows = b"".join(b"\0" + pixels[y * width * 3 : (y + 1) * width * 3] for y in range(height))
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in chunks:
            file.write(struct.pack(">I", len(body)) + kind + body)
            file.write(struct.pack(">I", zlib.crc32(kind + body)))


def compare(first, second):
    """None if equal, else a sentence."""
    (w1, h1, a), (w2, h2, b) = read(first), read(second)
    if (w1, h1) != (w2, h2):
        return "%dx%d against %dx%d pixels" % (w1, h1, w2, h2)
    if a == b:
        return None
    bad = [i for i in range(0, len(a), 3) if a[i : i + 3] != b[i : i + 3]]
    x, y = bad[0] // 3 % w1, bad[0] // 3 // w1
    largest = max(abs(p - q) for p, q in zip(a, b))
    return "%d of %d pixels differ, first at %d,%d (%s against %s), by at most %d" % (
        len(bad), w1 * h1, x, y, a[bad[0] : bad[0] + 3].hex(), b[bad[0] : bad[0] + 3].hex(), largest)


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in ("compare", "convert"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if arguments[0] == "convert":
            write_png(arguments[2], *read(arguments[1]))
            return 0
        difference = compare(arguments[1], arguments[2])
    except (OSError, ValueError, IndexError, struct.error, zlib.error) as error:
        print("picture.py: %s" % error, file=sys.stderr)
        return 2
    print(difference or "identical")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
