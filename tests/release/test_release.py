#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The release: `make release` and `make install` put every file in its place, the dlls need nothing that Windows and
Wine do not have, and a program next to them draws. Prints a line "ok NAME" or "not ok NAME" for each test."""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# the exports that each must have
DLLS = {"d3d8.dll": ["Direct3DCreate8"], "d3d9.dll": ["Direct3DCreate9Ex"], "ddraw.dll": ["DirectDrawCreate", "DirectDrawCreateEx"], "halcyon.dll": ["HalcyonDriverInit", "OpenAdapter"]}
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


def texts():
    """The documents of the release, with the pictures and texts that they show."""
    return sorted(name for top in ("docs", "examples/dp2", "examples/embedding") for name in
                  (os.path.join(top, below) for below in files_below(os.path.join(ROOT, top)))) + ["include/halcyon.h", "LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] + [
                  os.path.relpath(path, ROOT) for pattern in ("*.md", "[0-9]*/*") for path in glob.glob(os.path.join(ROOT, "web/lessons", pattern))]


def page(name):
    """The page of dp2 view, under its name in an installed tree, if `make web` has built it."""
    return {name} if os.path.exists(os.path.join(ROOT, "build/web/view.html")) else set()


def check_links(folder):
    """Everything that a document in the folder links to is there too."""
    for name in files_below(folder):
        if not name.endswith(".md"):
            continue
        with open(os.path.join(folder, name)) as file:
            links = re.findall(r"\]\(([^)\s#]+)", file.read())
        for link in links:
            check("://" in link or os.path.exists(os.path.join(folder, os.path.dirname(name), link)), "%s links to %s" % (name, link))


def test_release_layout(folder):
    release = unpack(folder)
    expected = set(texts()) | {"halcyon.conf", "linux/dp2", "linux/halcyon", "man/dp2.1", "man/halcyon.1", "man/halcyon.conf.5"} | {"web/view.html", "web/playground/index.html"}
    expected |= {"%s/%s" % (b, d) for b in ("x64", "x32") for d in [*DLLS, "halcyon-picture.exe"]} | {"x64/halcyon-import.exe"}
    check(set(files_below(release)) == expected, "files: %s" % sorted(set(files_below(release)) ^ expected))
    check_links(release)
    check("Halcyon" in call(os.path.join(release, "linux/dp2"), "--version"), "dp2 does not run")
    for program in "dp2", "halcyon":
        told = subprocess.run(["readelf", "-d", os.path.join(release, "linux", program)], capture_output=True, text=True).stdout
        check("NEEDED" not in told, "linux/%s needs libraries:\n%s" % (program, told))
    check(b".debug_info" not in content(os.path.join(release, "linux/dp2")), "dp2 has debugging symbols")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_release_is_reproducible(folder):
    """Built again, with other dates and another umask, the release is the same file; the dlls do not contain the
    time of linking."""
    archives = []
    for umask in 0o022, 0o077:
        call("make", "-s", "release", umask=umask)
        path, = glob.glob(os.path.join(ROOT, "build/release/halcyon-*.tar.gz"))
        archives.append(content(path))
    check(archives[0] == archives[1], "two archives of the same sources differ")
    with open(path + ".sha256") as file:
        check(file.read().split() == [hashlib.sha256(archives[1]).hexdigest(), os.path.basename(path)], "the checksum is wrong")
    with tarfile.open(path) as archive:
        modes = {(m.mode, m.uid, m.gid, m.uname) for m in archive}
        check(modes <= {(0o755, 0, 0, ""), (0o644, 0, 0, "")}, "modes and owners: %s" % sorted(modes))
        check(len({m.mtime for m in archive}) == 1, "dates differ")
        archive.extractall(folder)
    for dll in glob.glob(folder + "/*/x*/*.dll"):
        header = content(dll)[:1024]
        start = int.from_bytes(header[0x3c:0x40], "little")     # PE/COFF specification, section 3.1; TimeDateStamp: 3.3
        check(header[start + 8:start + 12] == bytes(4), "%s says when it was linked" % os.path.basename(dll))


def test_dlls_need_only_the_system(folder):
    release = unpack(folder)
    for bits in "x64", "x32":
        for dll in DLLS:
            text = call(OBJDUMP[bits], "-p", os.path.join(release, bits, dll))
            check(MACHINE[bits] in text, "%s/%s is not a %s" % (bits, dll, MACHINE[bits]))
            needed = {line.split()[-1].lower() for line in text.split("\n") if "DLL Name:" in line}
            check(needed and not needed - SYSTEM, "%s/%s needs %s" % (bits, dll, sorted(needed - SYSTEM)))
            for name in DLLS[dll]:
                check(re.search(r"\s%s$" % name, text, re.MULTILINE), "%s/%s does not export %s" % (bits, dll, name))


def test_a_program_beside_it_draws(folder):
    """Only the program, the two dlls and the override that the README names."""
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


def test_a_program_of_version_9_draws(folder):
    """The same with the dll of Direct3D 9."""
    release = unpack(folder)
    for dll in "d3d9.dll", "halcyon.dll":
        shutil.copy(os.path.join(release, "x64", dll), folder)
    shutil.copy(os.path.join(ROOT, "build/x64/test_features9.exe"), folder)
    said = call(os.path.join(ROOT, "scripts/with-wine"), "bash", "-c",
                'cd "$0" && WINEDLLOVERRIDES="mscoree,mshtml=;d3d9=n" "$WINE" test_features9.exe', folder)
    with open(os.path.join(ROOT, "tests/runtime/test_features9.c")) as file:
        tests = file.read().count('{"features9_')
    check(tests and said.count("ok features9_") == tests and "not ok" not in said, said)


def test_install(folder):
    """Every file in its place, without symbols; STRIP=no keeps them, and uninstall leaves nothing."""
    install = ["DESTDIR=" + folder, "PREFIX=/usr"]
    call("make", "-s", "install", *install)
    installed = set(files_below(folder))
    wanted = {"usr/bin/dp2", "usr/bin/halcyon", "usr/share/man/man1/halcyon.1", "usr/share/bash-completion/completions/halcyon", "usr/lib/halcyon/open-capture", "usr/share/applications/halcyon-capture.desktop", "usr/share/mime/packages/halcyon-capture.xml", "usr/share/metainfo/io.github.halcyon.dp2.metainfo.xml", "usr/lib/libhalcyon.so", "usr/lib/libhalcyon.so.0", "usr/include/halcyon.h", "usr/lib/pkgconfig/halcyon.pc", "usr/share/halcyon/halcyon.conf", "usr/share/man/man1/dp2.1",
              "usr/share/man/man5/halcyon.conf.5", "usr/share/bash-completion/completions/dp2", "usr/share/zsh/site-functions/_dp2", "usr/share/zsh/site-functions/_halcyon", "usr/share/fish/vendor_completions.d/dp2.fish", "usr/share/fish/vendor_completions.d/halcyon.fish"}
    library, = [name for name in installed if re.fullmatch(r"usr/lib/libhalcyon\.so\.\d+\.\d+", name)]
    wanted.add(library)
    wanted |= {"usr/lib/halcyon/%s/%s" % (bits, dll) for bits in ("x64", "x32") for dll in [*DLLS, "halcyon-picture.exe"]}
    wanted.add("usr/lib/halcyon/x64/halcyon-import.exe")
    programs = [name for name in wanted if name.endswith((".dll", ".so", "/dp2", "bin/halcyon")) and "completion" not in name]
    wanted |= page("usr/share/halcyon/view.html")
    wanted |= {"usr/share/doc/halcyon/" + name for name in texts() + ["halcyon.conf"]}
    check(wanted <= installed, "missing: %s" % sorted(wanted - installed))
    check(installed <= wanted, "more than that: %s" % sorted(installed - wanted))
    check_links(os.path.join(folder, "usr/share/doc/halcyon"))
    call(os.path.join(folder, "usr/bin/dp2"), "caps")
    for name in programs:
        size = os.path.getsize(os.path.join(folder, name))
        check(size < 5 << 20, "%s has %d bytes" % (name, size))
        mode = os.stat(os.path.join(folder, name)).st_mode & 0o777
        check(mode == (0o755 if "/bin/" in name else 0o644), "%s has mode %o" % (name, mode))
    for name in (name for name in wanted if "/man/" in name):
        check(b"/usr/local" not in content(os.path.join(folder, name)), "%s ignores PREFIX" % name)
    call("make", "-s", "install", "STRIP=no", *install)
    check(content(os.path.join(folder, "usr/bin/dp2")) == content(os.path.join(ROOT, "build/native/dp2")), "STRIP=no strips dp2")
    call("make", "-s", "uninstall", *install)
    check(not files_below(folder), "left behind: %s" % files_below(folder))


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
