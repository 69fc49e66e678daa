#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-layers on objects whose circles are known.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# {file: the files whose functions it calls}, and the reports
CASES = {
    "a chain": ({"a": "b", "b": "c", "c": "d", "d": ""}, []),
    "a circle of three": ({"a": "b", "b": "c", "c": "a", "d": "a"}, []),
    "a circle of four": ({"a": "b", "b": "c", "c": "d", "d": "a"}, ["4 files need each other, 3 may: a.c, b.c, c.c, d.c"]),
    "two circles that share a file": ({"a": "bc", "b": "a", "c": "d", "d": "a", "e": "a"},
                                      ["4 files need each other, 3 may: a.c, b.c, c.c, d.c"]),
    "two circles, one of which needs the other": ({"a": "b", "b": "ac", "c": "d", "d": "c"}, []),
    "levels of one file": ({"a": "b", "b": "c", "c": "d", "d.avx2": "a", "d.scalar": ""}, ["4 files need each other, 3 may: a.c, b.c, c.c, d.c"]),
    "no objects": ({}, []),
}


def make_objects(folder, files):
    for file, calls in files.items():
        name = file.split(".")[0] + ("" if file.endswith("scalar") or "." not in file else "_2")
        body = "".join("void f_%s(void);\n" % other for other in calls)
        body += "void f_%s(void)\n{\n%s}\n" % (name, "".join("    f_%s();\n" % other for other in calls))
        # the level that defines the symbols that others call
        if file.endswith("avx2"):
            body = body.replace("f_%s(" % name, "f_%s(" % file.split(".")[0])
        elif file.endswith("scalar"):
            body = "static int nothing;\nint *of_%s(void)\n{\n    return &nothing;\n}\n" % name
        subprocess.run(["gcc", "-x", "c", "-c", "-", "-o", os.path.join(folder, file + ".o")], input=body, text=True, check=True)


def main():
    failed = False
    for name, (files, wanted) in CASES.items():
        with tempfile.TemporaryDirectory(prefix="halcyon-") as folder:
            make_objects(folder, files)
            process = subprocess.run([os.path.join(ROOT, "tests/check-layers"), folder], capture_output=True, text=True)
        found = process.stdout.splitlines()[:-1]
        good = found == wanted and process.returncode == (1 if wanted or not files else 0)
        failed |= not good
        print("%sok %s" % ("" if good else "not ", name))
        if not good:
            print("  status %d, found %s, wanted %s%s" % (process.returncode, found, wanted, process.stderr))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
