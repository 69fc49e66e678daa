#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libhalcyon as programs find it: installed by `make install`, found by pkg-config, called from C and from Python. Speaks TAP.

test_embedding.py [CAPTURE...]     captures that C and Python must replay to the hashes of dp2 (build/demo/*.capture)
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
from tap import run_tests   # noqa: E402

EXAMPLES = os.path.join(ROOT, "examples/embedding")
DP2 = os.path.join(ROOT, "build/native/dp2")
PREFIX = "/usr"


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def call(*command, status=0, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    check(result.returncode == status, "%s: exit status %d\n%s%s" % (" ".join(command), result.returncode, result.stdout[-1000:], result.stderr[-1000:]))
    return result.stdout


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


class Installed:
    """A tree into which the library is installed, and what programs need to use it."""

    def __init__(self, folder):
        self.folder = folder
        self.libraries = os.path.join(folder, "usr/lib")
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
        self.environment = dict(clean, LD_LIBRARY_PATH=self.libraries, PKG_CONFIG_SYSROOT_DIR=folder, HALCYON_LOG_LEVEL="error",
                                PKG_CONFIG_LIBDIR=self.libraries + "/pkgconfig", PYTHONPATH=EXAMPLES, PYTHONDONTWRITEBYTECODE="1")
        call("make", "-s", "install-library", "DESTDIR=" + folder, "PREFIX=" + PREFIX, cwd=ROOT)

    def run(self, *command, **options):
        return call(*command, env=self.environment, **options)

    def compile(self, source, *flags):
        program = os.path.join(self.folder, os.path.basename(source) + ".out")
        told = self.run("pkg-config", "--cflags", "--libs", "halcyon").split()
        self.run("cc", "-Wall", "-Wextra", "-Werror", *flags, source, "-x", "none", "-o", program, *told)
        return program


def declared():
    """The functions of the header."""
    return set(re.findall(r"^HALCYON_API [^;(]*?(halcyon_\w+)\(", read("include/halcyon.h"), re.M))


def test_symbols(installed, _):
    """The library exports the functions of the header, the driver's entry points and nothing else; the document lists the same."""
    library = os.path.join(installed.libraries, "libhalcyon.so.0")
    told = {line.split()[-1].split("@")[0] for line in call("nm", "-D", "--defined-only", library).splitlines()}
    check(told - {"HALCYON_0"} == declared() | {"HalcyonDriverInit", "OpenAdapter"}, "symbols: %s" % sorted(told ^ declared()))
    check(declared() == set(re.findall(r"`(halcyon_\w+)`", read("docs/embedding.md").split("## Errors")[0])), "the table of docs/embedding.md")
    check("SONAME" in call("readelf", "-d", library) and "[libhalcyon.so.0]" in call("readelf", "-d", library), "no SONAME")


def test_header_alone(installed, folder):
    """The header needs no other, in C99 and in C++."""
    source = os.path.join(folder, "alone.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("#include <halcyon.h>\nint main(void) { return halcyon_api_version() != HALCYON_API_VERSION; }\n")
    for flags in ("-std=c99", "-pedantic"), ("-xc++", "-std=c++11"):
        installed.run(installed.compile(source, *flags))


def test_triangle(installed, folder):
    """The example draws, and its picture is that of dp2 for the same stream as text."""
    source = read("examples/embedding/triangle.c")
    body = source.split("triangle[] = ")[1].split(";")[0]
    body = "\n".join(re.findall(r'"([^"]*)\\n"', body)).replace("device", "c")
    text = ("create target s 160x120 A8R8G8B8\ncreate depth z 160x120 D24S8\ncontext c target=s depth=z level=5\n"
            "draw c { CLEAR flags=TARGET|ZBUFFER color=#ff204060 depth=1 {rect=(0 0 160 120)} }\n" + body + "\npresent s\n")
    with open(os.path.join(folder, "t.dp2s"), "w", encoding="ascii") as file:
        file.write(text)
    call(DP2, "asm", os.path.join(folder, "t.dp2s"), "-o", os.path.join(folder, "t.capture"))
    wanted = call(DP2, "replay", os.path.join(folder, "t.capture"), "--hash").split()[-1:]
    picture = os.path.join(folder, "t.ppm")
    told = installed.run(installed.compile(os.path.join(EXAMPLES, "triangle.c"), "-std=c11"), picture)
    check(told.split() == wanted, "hash %s, not %s" % (told, wanted))
    check(os.path.exists(picture) and os.path.getsize(picture) == len("P6 160 120 255\n") + 160 * 120 * 3, "no picture")


def captures(folder):
    """Captures of the examples as text, and those of the command line."""
    for name in "05-depth", "06-texture", "11-shader":
        path = os.path.join(folder, name + ".capture")
        call(DP2, "asm", os.path.join(ROOT, "examples/dp2", name + ".dp2s"), "-o", path)
        yield path
    yield from sys.argv[1:]


def test_frames(installed, folder):
    """C and Python print the lines of `dp2 replay --hash`."""
    program = installed.compile(os.path.join(EXAMPLES, "frames.c"), "-std=c11")
    for capture in captures(folder):
        wanted = call(DP2, "replay", capture, "--hash")
        check(wanted, "%s has no frames" % capture)
        check(installed.run(program, capture) == wanted, "frames.c: %s" % capture)
        check(installed.run("python3", os.path.join(EXAMPLES, "halcyon.py"), capture) == wanted, "halcyon.py: %s" % capture)


def test_history(installed, folder):
    """Both print the actions that `dp2 pixel` names."""
    capture = list(captures(folder))[0]
    wanted = re.findall(r"\b0\.\d+\b", call(DP2, "pixel", capture, "80,60"))
    told = installed.run(installed.compile(os.path.join(EXAMPLES, "frames.c"), "-std=c11"), capture, "0", "80", "60")
    check(told and told == installed.run("python3", os.path.join(EXAMPLES, "halcyon.py"), capture, "0", "80", "60"), "C and Python differ:\n" + told)
    actions = [line.split()[0] for line in told.splitlines()]
    check(set(actions) <= set(wanted) and len(set(actions)) > 1, "actions %s, dp2: %s" % (actions, wanted))
    check("it took the place of what was there" in told or "blended" in told, told)


def test_errors(installed, folder):
    """A wrong file ends with a message; Python gets an exception with the number and the reason."""
    bad = os.path.join(folder, "bad.capture")
    with open(bad, "wb") as file:
        file.write(b"this is not a capture")
    program = installed.compile(os.path.join(EXAMPLES, "frames.c"), "-std=c11")
    installed.run(program, bad, status=1)
    installed.run(program, os.path.join(folder, "nowhere"), status=1)
    told = installed.run("python3", "-c", """
import halcyon
for call in (lambda: halcyon.Capture(b"x"), lambda: halcyon.Capture("/nowhere"), lambda: halcyon.Device(0, 0)):
    try:
        call()
    except halcyon.Error as error:
        print(error.result, bool(str(error)))
with halcyon.Device(8, 8) as device:
    device.text("draw device { CLEAR flags=TARGET color=#ff010203 }")
    print(device.picture()[3][:4].hex())
    try:
        device.text("draw device { CLER }")
    except halcyon.Error as error:
        print(error.result, str(error)[:5])
""")
    check(told.split("\n")[:-1] == ["4 True", "3 True", "1 True", "030201ff", "9 1:15:"], told)


def main():
    with tempfile.TemporaryDirectory(prefix="halcyon-embedding-", dir="/tmp") as top:
        installed = Installed(top)

        def with_folder(test):
            def run():
                with tempfile.TemporaryDirectory(dir=top) as folder:
                    return test(installed, folder)
            run.__name__ = test.__name__
            return run
        return not run_tests([with_folder(test) for name, test in sorted(globals().items()) if name.startswith("test_")])


if __name__ == "__main__":
    sys.exit(main())
