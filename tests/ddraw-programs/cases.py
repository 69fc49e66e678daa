# SPDX-License-Identifier: MIT
"""The programs that tests/ddraw-programs/compare runs: how each is started, and at which of its frames it is still."""
import collections

# name; words: the command line; frames: STILL_FRAMES; letters: one for each still, what the program is told there
# (still.h); config: allegro.cfg's choice of drivers; variables: more of the environment.
Case = collections.namedtuple("Case", "name words frames letters config variables")

# Drivers of Allegro: accelerated surfaces, surfaces drawn by the CPU, one that wants nothing, overlays, windows.
FULL_SCREEN = ("DXAC", "DXSO", "DXSA")
WINDOWED = ("DXWN", "DXOV")


def sdl(name, words, frames=10, letters="q"):
    return Case("sdl/" + name, words.split(), frames, letters, None, {"SDL_VIDEODRIVER": "directx"})


def allegro(program, driver, frames=20, letters="q"):
    full = driver in FULL_SCREEN
    config = "[graphics]\ngfx_card = %s\ngfx_cardw = %s\n[sound]\ndigi_card = 0\nmidi_card = 0\n" % (driver, driver)
    return Case("allegro/%s-%s" % (program.split()[0], driver.lower()), program.split(), frames, letters,
                config if full else config.replace("gfx_card = ", "disabled = "), {})


def cases_of_sdl():
    """Full screen in each depth, with a surface of the system or of the screen. Not in windows: README.md."""
    for depth in ("8", "16", "32"):
        for place in ("-fullscreen", "-hw -fullscreen"):
            name = "%s%s" % (depth, place.replace(" ", ""))
            # testbitmap wants the depth last, because it reads its words from the end
            yield sdl("testbitmap-" + name, "testbitmap %s -bpp %s" % (place, depth))
            yield sdl("graywin-" + name, "graywin %s -bpp %s" % (place, depth))
            yield sdl("testsprite-" + name, "testsprite -bpp %s %s" % (depth, place), 5)
            yield sdl("testwin-" + name, "testwin -nofade -bpp %s %s sample.bmp" % (depth, place))
            if depth != "8":
                yield sdl("testalpha-" + name, "testalpha -bpp %s %s" % (depth, place), 5)
        yield sdl("testsprite-%s-flip" % depth, "testsprite -bpp %s -hw -flip -fullscreen" % depth, 5)
        yield sdl("graywin-%s-flip" % depth, "graywin -bpp %s -hw -flip -fullscreen" % depth)
    for place in ("-fullscreen", "-hw -fullscreen"):
        yield sdl("testpalette%s" % place.replace(" ", ""), "testpalette -nofade " + place, 40)
        yield sdl("testpalette-fade%s" % place.replace(" ", ""), "testpalette " + place, 150)
    yield sdl("testoverlay-fullscreen", "testoverlay -fullscreen")
    yield sdl("testoverlay2-fullscreen", "testoverlay2 -fullscreen", 12)
    yield sdl("testvidinfo", "testvidinfo -bpp 16 -fullscreen", 40, "nnnnq")


def cases_of_allegro():
    for program, frames, letters in (
            ("ex12bit", 3, "q"), ("ex3buf", 20, "q"), ("exaccel", 20, "q"), ("exalpha", 10, "kq"), ("exbitmap allegro.pcx", 1, "q"),
            ("exblend", 5, "q"), ("excamera", 5, "q"), ("excolmap", 10, "kq"), ("exdata", 1, "kkq"), ("exdbuf", 20, "kq"),
            ("exflame", 10, "kkq"), ("exflip", 20, "kq"), ("exfont", 1, "q"), ("exhello", 1, "q"),
            ("exlights", 3, "q"), ("exmem", 1, "q"), ("expal", 10, "q"), ("expat", 1, "q"), ("exquat", 10, "q"),
            ("exscale", 5, "q"), ("exscroll", 20, "q"), ("exshade", 2, "q"), ("exsprite", 7, "kkkkkq"), ("exstars", 5, "q"),
            ("extrans", 5, "kq"), ("extruec", 1, "q"), ("exxfade allegro.pcx mysha.pcx", 20, "kq")):
        for driver in FULL_SCREEN + (WINDOWED if program.split()[0] in ("exbitmap", "expat", "exflip", "expal", "extruec", "exblend", "exsprite") else ()):
            yield allegro(program, driver, frames, letters)
    for program, frames, letters in (("exrotscl", 10, "q"), ("extrans2", 10, "q")):
        for driver in WINDOWED:
            yield allegro(program, driver, frames, letters)


def all_cases():
    return [*cases_of_sdl(), *cases_of_allegro()]
