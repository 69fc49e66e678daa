#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is handed out: `make release` and `make install` put every file in its place, the dlls need nothing that Windows and Wine
do not have, and a program beside them draws. Prints a line "ok NAME" or "not ok NAME" for each test."""
import glob
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DLLS = ("d3d8.dll", "halcyon.dll")
SYSTEM = {"kernel32.dll", "msvcrt.dll", "user32.dll", "gdi32.dll"}
OBJDUMP = {"x64": "x86_64-w64-mingw32-objdump", "x32": "i686-w64-mingw32-objdump"}
MACHINE = {"x64": "pei-x86-64", "x32": "pei-i386"}

problems = []


def check(condition, what):
    if not condition:
        problems.append(what)


def call(*command, **options):
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    check(result.returncode == 0, "%s: exit status %d\n%s" % (" ".join(command), result.returncode, result.stdout[-2000:]))
    return result.stdout


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder)
                  for path, _, names in os.walk(folder) for name in names)


def unpack(folder):
    """The release, unpacked; its folder."""
    call("make", "-s", "release")
    archives = glob.glob(os.path.join(ROOT, "build/release/halcyon-*.tar.gz"))
    check(len(archives) == 1, "archives: %s" % archives)
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder)
    return os.path.join(folder, os.path.basename(archives[0])[:-len(".tar.gz")])


def test_release_layout(folder):
    release = unpack(folder)
    expected = sorted(["LICENSE", "README.md", "halcyon.conf"] + ["%s/%s" % (b, d) for b in ("x64", "x32") for d in DLLS])
    check(files_below(release) == expected, "files: %s" % files_below(release))


def test_dlls_need_only_the_system(folder):
    release = unpack(folder)
    for bits in "x64", "x32":
        for dll in DLLS:
            text = call(OBJDUMP[bits], "-p", os.path.join(release, bits, dll))
            check(MACHINE[bits] in text, "%s/%s is no %s" % (bits, dll, MACHINE[bits]))
            needed = {line.split()[-1].lower() for line in text.split("\n") if "DLL Name:" in line}
            check(needed and not needed - SYSTEM, "%s/%s needs %s" % (bits, dll, sorted(needed - SYSTEM)))
            exported = "Direct3DCreate8" if dll == "d3d8.dll" else "HalcyonDriverInit"
            check(exported in text, "%s/%s does not export %s" % (bits, dll, exported))


def test_a_program_beside_it_draws(folder):
    """Nothing but the program, the two dlls and the override that the README names."""
    release = unpack(folder)
    for dll in DLLS:
        shutil.copy(os.path.join(release, "x64", dll), folder)
    shutil.copy(os.path.join(ROOT, "build/x64/primitives.exe"), folder)
    call(os.path.join(ROOT, "scripts/with-wine"), "bash", "-c",
         'cd "$0" && WINEDLLOVERRIDES="mscoree,mshtml=;d3d8=n" "$WINE" primitives.exe --frames 60 --shot shot.ppm', folder)
    check(os.path.exists(os.path.join(folder, "shot.ppm")), "no picture")
    reference = os.path.join(ROOT, "build/demo/primitives.png")
    if not problems and os.path.exists(reference):
        call("scripts/picture.py", "compare", os.path.join(folder, "shot.ppm"), reference)


def test_install(folder):
    call("make", "-s", "install", "DESTDIR=" + folder, "PREFIX=/usr")
    installed = set(files_below(folder))
    wanted = {"usr/bin/dp2", "usr/lib/halcyon/libhalcyon.so", "usr/share/halcyon/halcyon.conf", "usr/share/man/man1/dp2.1",
              "usr/share/bash-completion/completions/dp2"}
    wanted |= {"usr/lib/halcyon/%s/%s" % (bits, dll) for bits in ("x64", "x32") for dll in DLLS}
    check(wanted <= installed, "missing: %s" % sorted(wanted - installed))
    check(installed <= wanted, "more than that: %s" % sorted(installed - wanted))
    call(os.path.join(folder, "usr/bin/dp2"), "caps")


def main():
    bad = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        problems.clear()
        with tempfile.TemporaryDirectory(prefix="halcyon-release-", dir="/tmp") as folder:
            test(folder)
        for problem in problems:
            print("# " + problem.replace("\n", "\n# "))
        print("%s %s" % ("not ok" if problems else "ok", name), flush=True)
        bad += bool(problems)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
