#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The build for 64-bit ARM, under QEMU's emulator: the same bits as the native build. Speaks TAP.

tests/arm64/test_arm64.py [--short] [CAPTURE...]     captures whose first frames are compared as well

--short: a fifth of the random numbers; each stream and capture at one level, in turn; one frame of captures.

Golden scenes at each level; kernels at level neon against the scalar ones, and the digests of both against the native build's; shader
programs likewise; every stream of tests/streams/, and the captures, with several thread counts.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EMULATOR = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"]
NATIVE, ARM64 = (os.path.join(ROOT, "build", flavour) for flavour in ("native", "arm64"))
LEVELS = ("scalar", "neon")
HANGS = 3600
FEWER = dict(TEST_FEWER="5")
short = False
tests = failures = 0


def report(name, wrong):
    global tests, failures
    tests += 1
    failures += bool(wrong)
    print("%s %d - %s" % ("not ok" if wrong else "ok", tests, name), flush=True)
    for line in str(wrong or "").split("\n") * bool(wrong):
        print("# " + line)


def call(path, *arguments, **environment):
    """(exit status, output) of a program of either build."""
    command = (EMULATOR if path.startswith(ARM64) else []) + [path, *arguments]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
    done = subprocess.run(command, env=dict(clean, HALCYON_LOG_LEVEL="error", **environment), capture_output=True, text=True, timeout=HANGS)
    return done.returncode, done.stdout + done.stderr


def passes(name, path, **environment):
    """Its output, after a report of its verdict."""
    status, text = call(path, **environment)
    report(name, status and "exit status %d\n%s" % (status, "\n".join(text.split("\n")[-15:])))
    return text


def digests(program):
    """Passes, and its results for the same random numbers are those of the native build."""
    texts = [passes("%s, %s" % (program, flavour), os.path.join(folder, "tests", program), TEST_DIGESTS="1", **FEWER if short else {})
             for flavour, folder in (("native", NATIVE), ("arm64", ARM64))]
    native, arm64 = (re.findall(r"^digest .*$", text, re.M) for text in texts)
    report("%s: digests of both builds" % program, None if native and native == arm64 else
           "no digests" if not native else "\n".join("%s, arm64 %s" % pair for pair in zip(native, arm64) if pair[0] != pair[1]))


def same_hashes(name, capture, *options):
    """At each level, with different thread counts; with --short, at one of them in turn."""
    status, wanted = call(os.path.join(NATIVE, "dp2"), "replay", capture, "--hash", *options)
    wrong = []
    for level, threads in [("scalar", "2"), ("neon", "1")] if not short else [("neon", "2")] if tests % 2 else [("scalar", "1")]:
        got = call(os.path.join(ARM64, "dp2"), "replay", capture, "--hash", "--cpu", level, "--threads", threads, *options)
        if got != (status, wanted):
            wrong.append("%s, %s threads: status %d\n%s\nnative: status %d\n%s" % (level, threads, *got, status, wanted))
    report(name, "\n".join(wrong))


def streams():
    with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
        for source in sorted(glob.glob(os.path.join(ROOT, "tests/streams/*.dp2s"))):
            name = os.path.basename(source)
            capture = os.path.join(folder, name + ".capture")
            status, text = call(os.path.join(ARM64, "dp2"), "asm", source, "-o", capture)
            if status:
                report("stream " + name, text)
            else:
                same_hashes("stream " + name, capture)


def main(captures):
    global short
    short = captures[:1] == ["--short"]
    for level in LEVELS:
        passes("golden scenes, " + level, os.path.join(ARM64, "tests/golden"), HALCYON_CPU=level)
    for program in "test_vec16", "test_kernel_definitions":
        passes(program, os.path.join(ARM64, "tests", program))
    for program in "test_raster_kernels", "test_shader_levels":
        digests(program)
    streams()
    for capture in captures[short:]:
        same_hashes("capture " + os.path.basename(capture), capture, "--frame", "0" if short else "0-1")
    print("1..%d" % tests)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
