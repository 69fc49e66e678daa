#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions that our dlls import from Windows, against those that the headers of mingw-w64 declare for each version of Windows
(_WIN32_WINNT). A dll that imports a function that Windows lacks does not load there. Speaks TAP; skipped without the dlls or compilers.

The C library (msvcrt.dll) is not examined: its headers do not tell versions apart.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
from tap import run_tests   # noqa: E402

WIDTHS = {"x64": "x86_64-w64-mingw32", "x32": "i686-w64-mingw32"}
DLLS = "d3d8.dll", "d3d9.dll", "ddraw.dll", "halcyon.dll"
VERSIONS = {"Windows XP": 0x0501, "Windows Vista": 0x0600, "Windows 7": 0x0601}
# The compiler's run-time library has no declaration for C of these.
UNDECLARED = {"__C_specific_handler"}


def imports(width):
    """{dll: functions} of all our dlls of a width."""
    found = {}
    for name in DLLS:
        text = subprocess.run([WIDTHS[width] + "-objdump", "-p", os.path.join(ROOT, "build", width, name)], capture_output=True, text=True, check=True).stdout
        for part in text.split("DLL Name: ")[1:]:
            dll, body = part.split("\n", 1)
            functions = re.findall(r"^\t[0-9a-f]+\t +[0-9a-f]+  (\w+)$", body, re.M) or re.findall(r"^\t[0-9a-f]+\s+\d+\s+(\w+)\s*$", body, re.M)
            found.setdefault(dll.strip().lower(), set()).update(functions)
    return found


def undeclared(width, version, functions):
    """Those that windows.h does not declare for the version."""
    text = "#include <windows.h>\n" + "".join("void *p_%s(void) { return (void *)%s; }\n" % (name, name) for name in sorted(functions))
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "t.c")
        with open(source, "w") as file:
            file.write(text)
        done = subprocess.run([WIDTHS[width] + "-gcc-posix", "-fsyntax-only", "-w", "-fmax-errors=0", "-D_WIN32_WINNT=%#x" % version, "-DWINVER=%#x" % version, source],
                              capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"))
    return set(re.findall(r"error: '(\w+)' undeclared", done.stderr))


def missing():
    programs = [prefix + tool for prefix in WIDTHS.values() for tool in ("-objdump", "-gcc-posix")]
    return [p for p in programs if not shutil.which(p)] + \
           [p for p in (os.path.join("build", width, name) for width in WIDTHS for name in DLLS) if not os.path.exists(os.path.join(ROOT, p))]


def dlls():
    """Only dlls that every Windows has."""
    for width in WIDTHS:
        found = imports(width)
        assert set(found) <= {"kernel32.dll", "user32.dll", "gdi32.dll", "msvcrt.dll"}, (width, set(found))
        assert "CreateThread" in found["kernel32.dll"] and len(found["user32.dll"]) > 20, found


def functions_of_each_windows():
    for width in WIDTHS:
        found = imports(width)
        functions = set().union(*(found[dll] for dll in found if dll != "msvcrt.dll")) - UNDECLARED
        for name, version in VERSIONS.items():
            lacking = undeclared(width, version, functions)
            assert not lacking, "%s, %s lacks %s" % (width, name, sorted(lacking))


def given(test):
    def call():
        absent = missing()
        return "skip: no " + ", ".join(absent) if absent else test()
    call.__name__ = test.__name__
    return call


sys.exit(0 if run_tests([given(dlls), given(functions_of_each_windows)]) else 1)
