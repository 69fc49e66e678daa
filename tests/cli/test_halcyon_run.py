#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""halcyon run from outside, with a Wine that is a script, and, for examples, with the real one. Speaks TAP.

tests/cli/test_halcyon_run.py [HALCYON]
"""
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HALCYON = os.path.abspath(next((a for a in sys.argv[1:] if not a.startswith("--")), os.path.join(ROOT, "build/native/halcyon")))
sys.argv = sys.argv[:1] + [HALCYON] + [a for a in sys.argv[1:] if a.startswith("--")]

from program import FOLDER, PATIENCE, clean, content, path, put      # noqa: E402
from tap import run_tests       # noqa: E402

NAMES = ("d3d8.dll", "d3d9.dll", "halcyon.dll")
# IID_IDirect3D7, as a program has it
DIRECT3D7 = bytes.fromhex("779e04f56148d211a40700a0c90629a8")


def program(name="game/title.exe", bits=64, imported=b"d3d8.dll", data=b""):
    """A program of one section, whose import table names a dll."""
    wide = bits == 64
    size, directories = (240, 112) if wide else (224, 96)
    optional = bytearray(size)
    struct.pack_into("<H", optional, 0, 0x20b if wide else 0x10b)
    struct.pack_into("<I", optional, 60, 512)
    struct.pack_into("<I", optional, directories - 4, 16)
    struct.pack_into("<I", optional, directories + 8, 0x1000)
    head = b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664 if wide else 0x14c, 1, 0, 0, 0, size, 2)
    head += optional + bytes(8) + struct.pack("<IIII", 512, 0x1000, 512, 512) + bytes(16)
    section = bytes(12) + struct.pack("<II", 0x1040, 0) + bytes(44) + imported + b"\0"
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    return put(name, head.ljust(512, b"\0") + (section + data).ljust(512, b"\0"))


def dlls():
    for bits in "x32", "x64":
        os.makedirs(path("dlls/" + bits), exist_ok=True)
        for name in NAMES + ("ddraw.dll",):
            put("dlls/%s/%s" % (bits, name), "HALCYON_CONFIG_FILE " + bits)
    return path("dlls")


def wine(script, widths=("x86_64-windows", "i386-windows"), version="wine-8.0"):
    """A Wine that is a script; `widths`: the programs that it can run."""
    for old in "x86_64-windows", "i386-windows":
        if os.path.exists(path("wine/lib/wine/%s/ntdll.dll" % old)):
            os.remove(path("wine/lib/wine/%s/ntdll.dll" % old))
    for width in widths:
        os.makedirs(path("wine/lib/wine/" + width), exist_ok=True)
        put("wine/lib/wine/%s/ntdll.dll" % width, "")
    os.makedirs(path("wine/bin"), exist_ok=True)
    name = put("wine/bin/wine", '#!/bin/sh\n[ "$1" != --version ] || { echo "%s"; exit 0; }\n%s\n' % (version, script))
    os.chmod(name, 0o755)
    return name


def loaded(name, kind="native"):
    return """echo '0024:trace:loaddll:build_module Loaded L"Z:\\\\\\\\game\\\\\\\\%s" at 0000000140000000: %s' >&2""" % (name, kind)


DRAWS = "\n".join([loaded("title.exe"), loaded("d3d8.dll"), loaded("halcyon.dll"), 'echo "halcyon: info: frames shown: 312" >>"$HALCYON_LOG_PATH"'])


def halcyon(*words, status=0, **environment):
    """Standard output and standard error."""
    done = subprocess.run([HALCYON, *words], env=clean(HOME=FOLDER, **environment), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert done.returncode in (status if isinstance(status, tuple) else (status,)), (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def run(script, *words, status=0, name=None, **environment):
    given = name or program()
    return halcyon("run", "--dlls", dlls(), "--wine", wine(script), *words, "--", given, status=status, **environment)[1]


def links():
    return sorted(name for name in os.listdir(path("game")) if name.endswith(".dll"))


def test_says_that_halcyon_has_drawn():
    said = run(DRAWS, "--output", path("out"))
    assert "64-bit program that names Direct3D 8" in said and "drawn by Halcyon: 312 frames" in said, said
    assert "trace:loaddll" not in said and not links(), (said, links())
    assert path("out/halcyon.log") in said


def test_names_the_file_of_settings():
    def named(**environment):
        said = halcyon("run", "--dry-run", "--dlls", dlls(), "--wine", wine(DRAWS), "--", program(), **environment)[0]
        return re.findall("^HALCYON_CONFIG_FILE=(.*)$", said, re.MULTILINE)

    assert not named()
    for folder, environment in (".config", {}), ("config", {"XDG_CONFIG_HOME": path("config")}):
        os.makedirs(path(folder + "/halcyon"), exist_ok=True)
        own = put(folder + "/halcyon/halcyon.conf", "threads = 1\n")
        assert named(**environment) == [own], named(**environment)
    assert named(HALCYON_CONFIG_FILE="/elsewhere") == ["/elsewhere"]
    put("game/halcyon.conf", "threads = 2\n")
    assert not named()
    os.remove(path("game/halcyon.conf"))


def test_frames_of_an_earlier_run_do_not_count():
    run(DRAWS, "--output", path("twice"))
    said = run(DRAWS.replace("312", "7"), "--output", path("twice"))
    assert "drawn by Halcyon: 7 frames" in said, said


def test_says_that_halcyon_has_not_drawn():
    said = run(loaded("title.exe") + "\n" + loaded("d3d8.dll", "builtin"))
    assert "NOT drawn by Halcyon: Wine has loaded its own" in said, said
    said = run(loaded("title.exe"))
    assert "has not loaded Direct3D" in said, said


def test_links_lead_to_the_dlls_while_the_program_runs():
    run(DRAWS + '\nfor n in *.dll; do readlink $n; done >"%s"; pwd >>"%s"' % (path("seen"), path("seen")))
    seen = content(path("seen")).decode().split()
    assert seen == [path("dlls/x64/" + name) for name in NAMES] + [path("game")], seen
    run(DRAWS + '\nreadlink d3d8.dll >"%s"' % path("seen"), name=program(bits=32))
    assert content(path("seen")).decode().strip() == path("dlls/x32/d3d8.dll")


def test_two_programs_of_a_folder_share_the_links():
    first = subprocess.Popen([HALCYON, "run", "--dlls", dlls(), "--wine", wine("sleep 2\n" + DRAWS + '\nls *.dll >"%s"' % path("seen")), "--", program()],
                             env=clean(HOME=FOLDER), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not links():
        time.sleep(0.05)
    other = os.path.join(FOLDER, "wine2")
    with open(other, "w") as file:
        file.write('#!/bin/sh\n[ "$1" != --version ] || { echo wine-8.0; exit 0; }\n' + DRAWS)
    os.chmod(other, 0o755)
    halcyon("run", "--dlls", dlls(), "--wine", other, "--", path("game/title.exe"))
    first.communicate()
    assert content(path("seen")).decode().split() == list(NAMES) and not links(), links()


def test_links_that_were_left_are_taken_over():
    program()
    for name in NAMES:
        os.symlink("/nowhere/x32/" + name, path("game/" + name))
    run(DRAWS)
    assert not links(), links()


def test_files_of_others_are_not_touched():
    program()
    put("game/d3d9.dll", "a wrapper")
    assert "d3d9.dll is not Halcyon's" in run(DRAWS, status=125)
    assert links() == ["d3d9.dll"] and content(path("game/d3d9.dll")) == b"a wrapper"
    put("game/d3d9.dll", "HALCYON_CONFIG_FILE copied")
    run(DRAWS)
    assert links() == ["d3d9.dll"], links()
    os.remove(path("game/d3d9.dll"))


def test_status_is_that_of_the_program():
    run(DRAWS + "\nexit 3", status=3)
    run(DRAWS + "\nkill -9 $$", status=137)


def test_never_0_when_the_program_has_not_started():
    assert "has not loaded it" in run("exit 0", status=126)
    missing = """echo 'err:module:LdrInitializeThunk Importing dlls for L"title.exe" failed, status c0000135' >&2; exit 53"""
    assert "a dll that it needs is missing" in run(loaded("title.exe") + "\n" + missing, status=126)
    assert not links()


def test_what_is_missing_is_named():
    name = program(bits=32)
    options = ("run", "--dlls", dlls(), "--wine", wine("", widths=("x86_64-windows",)), "--", name)
    said = halcyon(*options, status=126)[1]
    assert "runs 64-bit programs only" in said and "Install 32-bit Wine" in said, said
    said = halcyon("run", "--wine", path("no-wine"), "--", name, status=125)[1]
    assert "Wine is not installed" in said and "Install it" in said, said
    said = halcyon("run", "--dlls", path("game"), "--wine", wine(""), "--", name, status=125)[1]
    assert "dlls are not in" in said, said
    assert "older than Wine 8" in halcyon("run", "--dlls", dlls(), "--wine", wine(DRAWS, version="wine-6.0"), "--", name)[1]


def test_what_is_not_a_program():
    said = halcyon("run", "--", path("nothing.exe"), status=127)[1]
    assert "No such file" in said, said
    for text, words in ((b"", "not a Windows program"), (b"#!/bin/sh\n", "not a Windows program"), (b"MZ" + bytes(100), "for DOS")):
        said = halcyon("run", "--", put("bad.exe", text), status=126)[1]
        assert words in said, said
    halcyon("run", "--", FOLDER, status=126)


def test_versions_of_direct3d():
    for imported, words in ((b"D3D9.DLL", "Direct3D 9"), (b"ddraw.dll", "DirectDraw"), (b"kernel32.dll", "no graphics library")):
        said = run(DRAWS, name=program(imported=imported))
        assert words in said, said
    assert "neither it nor a dll next to it" in said, said
    os.rename(program("game/engine.exe", imported=b"d3d9.dll"), path("game/engine.dll"))
    said = run(DRAWS, name=program(imported=b"kernel32.dll"))
    os.remove(path("game/engine.dll"))
    assert "names Direct3D 9" in said, said


def overrides(*words, name, **environment):
    """The overrides that the program would run with, and what is said about it."""
    told, said = halcyon("run", "--dry-run", "--dlls", dlls(), "--wine", wine(DRAWS), *words, "--", name, **environment)
    return re.search("^WINEDLLOVERRIDES=(.*)$", told, re.M).group(1), said


def test_ddraw_is_ours_where_it_serves():
    """auto: of a program that names DirectDraw, itself or in a dll, but not Direct3D 1 to 7."""
    ours, wines = "d3d8,d3d9,ddraw=n", "d3d8,d3d9=n"
    plain, with_3d, other = (program(imported=b"DDRAW.dll"), program("game/3d.exe", imported=b"ddraw.dll", data=DIRECT3D7),
                             program("game/other.exe", imported=b"kernel32.dll"))
    said = overrides(name=plain)
    assert said[0] == ours and "names DirectDraw\n" in said[1], said
    said = overrides(name=with_3d)
    assert said[0] == wines and "names DirectDraw, Direct3D 1 to 7\n" in said[1] and "left to Wine; --ddraw on" in said[1], said
    assert overrides(name=program("game/rm.exe", imported=b"d3drm.dll"))[0] == wines
    assert overrides(name=other)[0] == overrides(name=program("game/8.exe"))[0] == wines
    os.rename(program("game/engine.exe", imported=b"ddraw.dll"), path("game/engine.dll"))
    assert overrides(name=other)[0] == ours
    os.rename(program("game/engine.exe", imported=b"kernel32.dll", data=DIRECT3D7), path("game/second.dll"))
    assert overrides(name=other)[0] == overrides(name=plain)[0] == wines
    os.remove(path("game/engine.dll"))
    os.remove(path("game/second.dll"))
    put("game/DDraw.dll", "a wrapper")
    said = overrides(name=plain)
    os.remove(path("game/DDraw.dll"))
    assert said[0] == wines and "left to the ddraw.dll next to it" in said[1], said
    put("game/d3d9.dll", b"HALCYON_CONFIG_FILE" + content(with_3d))     # our own, copied, says nothing about the program
    assert overrides(name=plain)[0] == ours
    os.remove(path("game/d3d9.dll"))


def test_ddraw_by_option_and_file():
    """The option, before the variable, before the program's section of halcyon.conf."""
    ours, wines = "d3d8,d3d9,ddraw=n", "d3d8,d3d9=n"
    plain, other = program(imported=b"ddraw.dll"), program("game/other.exe")
    assert overrides("--ddraw", "off", name=plain)[0] == wines and "--ddraw on" not in overrides("--ddraw", "off", name=plain)[1]
    assert overrides("--ddraw", "on", name=other)[0] == ours
    put("game/halcyon.conf", "ddraw = on\n[title.exe]\nddraw = off\n")
    assert overrides(name=plain)[0] == wines and overrides(name=other)[0] == ours
    assert overrides(name=plain, HALCYON_DDRAW="on")[0] == ours and overrides("--ddraw", "off", name=plain, HALCYON_DDRAW="on")[0] == wines
    os.remove(path("game/halcyon.conf"))
    assert "auto|on|off" in halcyon("run", "--ddraw", "maybe", plain, status=125)[1]


def test_result_of_directdraw_programs():
    name = program(imported=b"ddraw.dll")
    draws = DRAWS.replace("d3d8", "ddraw") + '\nls *.dll >"%s"' % path("seen")
    assert "drawn by Halcyon: 312 frames" in run(draws, name=name) and not links()
    assert content(path("seen")).decode().split() == sorted(NAMES + ("ddraw.dll",))
    assert "drawn by Halcyon: 312 frames" in run(DRAWS + '\nls *.dll >"%s"' % path("seen"), name=program())
    assert content(path("seen")).decode().split() == list(NAMES)
    name = program(imported=b"ddraw.dll")
    assert "Halcyon's DirectDraw was loaded, and the program has not used it" in run(loaded("title.exe") + "\n" + loaded("ddraw.dll"), name=name)
    wines = loaded("title.exe") + "\n" + loaded("ddraw.dll", "builtin")
    assert "NOT drawn by Halcyon: Wine has loaded its own DirectDraw" in run(wines, "--ddraw", "off", name=name)
    others = loaded("title.exe") + "\n" + loaded("ddraw.dll")
    assert "NOT drawn by Halcyon: the program has loaded another ddraw.dll" in run(others, "--ddraw", "off", name=name)


def test_settings_reach_the_program():
    said = halcyon("run", "--dry-run", "--dlls", dlls(), "--wine", wine(DRAWS), "--hud=full", "--fps", "-1", "--threads", "2", "--screenshot", "1,3", "--capture",
                   "--set", "caps=dx8", "--log-level", "debug", "--output", path("o"), "--", program(), "-windowed", WINEDLLOVERRIDES="x=b", WINEDEBUG="-all")[0]
    for line in ("WINEDLLOVERRIDES=x=b;d3d8,d3d9=n", "WINEDEBUG=-all,err+module,+loaddll", "HALCYON_HUD=full", "HALCYON_FRAME_LIMIT=-1", "HALCYON_THREADS=2",
                 "HALCYON_SCREENSHOT_FRAMES=1,3", "HALCYON_CAPTURE=%s/" % path("o"), "HALCYON_CAPS=dx8", "HALCYON_LOG_LEVEL=debug"):
        assert line in said.splitlines(), (line, said)
    assert said.splitlines()[-1].endswith("title.exe -windowed")


def test_wrong_command_lines():
    for words in (["run"], ["run", "--nothing"], ["run", "--fps"], ["run", "--fps", "many", "x.exe"], ["run", "--set", "x", "x.exe"],
                  ["run", "--set", "colour=red", "x.exe"], ["walk"], [], ["title.exe"], ["help", "walk"], ["install"], ["install", "a", "b"], ["uninstall", "--dlls", "x", "y"]):
        assert halcyon(*words, status=125)[1], words
    for words in (["--help"], ["help"], ["help", "run"], ["run", "--help"], ["--version"]):
        assert halcyon(*words)[0], words


def test_completion_and_manual_have_all_options():
    options = set(re.findall(r"--[a-z][a-z-]*", halcyon("run", "--help")[0] + halcyon("install", "--help")[0] + halcyon("doctor", "--help")[0]))
    for name in "tools/completion/halcyon", "tools/completion/_halcyon", "tools/man/halcyon.1":
        text = content(os.path.join(ROOT, name)).decode().replace("\\-", "-")
        missing = [option for option in options if option not in text]
        assert not missing, (name, missing)


def test_values_of_settings():
    """The table of options and the settings of the dlls have the same levels."""
    described = json.loads(halcyon("help", "run", "--json")[0])
    assert described["format"] == "halcyon-help"
    options = {option["name"]: option.get("choices") for option in described["verbs"][0]["options"]}
    for option in "cpu", "log-level":
        for value in options[option]:
            halcyon("run", "--dry-run", "--dlls", dlls(), "--wine", wine(DRAWS), "--" + option, value, program())
        refused = halcyon("run", "--dry-run", "--" + option, "x", program(), status=125)[1]
        assert "|".join(options[option]) in refused, refused


def test_damage_of_programs():
    good, chance = bytearray(content(program())), random.Random(1)
    for _ in range(200):
        bad = bytearray(good[:chance.randrange(len(good))] if chance.random() < 0.3 else good)
        for _ in range(chance.randrange(1, 5)):
            if bad:
                bad[chance.randrange(min(len(bad), 600))] = chance.randrange(256)
        done = subprocess.run([HALCYON, "run", "--dry-run", "--dlls", dlls(), "--wine", path("wine/bin/wine"), "--", put("game/bad.exe", bytes(bad))],
                              env=clean(HOME=FOLDER), capture_output=True, timeout=PATIENCE)
        assert done.returncode in (0, 126), (done.returncode, done.stderr)


REGISTRY = "WINE REGISTRY Version 2\n#arch=win%d\n\n%s[Software\\\\Wine\\\\Fonts] 17\n#time=1\n\"Codepages\"=\"1252\"\n"
SECTION = "[Software\\\\Wine\\\\DllOverrides] 16\n#time=1d\n%s\n"


def prefix(name, bits, section):
    """A Wine prefix; lists its contents."""
    for folder in ("system32", "syswow64")[:bits // 32]:
        os.makedirs(path(name + "/drive_c/windows/" + folder), exist_ok=True)
        for dll in "d3d8.dll", "d3d9.dll", "ddraw.dll":
            put("%s/drive_c/windows/%s/%s" % (name, folder, dll), "Wine's %s of %s" % (dll, folder))
    put(name + "/user.reg", REGISTRY % (bits, section))
    return contents(path(name))


def contents(folder):
    return {os.path.join(top, file): content(os.path.join(top, file)) for top, _, files in os.walk(folder) for file in files}


def test_install_and_uninstall():
    for number, section in enumerate(("", SECTION % "", SECTION % '"*mshtml"=""\n"d3d8"="builtin"\n')):
        for bits in 32, 64:
            name = "prefix%d-%d" % (number, bits)
            before = prefix(name, bits, section)
            halcyon("install", "--dlls", dlls(), path(name))
            after = contents(path(name))
            for folder, width in (("system32", bits), ("syswow64", 32))[:bits // 32]:
                for dll in NAMES:
                    assert after[path("%s/drive_c/windows/%s/%s" % (name, folder, dll))] == b"HALCYON_CONFIG_FILE x%d" % width
            registry = after[path(name + "/user.reg")].decode()
            assert registry.count('"d3d8"="native"\n') == registry.count('"d3d9"="native"\n') == 1 and "builtin" not in registry, registry
            assert registry.index("DllOverrides]") < registry.index('"d3d9"') and ("Fonts" in registry.split('"d3d9"')[1]) == bool(section), registry
            halcyon("install", "--dlls", dlls(), path(name))
            assert contents(path(name)) == after
            halcyon("uninstall", path(name))
            assert contents(path(name)) == before and not os.path.exists(path(name + "/.halcyon-backup"))
            assert "has not been here" in halcyon("uninstall", path(name), status=125)[1]


def test_install_with_ddraw():
    """Only if asked for; then later installations replace it too."""
    for section in "", SECTION % '"ddraw"="builtin"\n':
        before = prefix("drawn", 64, section)
        ours = path("drawn/drive_c/windows/system32/ddraw.dll")
        halcyon("install", "--dlls", dlls(), path("drawn"))
        assert contents(path("drawn"))[ours] == before[ours] and '"ddraw"="native"' not in content(path("drawn/user.reg")).decode()
        halcyon("install", "--ddraw", "on", "--dlls", dlls(), path("drawn"))
        after = contents(path("drawn"))
        assert after[ours] == b"HALCYON_CONFIG_FILE x64" and after[ours.replace("system32", "syswow64")] == b"HALCYON_CONFIG_FILE x32"
        assert after[path("drawn/user.reg")].count(b'"ddraw"="native"\n') == 1
        put("drawn/drive_c/windows/system32/ddraw.dll", "HALCYON_CONFIG_FILE older")
        halcyon("install", "--dlls", dlls(), path("drawn"))
        assert contents(path("drawn")) == after
        halcyon("uninstall", path("drawn"))
        assert contents(path("drawn")) == before
    prefix("undrawn", 64, "")
    halcyon("install", "--dlls", dlls(), path("undrawn"))
    registry = content(path("undrawn/user.reg")).decode()
    put("undrawn/user.reg", registry.replace('"d3d9"', '"ddraw"="native"\n"d3d9"'))      # the user's own
    halcyon("uninstall", path("undrawn"))
    assert '"ddraw"="native"' in content(path("undrawn/user.reg")).decode()


def test_uninstall_keeps_what_has_changed_since():
    prefix("changed", 64, SECTION % '"d3d9"="builtin"\n')
    halcyon("install", "--dlls", dlls(), path("changed"))
    registry = content(path("changed/user.reg")).decode()
    put("changed/user.reg", registry + "\n[Software\\\\Title] 18\n\"a\"=\"b\"\n")
    put("changed/drive_c/windows/system32/d3d8.dll", "Wine's newer one")
    halcyon("uninstall", path("changed"))
    registry = content(path("changed/user.reg")).decode()
    assert '"a"="b"' in registry and '"d3d9"="builtin"' in registry and "native" not in registry, registry
    assert content(path("changed/drive_c/windows/system32/d3d8.dll")) == b"Wine's newer one"
    assert not os.path.exists(path("changed/.halcyon-backup"))


def test_what_is_not_a_prefix_or_in_use():
    assert "not a Wine prefix" in halcyon("install", "--dlls", dlls(), path("game"), status=125)[1]
    before = prefix("used", 64, "")
    server = os.path.join(FOLDER, "wineserver64")
    with open("/bin/sleep", "rb") as file, open(server, "wb") as copy:
        copy.write(file.read())
    os.chmod(server, 0o755)
    with open(path("used/user.reg")) as file, subprocess.Popen([server, "1000"], pass_fds=[file.fileno()]) as process:
        try:
            said = halcyon("install", "--dlls", dlls(), path("used"), status=125)[1]
        finally:
            process.kill()
    assert "in use" in said and contents(path("used")) == before, said


def test_doctor_tells_what_is_wrong():
    done = json.loads(halcyon("doctor", "--json", "--dlls", path("game"), "--wine", path("no-wine"), status=1, DISPLAY="")[0])
    states = {check["name"]: check["state"] for check in done["checks"]}
    assert states["wine"] == states["64-bit dlls"] == states["32-bit dlls"] == "fail" and states["memory"] in ("ok", "warn"), states
    assert all(bool(check["advice"]) == (check["state"] != "ok") for check in done["checks"]), done
    said = halcyon("doctor", "--dlls", dlls(), "--wine", path("no-wine"), status=1, HALCYON_INTERNAL_RESOLUTION="2x", HALCYON_SCALE="big")[0]
    assert re.search(r"^warn +settings +internal_resolution = 2x \(HALCYON_INTERNAL_RESOLUTION\).*\n +HALCYON_SCALE: scale = big: the value", said, re.M), said
    said = halcyon("doctor", "--dlls", dlls(), "--wine", wine("", widths=("x86_64-windows",)), "--prefix", path("none"), status=(0, 1))[0]
    assert re.search(r"^warn +32-bit programs +cannot run", said, re.M) and re.search(r"^ok +64-bit dlls ", said, re.M), said
    assert re.search(r"^warn +prefix .*not there yet", said, re.M) and "\033" not in said, said


def test_profiles():
    """A program of a known name gets its setting, unless the user sets it."""
    known = path("BGE.exe")
    shutil.copy(HALCYON, known)

    def settings(**environment):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
        done = subprocess.run([known, "doctor", "--dlls", path("game"), "--wine", path("no-wine")], env={**clean, **environment}, capture_output=True, text=True, timeout=PATIENCE)
        return re.search(r"^\w+ +settings +(.*)", done.stdout, re.M).group(1)

    assert settings().startswith("frame_limit = 60 (profile of BGE.exe: "), settings()
    assert settings(HALCYON_FRAME_LIMIT="90") == "frame_limit = 90 (HALCYON_FRAME_LIMIT)"
    assert settings(HALCYON_PROFILES="0") == "profiles = 0 (HALCYON_PROFILES)"


def test_doctor_draws():
    if "/asan/" in HALCYON or not os.path.exists(os.path.join(ROOT, "build/x64/halcyon-picture.exe")):
        return "skip: no picture"
    done = subprocess.run([os.path.join(ROOT, "scripts/with-wine"), HALCYON, "doctor"],
                          env={k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, capture_output=True, text=True, timeout=PATIENCE)
    assert re.search(r"^ok +native picture", done.stdout, re.M) and re.search(r"^ok +64-bit picture", done.stdout, re.M), done.stdout + done.stderr
    return None


def test_calls_are_logged():
    """With --log-level trace each call of a method is a line, and the program draws the same."""
    for name, version in ("primitives.exe", 8), ("courtyard.exe", 9):
        example = os.path.join(ROOT, "build/x64", name)
        if not os.path.exists(example) or "/asan/" in HALCYON:
            return "skip: no example"
        copy, pictures = put("game/" + name, content(example)), []
        for level in "warn", "trace":
            done = subprocess.run([os.path.join(ROOT, "scripts/with-wine"), HALCYON, "run", "--screenshot", "2", "--log-level", level, "--output", path(level + name),
                                   "--", copy, "--frames", "3"],
                                  env={k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode == 0, (done.returncode, done.stderr)
            (picture,) = [made for made in contents(path(level + name)).items() if made[0].endswith(".png")]
            pictures.append(picture[1])
        assert pictures[0] == pictures[1]
        (log,) = [text for file, text in contents(path("trace" + name)).items() if file.endswith(".log")]
        calls = re.findall(r"trace: (IDirect3D\w+)::(\w+)\((0x[0-9a-f]+.*)$", log.decode().replace("\r", ""), re.M)
        assert len(calls) > 50 and not [c for c in calls if not re.search(r"\)( = \S+)?$", c[2])], calls[:10]
        device = "IDirect3DDevice%d%s" % (version, "Ex" if version == 9 else "")
        assert [c[1] for c in calls if c[0].startswith("IDirect3DDevice")].count("Present") == 3, calls
        for interface, method, text in ((device, "SetRenderState", r", [Ss]tate \d+, [Vv]alue \w+\) = 0x00000000$"), ("IDirect3D%d%s" % (version, device[16:]), "CreateDevice", r" -> 0x[0-9a-f]+\) = 0x00000000$")):
            assert [c for c in calls if c[:2] == (interface, method) and re.search(text, c[2])], [c for c in calls if c[1] == method]
    return None


def test_an_example_is_drawn():
    example = os.path.join(ROOT, "build/x64/primitives.exe")
    if not os.path.exists(example) or "/asan/" in HALCYON:
        return "skip: no example"
    copy = put("game/primitives.exe", content(example))
    done = subprocess.run([os.path.join(ROOT, "scripts/with-wine"), HALCYON, "run", "--screenshot", "3", "--output", path("drawn"), "--", copy, "--frames", "5"],
                          env={k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "drawn by Halcyon: 5 frames" in done.stderr, (done.returncode, done.stderr)
    assert os.path.getsize(path("drawn/shot-000003.png")) > 10000 and not links()
    return None


def test_a_directdraw_program_is_drawn():
    """In full screen, where each flip is seen, and in a window, where copies are seen at the next refresh; the program reads back the same."""
    example = os.path.join(ROOT, "build/x64/ddraw_sprites.exe")
    if not os.path.exists(example) or "/asan/" in HALCYON:
        return "skip: no example"
    copy, seen = put("game/ddraw_sprites.exe", content(example)), []
    for words in (), ("--windowed",):
        done = subprocess.run([os.path.join(ROOT, "scripts/with-wine"), HALCYON, "run", "--screenshot", "0-11", "--output", path("sprites%d" % len(words)), "--", copy,
                               "--frames", "10", "--shot", path("sprites.ppm"), *words],
                              env={k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}, capture_output=True, text=True, timeout=PATIENCE)
        frames = re.search(r"drawn by Halcyon: (\d+) frames", done.stderr)
        assert done.returncode == 0 and "names DirectDraw\n" in done.stderr and frames and int(frames.group(1)) >= (1 if words else 10), (done.returncode, done.stderr)
        assert not links()
        seen.append(content(path("sprites.ppm")))
        assert len(set(seen[-1][15 + i:18 + i] for i in range(0, 640 * 480 * 3, 3))) > 100
    assert seen[0] == seen[1]
    return None


if __name__ == "__main__":
    sys.exit(0 if run_tests([f for n, f in list(globals().items()) if n.startswith("test_")]) else 1)
