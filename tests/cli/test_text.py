#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Foreign text (information, markers, names of files) in the output of dp2: it is readable, and survives a round trip.
Speaks TAP.

tests/cli/test_text.py [DP2]     DP2: the program, build/native/dp2 by default
"""
import os
import random
import re
import shutil
import sys

from program import FOLDER, MULTI, assemble, content, dp2, path, put, run
from tap import run_tests

# Characters that must never be printed unescaped: C0 except the end of a line, DEL, C1, and those that change the
# direction of text.
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
PIECES = (b"a", b" ", b"=", b"#", b"{", b"//", b"...", b"\xc3\xa4", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\x1b]0;T\x07", b"\x1b[31m", b"\t", b"\r",
          b"\x7f", b"\xc2\x9b31m", b"\xc2\x9d", b"\xc2\x85", b"\xc2\xa0", b"\xd8\x9c", b"\xe2\x80\x8e", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\x8b",
          b"\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"\x01", b"'", b"%s%n")
LETTERS = bytes(range(1, 0x20)) + bytes(range(0x7f, 0x100))
VERBS = ("asm", "caps", "compare", "coverage", "diff", "draws", "dump", "edit", "feedback", "find", "buffer", "resources", "info", "mesh", "minimise", "pixel", "profile",
         "replay", "shader", "shot", "state", "textures", "tokens", "trace", "trim", "view")
ESCAPED = ((b"\\\\", b"\\"), (b"\\x22", b'"'), (b"\\xFF", b"\xff"), (b"\\x1b", b"\x1b"), (b"\\x41", b"A"))    # escaped and original
DRAW = "MARKER {kind=POINT color=#ff00ff00 text=\"%s\"}"


def text(random_of):
    """Bytes as they may be written in quotes, and the bytes that they mean."""
    written, meant = b"", b""
    for _ in range(random_of.randrange(24)):
        one = random_of.choice(ESCAPED) if random_of.random() < 0.3 else (random_of.choice(PIECES),) * 2
        written, meant = written + one[0], meant + one[1]
    return written, meant


def stream(info, marker):
    """multi.dp2s with a line of information, and a marker at the beginning of its first call."""
    with open(MULTI, "rb") as file:
        lines = file.read()
    place = lines.index(b"draw ")
    place = lines.index(b"{", place) + 1
    return b'info "program=' + info + b'"\n' + lines[:place] + b"\n    MARKER {kind=POINT color=#ff00ff00 text=\"" + marker + b'"}\n' + lines[place:]


def printable(done):
    for output in done.stdout, done.stderr:
        shown = output.decode()      # which must be in UTF-8
        found = CONTROL.search(shown)
        assert not found, (done.args, hex(ord(found.group())), shown[max(0, found.start() - 40):found.start() + 40])
    return done


def there_and_back():
    """Capture, text, capture: the same bytes, and the original bytes."""
    random_of = random.Random(29)
    for number in range(150):
        (info, info_meant), (marker, marker_meant) = text(random_of), text(random_of)
        capture = assemble(put("random.dp2s", stream(info, marker)), "random.capture")
        whole = content(capture)
        done = printable(run("dump", "--asm", capture))
        assert done.returncode == 0
        back = assemble(put("back.dp2s", done.stdout), "back.capture")
        assert content(back) == whole, (number, info, marker)
        said = re.search(rb'^info "program=(.*)"$', done.stdout, re.M).group(1)
        assert re.sub(rb"\\(?:x(..)|(\\))", lambda m: bytes([int(m[1], 16)]) if m[1] else b"\\", said) == info_meant, (info, said)
        said = re.search(rb'text="([^"]*)"', done.stdout)
        said = said.group(1) if said else b""
        assert re.sub(rb"\\(?:x(..)|(\\))", lambda m: bytes([int(m[1], 16)]) if m[1] else b"\\", said) == marker_meant, (marker, said)


def every_verb():
    """No verb prints a control character, whatever the text, the name of the file, or the error."""
    random_of = random.Random(30)
    for number in range(12):
        (info, _), (marker, _) = text(random_of), text(random_of)
        if number == 0:
            info = marker = b"".join(PIECES)
        capture = assemble(put("verbs.dp2s", stream(info, marker)), "verbs.capture")
        name = b"".join(random_of.choice(PIECES).replace(b"/", b"") for _ in range(6)) + b"\x1b\xc2\x9b\xe2\x80\xae.capture"
        named = os.path.join(os.fsencode(FOLDER), name)
        shutil.copy(capture, named)
        for words in (("info",), ("info", "--frames"), ("dump",), ("dump", "-v", "--vertices"), ("dump", "--asm"), ("draws",), ("draws", "--frame", "0"),
                      ("state",), ("textures",), ("profile", "--loop", "1"), ("replay", "--hash"), ("replay", "--stats"), ("pixel",), ("trace",), ("mesh",)):
            more = {"state": ("0.0",), "pixel": ("3,3",), "trace": ("0.0", "3,3"), "mesh": ("0.0",)}.get(words[0], ())
            printable(run(words[0], named, *more, *words[1:]))
        printable(run("diff", capture, named))
        printable(run("compare", capture, named))
        printable(run("asm", named, "-o", path("x.capture")))
        printable(run("shader", named))
        for wrong in (named + b".missing", os.fsencode(FOLDER) + b"/" + name[:8] + b"/none"):
            for verb in "info", "dump", "replay", "draws", "textures", "profile", "view", "minimise", "asm", "shader", "coverage":
                printable(run(verb, wrong))
        printable(run("info", named + b"\x1b[2J"))
        printable(run(b"no\x1b[31mverb"))
        printable(run("dump", capture, "--frame", b"\x1b[31m"))
        for verb in VERBS:
            done = printable(run(verb, b"--zz" + name, capture))
            assert done.returncode == 2 and b"unrecognized option '--" in done.stderr, done
            done = printable(run(verb, b"-" + bytes([random_of.choice(LETTERS)]), capture))
            assert done.returncode == 2 and b"invalid option -- '" in done.stderr, done
        printable(run("dump", b"--vertices=" + name))
        printable(run("dump", b"--f=" + name))
        os.remove(named)


def logs():
    """A message of the log is one readable line, whatever name is in it."""
    name = os.path.join(os.fsencode(FOLDER), b"log\x1b[31m\xc2\x9b\xe2\x80\xae.capture")
    shutil.copy(assemble(MULTI), name)
    done = printable(run("replay", name, "--hash", HALCYON_LOG_LEVEL="debug", HALCYON_SCREENSHOT_PATH=b"\x1b]0;T\x07"))
    assert b"\\x1b]0;T\\x07" in done.stderr, done.stderr[:2000]


def refused():
    """Information is one line of text: a line that would not survive a round trip is refused."""
    for bad in b"a\\x0ab", b"a\\x00b", b"a\\b", b"a\\x4":
        done = run("asm", put("bad.dp2s", stream(bad, b"")), "-o", path("bad.capture"))
        assert done.returncode == 1 and b"bad.dp2s:" in done.stderr, (bad, done.stderr)
    long = b"x" * 5000
    capture = assemble(put("long.dp2s", stream(long, b"")), "long.capture")
    assert b'info "program=%s"\n' % long in run("dump", "--asm", capture).stdout


sys.exit(0 if run_tests([there_and_back, every_verb, logs, refused]) else 1)
