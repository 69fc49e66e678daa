# SPDX-License-Identifier: MIT
"""The programs that tests/ddraw-programs/compare runs: how each is started, and at which of its frames it is still."""
import collections

# name; words: the command line; frames: STILL_FRAMES; letters: one for each still, what the program is told there
# (still.h), none: the program ends by itself; config: allegro.cfg's choice of drivers; variables: more of the environment;
# expected: members that are different in the run that makes the reference; rounding: by how much a channel may differ from that;
# caption: whether the picture has that of a window, whose letters Wine makes darker whenever it draws them once more.
Case = collections.namedtuple("Case", "name words frames letters config variables expected rounding caption")

# Between pictures of two dlls: one makes 8 bits of 5 or 6 by repeated bits, the other by division and rounding.
ROUNDING = 1
# Between SDL's own conversion, which fills up with zeros, and that of a dll.
SHIFTED = 7

VARIABLES = {"SDL_VIDEODRIVER": "directx", "SDL_VIDEO_WINDOW_POS": "100,80"}

# Drivers of Allegro: accelerated surfaces, surfaces drawn by the CPU, one that wants nothing, windows.
FULL_SCREEN = ("DXAC", "DXSO", "DXSA")
WINDOWED = ("DXWN",)
# These flip between video bitmaps, which the driver DXSA does not have.
FLIPPING = ("ex3buf", "exaccel", "exflip")


def sdl(name, words, frames=10, letters="q", expected=None, rounding=ROUNDING):
    return Case("sdl/" + name, words.split(), frames, letters, None,
                VARIABLES, expected or {}, rounding, False)


def window(name, words, frames=10):
    """SDL's driver for GDI shows what is expected: Wine 8.0's ddraw shows an empty window in this desktop."""
    return sdl("%s-window" % name, words, frames, expected={"variables": dict(VARIABLES, SDL_VIDEODRIVER="windib")},
               rounding=SHIFTED if "-16" in name else ROUNDING)


def configuration(driver):
    return "[graphics]\n%s = %s\n[sound]\ndigi_card = 0\nmidi_card = 0\n" % ("gfx_card" if driver in FULL_SCREEN else "gfx_cardw", driver)


def allegro(program, driver, frames=20, letters="q"):
    return Case("allegro/%s-%s" % (program.split()[0], driver.lower()), program.split(), frames, letters, configuration(driver), {}, {},
                ROUNDING, driver in WINDOWED)


def cases_of_sdl():
    """Each depth, full screen with a surface of the system or of the screen, and in a window."""
    for depth in ("8", "16", "32"):
        for place in ("-fullscreen", "-hw -fullscreen", ""):
            name = "%s%s" % (depth, place.replace(" ", ""))
            case = sdl if place else window
            # testbitmap wants the depth last, because it reads its words from the end
            yield case("testbitmap-" + name, "testbitmap %s -bpp %s" % (place, depth))
            yield case("graywin-" + name, "graywin %s -bpp %s" % (place, depth))
            yield case("testsprite-" + name, "testsprite -bpp %s %s" % (depth, place), 5)
            yield case("testwin-" + name, "testwin -nofade -bpp %s %s sample.bmp" % (depth, place))
            if depth != "8":
                yield case("testalpha-" + name, "testalpha -bpp %s %s" % (depth, place), 5)
        yield sdl("testsprite-%s-flip" % depth, "testsprite -bpp %s -hw -flip -fullscreen" % depth, 5)
        yield sdl("graywin-%s-flip" % depth, "graywin -bpp %s -hw -flip -fullscreen" % depth)
    for width, height, depth in ((320, 200, 8), (320, 240, 16), (512, 384, 8), (800, 600, 32), (1024, 768, 16)):
        yield sdl("testsprite-%dx%dx%d" % (width, height, depth),
                  "testsprite -width %d -height %d -bpp %d -hw -fullscreen" % (width, height, depth), 5)
    for place in ("-fullscreen", "-hw -fullscreen"):
        yield sdl("testpalette%s" % place.replace(" ", ""), "testpalette -nofade " + place, 40)
        yield sdl("testpalette-fade%s" % place.replace(" ", ""), "testpalette " + place, 150)
    yield window("testpalette", "testpalette -nofade", 40)
    yield sdl("testoverlay-fullscreen", "testoverlay -fullscreen")
    yield window("testoverlay2", "testoverlay2 -scale 1", 12)
    yield sdl("testvidinfo", "testvidinfo", letters="")


def cases_of_allegro():
    """Not exscroll: it wants a screen larger than what is seen of it, which the drivers for DirectDraw do not have."""
    for program, frames, letters in (
            ("ex12bit", 3, "q"), ("ex3buf", 20, "q"), ("exaccel", 20, "q"), ("exalpha", 10, "q"), ("exbitmap allegro.pcx", 1, "q"),
            ("exblend", 5, "q"), ("excamera", 5, "q"), ("excolmap", 10, "kq"), ("exdata", 1, "q"), ("exdbuf", 20, "kq"),
            ("exflame", 10, "kkq"), ("exflip", 20, "kq"), ("exfont", 1, "q"), ("exhello", 1, "q"),
            ("exlights", 3, "q"), ("exmem", 1, "q"), ("expal", 10, "q"), ("expat", 1, "q"), ("exquat", 10, "q"),
            ("exscale", 5, "q"), ("exshade", 2, "q"), ("exsprite", 7, "kkkkkq"), ("exstars", 5, "q"),
            ("extrans", 5, "kq"), ("extruec", 1, "q"), ("exxfade allegro.pcx mysha.pcx", 20, "kq")):
        for driver in FULL_SCREEN + (WINDOWED if program.split()[0] in ("exbitmap", "expat", "exflip", "expal", "extruec", "exblend", "exsprite") else ()):
            if program in FLIPPING and driver == "DXSA":
                continue
            yield allegro(program, driver, frames, letters)
    for program, frames, letters in (("exrotscl", 10, "q"), ("extrans2", 10, "q")):
        for driver in WINDOWED:
            yield allegro(program, driver, frames, letters)


def all_cases():
    return [*cases_of_sdl(), *cases_of_allegro()]
