#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Debian packages, built by packaging/build-deb from the programs in build/ (not again, with Debian's flags: that is `make
deb`): their files, dependencies and links; lintian finds no errors; unpacked together they work. Speaks TAP; tests are skipped if a program or the page
of dp2 view is missing."""
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


def test_lintian(folder):
    """Without errors."""
    for path in packages(folder).values():
        told = subprocess.run(["lintian", "--allow-root", "--no-tag-display-limit", path], capture_output=True, text=True).stdout
        errors = [line for line in told.splitlines() if line.startswith("E:")]
        check(not errors, "\n".join(errors))


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


def missing():
    absent = [name for name in NEEDED if not shutil.which(name)]
    absent += [path for path in ("build/web/view.html", "build/x64/halcyon.dll", "build/x32/halcyon.dll") if not os.path.exists(os.path.join(ROOT, path))]
    return absent


def main():
    absent = missing()
    with tempfile.TemporaryDirectory(prefix="deb-", dir=os.path.join(ROOT, "build")) as folder:     # hard links need one file system
        def given(test):
            def run():
                return "skip: no " + ", ".join(absent) if absent else test(folder)
            run.__name__ = test.__name__
            return run
        if not absent:
            call(os.path.join(ROOT, "packaging/build-deb"), "--reuse", folder)
        return not run_tests([given(test) for name, test in sorted(globals().items()) if name.startswith("test_")])


if __name__ == "__main__":
    sys.exit(main())
