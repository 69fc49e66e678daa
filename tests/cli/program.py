# SPDX-License-Identifier: MIT
"""dp2 as its tests run it, with a folder for their files.

The first argument of a test is the program, build/native/dp2 by default; the others are captures, by default those of build/demo, or
none if a program is given.
"""
import ctypes
import functools
import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MULTI = os.path.join(ROOT, "tests/cli/multi.dp2s")      # six frames
TEXTS = sorted(sum((glob.glob(os.path.join(ROOT, p)) for p in ("examples/dp2/*.dp2s", "tests/cli/*.dp2s", "tests/streams/*.dp2s")), []))
GIVEN = [os.path.abspath(name) for name in sys.argv[1:] if not name.startswith("--")]
PROGRAM = GIVEN[0] if GIVEN else os.path.join(ROOT, "build/native/dp2")
CAPTURES = GIVEN[1:] if GIVEN else sorted(glob.glob(os.path.join(ROOT, "build/demo/*.capture")))
PATIENCE = 3600     # seconds: only a program that hangs takes this long, however busy the machine is
kept = tempfile.TemporaryDirectory(prefix="halcyon-test-")      # until the process ends
FOLDER = kept.name

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import picture      # noqa: E402


def path(name):
    return os.path.join(FOLDER, name)


def content(name):
    with open(name, "rb") as file:
        return file.read()


def put(name, data):
    """The name of a new file with this text or these bytes."""
    with open(path(name), "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
    return path(name)


def clean(**more):
    """The environment without the settings of the user who runs the test."""
    theirs = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
    return {**theirs, "HALCYON_LOG_LEVEL": "none", "TMPDIR": FOLDER, **more}


def run(*words, input=b"", program=PROGRAM, **more):
    return subprocess.run([program, *words], env=clean(**more), input=input, capture_output=True, timeout=PATIENCE)


def dp2(*words, status=0, input=b"", **more):
    """The output of dp2, which must end with this status, or with one of several."""
    done = run(*words, input=input, **more)
    assert done.returncode in (status if isinstance(status, tuple) else (status,)), (words, done.returncode, done.stderr)
    return done.stdout.decode()


def ask(*words, status=0):
    return json.loads(dp2(*words, "--json", status=status))


def assemble(text, name="a.capture", status=0):
    """A capture made from a text, or from a file with a text."""
    dp2("asm", text if text.endswith(".dp2s") else put("text.dp2s", text), "-o", path(name), status=status)
    return path(name)


def hashes(capture, *options, status=0):
    """The hash of each frame."""
    return [line.split()[2] for line in dp2("replay", capture, "--hash", *options, status=status).splitlines()]


def later_frame(capture):
    """The number of a frame with other frames before and after it, in captures with three or more."""
    return min(5, ask("info", capture)["frames"] - 2)


@functools.cache
def all_captures():
    """The texts, each assembled once, and the captures. Tests only read them."""
    return [assemble(text, "%d.capture" % number) for number, text in enumerate(TEXTS)] + CAPTURES


@functools.cache
def frames_with_draws(capture):
    """The frames of `dp2 draws` for one of all_captures(): asked once, because several tests look at each."""
    return ask("draws", capture)["frames"]


def damaged(good, count, seed):
    """The bytes of a capture cut off at some places, then with changed bits."""
    for number in range(count):
        bad = bytearray(good[:len(good) * (number + 5) // 20] if number < 14 else good)
        if number >= 14:
            seed = (seed * 1103515245 + 12345) & 0x7fffffff
            bad[seed % len(bad)] ^= 1 << (seed >> 16) % 8
        yield bytes(bad)


def rows_of_png(name):
    """(width, height, rows of bytes) of a 24-bit PNG."""
    width, height, pixels = picture.read(name)
    return width, height, [pixels[3 * width * y:3 * width * (y + 1)] for y in range(height)]


def picture_hash(rows):
    """The output of `dp2 replay --hash` for rows of colours 0xRRGGBB; the XXH3 library computes the hashes."""
    xxh3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    xxh3.restype, xxh3.argtypes = ctypes.c_uint64, (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64)
    pixels = b"".join(struct.pack("<I", 0xff000000 | c) for row in rows for c in row)
    return "%016x" % xxh3(pixels, len(pixels), len(rows) << 32 | len(rows[0]))
