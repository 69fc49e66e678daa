# SPDX-License-Identifier: MIT
"""The display and the Wine desktop that the programs of others run in: what each has to look like is compared with
what another run shows, so nothing of this machine's own display is in it."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(ROOT, "build", "ddraw-programs")
INSIDE = "DDRAW_PROGRAMS_SCREEN"    # in the environment of a process under scripts/with-wine: Xvfb's folder
SIZE = 1024, 768


def is_here():
    """Whether this process has the display: it does not until start() has run the script once more."""
    return INSIDE in os.environ


def screen():
    """(width, height, RGB) of what the X server shows: a file in the format of xwd."""
    with open(os.path.join(os.environ[INSIDE], "Xvfb_screen0"), "rb") as file:
        data = file.read()
    header = struct.unpack(">25I", data[:100])
    width, height, stride, start_of_rows = header[4], header[5], header[12], header[0] + 12 * header[19]
    rgb = bytearray(width * height * 3)
    for y in range(height):
        row = data[start_of_rows + y * stride : start_of_rows + y * stride + 4 * width]
        for channel in range(3):
            rgb[y * width * 3 + channel : (y + 1) * width * 3 : 3] = row[2 - channel :: 4]
    return width, height, bytes(rgb)


def folder(arch):
    """Where the programs run: the private copy of a 32-bit Wine sees /tmp and few other folders."""
    return os.path.join(os.environ[INSIDE], "programs") if arch == "x32" else os.path.join(OUT, arch)


def prepare(arch, dlls=None):
    """Our dlls next to the programs."""
    if not os.path.exists(folder(arch)):
        shutil.copytree(os.path.join(OUT, arch), folder(arch), ignore=shutil.ignore_patterns("*.o", "*.a", "allegro", "sdl", "dosbox", "captures"))
    for name in ("ddraw.dll", "halcyon.dll"):
        shutil.copy(os.path.join(dlls or os.path.join(ROOT, "build", arch), name), folder(arch))


def environment(native, **more):
    """For a program on our ddraw.dll (native), or on Wine's."""
    overrides = "mscoree,mshtml,winemenubuilder.exe,winedbg.exe=;ddraw=" + ("n;wined3d=" if native else "b")
    return dict(os.environ, WINEDLLOVERRIDES=overrides, **more)


def start(script, arch):
    """Runs a script once more with its arguments, with a display, and in a Wine whose desktop has its modes from Wine's
    own list instead of the X server's. Its exit status."""
    os.makedirs(os.path.join(OUT, "log"), exist_ok=True)
    room = tempfile.mkdtemp(prefix="ddraw-programs-")
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "%dx%dx24" % SIZE, "-fbdir", room, "-nocursor", "-noreset",
                               "-nolisten", "tcp"], pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as file:
            display = file.readline().strip()
        if not display:
            raise SystemExit("%s: Xvfb does not start" % os.path.basename(script))
        # the private copy of a 32-bit Wine sees that folder
        prefix = os.path.join(ROOT, "build/wine-d3d-tests/prefix-ddraw-programs") if arch == "x32" else os.path.join(OUT, "prefix")
        variables = dict({k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")},
                         DISPLAY=":" + display, HALCYON_WINEPREFIX=prefix, **{INSIDE: room})
        with_wine = [os.path.join(ROOT, "scripts/with-wine"), *["--32"] * (arch == "x32")]
        ready = prefix + "/.desktop"
        if not os.path.exists(ready):
            key = r"HKCU\Software\Wine\Explorer"
            for words in ((key, "Desktop", "Default"), (key + r"\Desktops", "Default", "%dx%d" % SIZE)):
                subprocess.run([*with_wine, "wine", "reg", "add", words[0], "/v", words[1], "/d", words[2], "/f"], env=variables, check=True,
                               stdout=subprocess.DEVNULL)
            open(ready, "w").close()
        return subprocess.run([*with_wine, os.path.abspath(script), *sys.argv[1:]], env=variables).returncode
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(room, ignore_errors=True)
