#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_packages.py [FOLDER]: the Debian packages in FOLDER (`make deb`), or, without a folder, packages that packaging/build-deb makes
of the programs in build/, which lack Debian's flags: their files, dependencies and links; lintian finds no errors and, of those in
FOLDER, that they are hardened; unpacked together they work. Speaks TAP; tests are skipped if a program or the page of dp2 view is missing."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
from tap import run_tests   # noqa: E402

LIBRARIES = "usr/lib/x86_64-linux-gnu/"
# Files that each package must have
FILES = {
    "halcyon": ["usr/bin/halcyon", *("usr/lib/halcyon/%s/%s" % (width, name) for width in ("x64", "x32")
                                     for name in ("d3d8.dll", "d3d9.dll", "ddraw.dll", "halcyon.dll", "halcyon-picture.exe")),
                "usr/lib/halcyon/x64/halcyon-import.exe",
                "usr/share/halcyon/halcyon.conf", "usr/share/man/man1/halcyon.1.gz", "usr/share/man/man5/halcyon.conf.5.gz",
                "usr/share/doc/halcyon/README.md", "usr/share/doc/halcyon/copyright"],
    "halcyon-tools": ["usr/bin/dp2", "usr/share/halcyon/view.html", "usr/share/man/man1/dp2.1.gz", "usr/lib/halcyon/open-capture",
                      "usr/share/applications/halcyon-capture.desktop", "usr/share/mime/packages/halcyon-capture.xml"],
    "libhalcyon0": [LIBRARIES + "libhalcyon.so.0"],
    "libhalcyon-dev": [LIBRARIES + "libhalcyon.so", LIBRARIES + "pkgconfig/halcyon.pc", "usr/include/halcyon.h",
                       "usr/share/doc/libhalcyon-dev/examples/embedding/frames.c"],
}
NEEDED = "dpkg-buildpackage", "dh", "lintian", "fakeroot", "desktop-file-validate", "appstreamcli"


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def call(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    check(result.returncode == 0, "%s: exit status %d\n%s" % (" ".join(command), result.returncode, result.stdout[-3000:]))
    return result.stdout


def packages(folder):
    """{name: path}"""
    return {os.path.basename(path).split("_")[0]: path for path in glob.glob(folder + "/*.deb") if "-dbgsym" not in path}


def test_contents(folder):
    """Each package has its files, and no file is in two packages."""
    found = packages(folder)
    check(set(found) == set(FILES), "packages: %s" % sorted(found))
    owners = {}
    for name, path in found.items():
        lines = call("dpkg-deb", "-c", path).splitlines()
        files = [line.split(None, 5)[5].split(" -> ")[0][2:] for line in lines if not line.startswith("d")]
        check(set(FILES[name]) <= set(files), "%s lacks %s" % (name, sorted(set(FILES[name]) - set(files))))
        for line, file in zip((line for line in lines if not line.startswith("d")), files):
            check(file not in owners, "%s is in %s and in %s" % (file, name, owners.get(file)))
            owners[file] = name
            check(line.split()[1] == "root/root", "%s belongs to %s" % (file, line.split()[1]))
            if file.endswith(".dll"):
                check(line.startswith("-rw-r--r--"), "%s has mode %s" % (file, line[:10]))


def test_dependencies(folder):
    """The tools and the library need nothing but libraries; halcyon needs the tools."""
    for name, path in packages(folder).items():
        told = call("dpkg-deb", "-f", path, "Depends")
        check("wine" not in told, "%s depends on %s" % (name, told))
        check(("halcyon-tools" in told) == (name == "halcyon"), "%s depends on %s" % (name, told))
        check(call("dpkg-deb", "-f", path, "Multi-Arch").strip() == ("same" if name.startswith("lib") else "foreign"), "%s: Multi-Arch" % name)


def lintian(folder, *options):
    """The lines of lintian about the packages. It must have run to its end: 2 is the exit status if it found errors."""
    result = subprocess.run(["lintian", "--allow-root", *options, *packages(folder).values()], capture_output=True, text=True)
    check(result.returncode in (0, 2), "lintian: exit status %d\n%s" % (result.returncode, result.stderr[-3000:]))
    return result.stdout.splitlines()


def test_lintian(folder):
    """Without errors."""
    errors = [line for line in lintian(folder) if line.startswith("E:")]
    check(not errors, "\n".join(errors))


def test_hardening(folder):
    """Programs with Debian's flags are position-independent, bound at their start, and call checked string functions."""
    lacks = [line for line in lintian(folder, "--tags", "hardening-no-pie,hardening-no-relro,hardening-no-bindnow,hardening-no-fortify-functions")
             if "hardening-no-" in line]
    check(not lacks, "\n".join(lacks))


def test_use(folder):
    """All unpacked into one folder: dp2 replays and finds its page, a program is built with the library."""
    tree = os.path.join(folder, "tree")
    for path in packages(folder).values():
        call("dpkg-deb", "-x", path, tree)
    dp2, capture = os.path.join(tree, "usr/bin/dp2"), os.path.join(folder, "t.capture")
    call(dp2, "asm", os.path.join(ROOT, "examples/dp2/05-depth.dp2s"), "-o", capture)
    wanted = call(dp2, "replay", capture, "--hash")
    call(dp2, "view", capture, "-o", os.path.join(folder, "t.html"))
    program, libraries = os.path.join(folder, "frames"), os.path.join(tree, LIBRARIES)
    environment = dict(os.environ, LD_LIBRARY_PATH=libraries, PKG_CONFIG_SYSROOT_DIR=tree, PKG_CONFIG_LIBDIR=libraries + "pkgconfig")
    flags = call("pkg-config", "--cflags", "--libs", "halcyon", env=environment).split()
    call("cc", os.path.join(tree, "usr/share/doc/libhalcyon-dev/examples/embedding/frames.c"), "-o", program, *flags)
    check(wanted and call(program, capture, env=environment) == wanted, "the example prints other hashes than dp2")
    told = subprocess.run(["desktop-file-validate", os.path.join(tree, "usr/share/applications/halcyon-capture.desktop")], capture_output=True, text=True)
    check("error" not in told.stdout, told.stdout)
    call("appstreamcli", "validate", "--no-net", "--no-color", os.path.join(tree, "usr/share/metainfo/io.github.halcyon.dp2.metainfo.xml"))


def given():
    """The packages of the command line, if it has a folder."""
    folders = [word for word in sys.argv[1:] if not word.startswith("--")]
    return glob.glob(os.path.join(folders[0], "*.deb")) or sys.exit("%s: no packages in %s" % (sys.argv[0], folders[0])) if folders else []


def missing():
    absent = [name for name in NEEDED if not shutil.which(name)]
    if not given():
        absent += [path for path in ("build/web/view.html", "build/native/libhalcyon.so", "build/x64/halcyon.dll", "build/x32/halcyon.dll")
                   if not os.path.exists(os.path.join(ROOT, path))]
    return absent


def main():
    absent = missing()
    with tempfile.TemporaryDirectory(prefix="deb-", dir=os.path.join(ROOT, "build")) as folder:     # hard links need one file system
        def with_packages(test):
            def run():
                return "skip: no " + ", ".join(absent) if absent else test(folder)
            run.__name__ = test.__name__
            return run
        for path in given():
            shutil.copy(path, folder)
        if not absent and not given():
            call(os.path.join(ROOT, "packaging/build-deb"), "--reuse", folder)
        return not run_tests([with_packages(test) for name, test in sorted(globals().items())
                              if name.startswith("test_") and (given() or test != test_hardening)])


if __name__ == "__main__":
    sys.exit(main())
