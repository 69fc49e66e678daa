# SPDX-License-Identifier: MIT
"""dp2 as its tests run it, with a folder for their files.

The first argument of a test is the program, build/native/dp2 by default; the others are captures, by default those of build/demo, or
none if a program is given.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MULTI = os.path.join(ROOT, "tests/cli/multi.dp2s")      # six frames
TEXTS = sorted(sum((glob.glob(os.path.join(ROOT, p)) for p in ("examples/dp2/*.dp2s", "tests/cli/*.dp2s", "tests/streams/*.dp2s")), []))
PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, "build/native/dp2")
CAPTURES = [os.path.abspath(name) for name in sys.argv[2:]] if len(sys.argv) > 1 else sorted(glob.glob(os.path.join(ROOT, "build/demo/*.capture")))
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
    """The name of a file of text or bytes."""
    with open(path(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path(name)


def clean(**more):
    """The environment without the settings of whoever runs the test."""
    return dict({k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, HALCYON_LOG_LEVEL="none", TMPDIR=FOLDER, **more)


def run(*words, input=b"", program=PROGRAM, **more):
    return subprocess.run([program, *words], env=clean(**more), input=input, capture_output=True, timeout=600)


def dp2(*words, status=0):
    """What it prints. It ends with this status."""
    done = run(*words)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout.decode()


def ask(*words, status=0):
    return json.loads(dp2(*words, "--json", status=status))


def assemble(text, name="a.capture"):
    """A file with text, or text, as a capture."""
    dp2("asm", text if os.path.exists(text) else put("text.dp2s", text), "-o", path(name))
    return path(name)


def all_captures():
    for text in TEXTS:
        yield assemble(text)
    yield from CAPTURES


def damaged(good, count, seed):
    """Bytes of a capture cut off here and there, then with bits changed."""
    for number in range(count):
        bad = bytearray(good[:len(good) * (number + 5) // 20] if number < 14 else good)
        if number >= 14:
            seed = (seed * 1103515245 + 12345) & 0x7fffffff
            bad[seed % len(bad)] ^= 1 << (seed >> 16) % 8
        yield bytes(bad)


def rows_of_png(name):
    """(width, height, rows of bytes), of 24 bits."""
    width, height, pixels = picture.read(name)
    return width, height, [pixels[3 * width * y:3 * width * (y + 1)] for y in range(height)]
