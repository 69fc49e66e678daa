#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Histories of pixels and states of 2D programs, compared with a model: random blits with keys, stretches, mirrors and clip lists, fills,
memory that the CPU writes, flips and exchanges, palettes. The model follows DirectDraw's documentation (DirectX 7 SDK,
IDirectDrawSurface7::Blt and Flip, "Color Keying", IDirectDrawPalette) and docs/capture-format.md. Speaks TAP.

tests/cli/test_history_2d.py [DP2]
"""
import os
import random
import subprocess
import sys

from program import PROGRAM, ROOT, ask, assemble, path, rows_of_png, run
from tap import run_tests

ROUNDS = 20 if "/asan/" in PROGRAM else 120
SIZE = 5

ROP, KEYDEST, KEYSRC, KEYSRCOVERRIDE, COLORFILL, DDFX = 0x20000, 0x2000, 0x8000, 0x10000, 0x400, 0x800
LAST_PRESENTATION, SRCCOPY, BLACKNESS, EXCHANGE = 0x20000000, 0xcc0020, 0x42, 0x10000
FORMATS = {"P8": (1, 0xff), "R5G6B5": (2, 0xffff), "X8R8G8B8": (4, 0xffffff)}      # bytes of a texel, bits that keys compare


def inside(rect, x, y):
    return rect[0] <= x < rect[2] and rect[1] <= y < rect[3]


def hex_of(value, size):
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little").hex()


class World:
    """A frame of a 2D program. `steps`: for each event a function of (surface, pixel) that gives the members of its row, or
    None, and the memory of each surface after it. Texels are numbers."""

    def __init__(self, chance):
        self.chance = chance
        self.format = chance.choice(["P8", "P8", "P8", "R5G6B5", "X8R8G8B8"])
        self.bytes, self.mask = FORMATS[self.format]
        self.chain = chance.randrange(2, 4)
        self.surfaces = list(range(1, self.chain + 3))
        self.system = self.surfaces[-1]
        self.memory = {s: s for s in self.surfaces}     # which memory each surface has
        self.texels = {s: [[0] * SIZE for _ in range(SIZE)] for s in self.surfaces}
        self.keys = {}
        self.palettes, self.attached, self.next_palette = {}, {s: 0 for s in self.surfaces}, 1
        self.values = [chance.getrandbits(8 * self.bytes) for _ in range(3)]
        self.text, self.steps, self.states, self.actions, self.uses = [], [], [], 0, {}
        self.start = dict(self.memory)

    def value(self):
        """Few, so that keys match often. Bits without a meaning are set: stretching may set them."""
        return self.chance.choice(self.values) | (0xff000000 if self.format == "X8R8G8B8" else 0)

    def key_value(self):
        """The bits that no key compares are random."""
        return self.value() ^ (self.chance.getrandbits(8) << 24 if self.format == "X8R8G8B8" else 0)

    def rect(self):
        """Mostly large."""
        left, top = (min(self.chance.randrange(SIZE) for _ in range(2)) for _ in range(2))
        return (left, top, *(max(self.chance.randrange(low + 1, SIZE + 1) for _ in range(2)) for low in (left, top)))

    def of(self, surface):
        return self.texels[self.memory[surface]]

    def palette_of(self, surface):
        number = self.attached[surface]
        return number or (self.attached[1] if surface <= self.chain else 0)

    def seen(self, surface, x, y):
        """The members of a pixel that the model knows."""
        texel = self.of(surface)[y][x]
        told = {"bytes": hex_of(texel, self.bytes)}
        if self.format == "P8":
            number = self.palette_of(surface)
            told["index"] = texel
            told["color"] = [round(c / 255, 4) for c in (self.palettes[number][texel] if number else [texel] * 3)] + [1.0]
            if number:
                told["palette"] = number
        return told

    def all_seen(self):
        return {(s, x, y): self.seen(s, x, y) for s in self.surfaces for y in range(SIZE) for x in range(SIZE)}

    def use(self, surface, how):
        """The next action uses the surface."""
        self.uses.setdefault(surface, {}).setdefault("0.%d" % self.actions, set()).add(how)

    def step(self, text, is_action, change, row):
        """change: carries the event out. row(surface, x, y, before, after) gives the members of the row, or None."""
        before = self.all_seen()
        memory = dict(self.memory)
        change()
        self.text.append(text)
        self.steps.append((self.actions, before, self.all_seen(), row, memory, dict(self.memory), is_action))
        if is_action:
            self.states.append((dict(self.keys), {s: self.palette_of(s) for s in self.surfaces},
                                {n: [list(e) for e in p] for n, p in self.palettes.items()}, dict(self.memory)))
        self.actions += is_action

    # --- events

    def write(self, surface=None):
        left, top, right, bottom = (0, 0, SIZE, SIZE) if surface else self.rect()
        surface = surface or self.chance.choice(self.surfaces)
        data = [[self.value() for _ in range(left, right)] for _ in range(top, bottom)]

        def change():
            for y, values in enumerate(data):
                self.of(surface)[top + y][left:right] = values
        flat = " ".join(str(b) for values in data for v in values for b in bytes.fromhex(hex_of(v, self.bytes)))
        self.step("memory %d first_row=%d row_count=%d row_offset=%d row_bytes=%d slice_count=1 { u8(%s) }"
                  % (surface, top, bottom - top, left * self.bytes, (right - left) * self.bytes, flat), False, change,
                  lambda s, x, y, before, after: {"kind": "lock", "between": "memory" if s == self.system else "lock"}
                  if s == surface and before != after else None)

    def key(self):
        surface, kind = self.chance.choice(self.surfaces), self.chance.choice(["SOURCE", "DESTINATION"])
        if self.chance.randrange(4):
            value = self.key_value()
            self.step("color-key %d kind=%s low=%#x high=%#x" % (surface, kind, value, value), False,
                      lambda: self.keys.update({(surface, kind): value & self.mask}), lambda *_: None)
        else:
            self.step("color-key %d kind=%s set=0" % (surface, kind), False,
                      lambda: self.keys.pop((surface, kind), None), lambda *_: None)

    def clips(self):
        return [self.rect() for _ in range(self.chance.randrange(1, 4))] if self.chance.randrange(3) == 0 else []

    def fill(self):
        surface, to, clips, value = self.chance.choice(self.surfaces), self.rect(), self.clips(), self.value()
        self.use(surface, "destination")
        black = self.format != "X8R8G8B8" and self.chance.randrange(4) == 0

        def fate(x, y):
            if any(inside(c, x, y) for c in clips) if clips else inside(to, x, y):
                return {"fate": "filled", "fill": 0 if black else value & 0xffffffff}
            return {"fate": "clipped"} if clips and inside(to, x, y) else None

        def change():
            for y in range(SIZE):
                for x in range(SIZE):
                    if (fate(x, y) or {}).get("fate") == "filled":
                        self.of(surface)[y][x] = 0 if black else value
        self.step("blt %d source=0 to=(%d %d %d %d) from=(0 0 0 0) flags=%#x rop=%#x fill=%#x%s"
                  % ((surface, *to, ROP if black else COLORFILL, BLACKNESS, value) + (self.list_of(clips),)), True, change,
                  lambda s, x, y, *_: {"kind": "fill", "blit": fate(x, y)} if s == surface and fate(x, y) else None)

    @staticmethod
    def list_of(clips):
        return " { %s }" % " ".join("rect area=(%d %d %d %d)" % c for c in clips) if clips else ""

    def blit(self):
        to_surface, source = self.chance.choice(self.surfaces), self.chance.choice(self.surfaces)
        self.use(to_surface, "destination")
        self.use(source, "source")
        to, start = self.rect(), self.rect()
        stretched = self.chance.randrange(3) == 0
        if not stretched:       # of the same size
            width, height = min(to[2] - to[0], start[2] - start[0]), min(to[3] - to[1], start[3] - start[1])
            to, start = ((r[0], r[1], r[0] + width, r[1] + height) for r in (to, start))
        stretched = (to[2] - to[0], to[3] - to[1]) != (start[2] - start[0], start[3] - start[1])
        # where surfaces are their own source, a list may read what it has written
        clips = self.clips() if source != to_surface else []
        mirrors = self.chance.choice([0, 0, 0, 2, 4, 6])
        flags = ROP | (DDFX if mirrors else 0) | self.chance.choice([0, KEYSRC, KEYSRC, KEYSRCOVERRIDE]) | self.chance.choice([0, KEYDEST])
        if self.chance.randrange(8) or not self.refuses:        # else keys that there are not, too
            flags &= ~(0 if (source, "SOURCE") in self.keys else KEYSRC) & ~(0 if (to_surface, "DESTINATION") in self.keys else KEYDEST)
        override = self.key_value()
        source_key = override & self.mask if flags & KEYSRCOVERRIDE else self.keys.get((source, "SOURCE")) if flags & KEYSRC else None
        target_key = self.keys.get((to_surface, "DESTINATION")) if flags & KEYDEST else None
        refused = (flags & KEYSRC and source_key is None) or (flags & KEYDEST and target_key is None)
        texels, targets = [list(row) for row in self.of(source)], [list(row) for row in self.of(to_surface)]

        def tap(at, low, high, from_low, from_high, mirrored):
            """The texel under the middle of the pixel."""
            size = from_high - from_low
            n = (2 * (at - low) + 1) * size // (2 * (high - low))
            return from_low + (size - 1 - n if mirrored else n)

        def fate(x, y):
            if not inside(to, x, y):
                return None
            if clips and not any(inside(c, x, y) for c in clips):
                return {"fate": "clipped"}
            u, v = tap(x, to[0], to[2], start[0], start[2], mirrors & 2), tap(y, to[1], to[3], start[1], start[3], mirrors & 4)
            told = {"source": source, "x": u, "y": v, "texel": hex_of(texels[v][u], self.bytes), "stretched": stretched,
                    "mirrored_x": bool(mirrors & 2), "mirrored_y": bool(mirrors & 4)}
            if source_key is not None:
                told["source_key"] = source_key
            if target_key is not None:
                told["destination_key"] = target_key
            if source_key is not None and texels[v][u] & self.mask == source_key:
                return {"fate": "source-keyed", **told}
            if target_key is not None and targets[y][x] & self.mask != target_key:
                return {"fate": "destination-keyed", **told}
            return {"fate": "copied", **told}

        def change():
            for y in range(0 if refused else SIZE):
                for x in range(SIZE):
                    told = fate(x, y)
                    if told and told["fate"] == "copied":
                        self.of(to_surface)[y][x] = texels[told["y"]][told["x"]]

        def row(surface, x, y, *_):
            if surface != to_surface or not fate(x, y):
                return None
            return {"kind": "blit", "refused": True} if refused else {"kind": "blit", "blit": fate(x, y)}
        self.step("blt %d source=%d to=(%d %d %d %d) from=(%d %d %d %d) flags=%#x rop=%#x effects=%#x key_low=%#x key_high=%#x%s"
                  % ((to_surface, source, *to, *start, flags, SRCCOPY, mirrors, override, override) + (self.list_of(clips),)),
                  True, change, row)

    def show(self):
        self.use(1, "destination")
        self.use(1, "source")
        self.step("blt 1 source=1 to=(0 0 {0} {0}) from=(0 0 {0} {0}) flags={1:#x} rop={2:#x}".format(SIZE, LAST_PRESENTATION | ROP, SRCCOPY),
                  True, lambda: None, lambda s, x, y, *_: {"kind": "present", "blit": {"fate": "shown"}} if s == 1 else None)

    def flip(self):
        target, exchange = self.chance.randrange(2, self.chain + 1), self.chance.randrange(2)
        old = dict(self.memory)
        self.use(1, "flipped")
        self.use(target, "flipped")

        def change():
            if target == 2 and not exchange:
                for b in range(1, self.chain + 1):
                    self.memory[b] = old[b % self.chain + 1]
            else:
                self.memory[1], self.memory[target] = old[target], old[1]

        self.step("flip 1 target=%d flags=%#x" % (target, EXCHANGE if exchange else 0), True, change, None)
        number, before, after, _, memory, new, _ = self.steps[-1]
        came = {s: next(b for b in self.surfaces if memory[b] == new[s]) for s in self.surfaces}
        self.steps[-1] = (number, before, after,
                          lambda s, *_: {"kind": "present", "from": came[s]} if came[s] != s else None, memory, new, True)

    def between_palettes(self, surface, before, after):
        if before == after:
            return None
        return {"kind": "palette", "between": "palette-entry" if before.get("palette") == after.get("palette") else "other-palette"}

    def palette(self):
        if self.format != "P8":
            return
        entry = lambda: [self.chance.randrange(256) for _ in range(3)]
        if not self.palettes or self.chance.randrange(3) == 0:
            number, first = self.next_palette, 0
            self.next_palette += 1
            count = 256
        else:
            used = [p for p in self.attached.values() if p]
            number, first = self.chance.choice(used or list(self.palettes)), self.chance.choice([0, *self.values])
            count = self.chance.randrange(1, 257 - first)
        entries = [entry() for _ in range(count)]

        def change():
            self.palettes.setdefault(number, [[0, 0, 0]] * 256)[first:first + count] = entries
        self.step("palette %d flags=0x1 first=%d { u8(%s) }" % (number, first, " ".join("%d %d %d 0" % tuple(e) for e in entries)), False, change,
                  lambda s, x, y, before, after: self.between_palettes(s, before, after))

    def attach(self):
        if not self.palettes:
            return
        surface, number = self.chance.choice([1, *self.surfaces]), self.chance.choice([0, *self.palettes, *self.palettes])
        self.step("set-palette %d palette=%d" % (surface, number), False, lambda: self.attached.update({surface: number}),
                  lambda s, x, y, before, after: self.between_palettes(s, before, after))

    def drop(self):
        if not self.palettes or self.chance.randrange(3):
            return
        number = self.chance.choice(list(self.palettes))

        def change():
            del self.palettes[number]
            for surface, its in self.attached.items():
                if its == number:
                    self.attached[surface] = 0
        self.step("palette-gone %d" % number, False, change, lambda s, x, y, before, after: self.between_palettes(s, before, after))

    # --- the capture, and what must be told of it

    def capture(self, frames=1):
        """frames: so many with the same rectangle, and the driver refuses nothing; the model is of the first one."""
        self.refuses = frames == 1
        caps = ["PRIMARYSURFACE|FRONTBUFFER|FLIP|COMPLEX", "BACKBUFFER|FLIP", "FLIP"]
        part = "    part id=%d handle=%d caps=%s local_flags=0x2000 width=%d height=%d pf_size=32 pf_flags=0x200000 format=%s %s"
        chain = range(1, self.chain + 1)
        links = ["    link from=%d to=%d" % (b, b % self.chain + 1) for b in chain]
        head = ["surfaces local=1 process=1 {"]
        head += [part % (b, b, caps[b - 1] + "|VIDEOMEMORY|LOCALVIDMEM", SIZE, SIZE, self.format, "back_buffers=%d" % (self.chain - 1) if b == 1 else "") for b in chain]
        head += links + ["}", "announce local=1 root=1 {"] + ["    name id=%d handle=%d" % (b, b) for b in chain] + links + ["}"]
        for extra in self.surfaces[self.chain:]:
            system = extra == self.system
            head += ["surfaces local=1 process=1%s {" % (" flags=SYSTEM_MEMORY" if system else ""),
                     part % (extra, extra, "OFFSCREENPLAIN|" + ("SYSTEMMEMORY" if system else "VIDEOMEMORY|LOCALVIDMEM"), SIZE, SIZE, self.format,
                             "pitch=%d bytes=%d" % (SIZE * self.bytes, SIZE * SIZE * self.bytes) if system else ""),
                     "}", "announce local=1 root=%d {\n    name id=%d handle=%d\n}" % (extra, extra, extra)]
        for surface in self.surfaces:
            self.write(surface)
        for _ in range(self.chance.randrange(10, 50)):
            self.chance.choice([self.write, self.write, self.key, self.key, self.fill] + 6 * [self.blit] + [self.flip, self.show, self.palette, self.palette,
                                                                                                                      self.attach, self.attach, self.drop])()
        shown = ["frame %d surface=1 rect=(0 0 %d %d)\n" % (frame, SIZE, SIZE) for frame in range(frames)]
        self.source = "\n".join(head + self.text + shown[:1])
        for frame in shown[1:]:
            self.text = []
            for _ in range(10):
                self.chance.choice([self.blit, self.fill, self.flip, self.write])()
            self.source += "\n".join(self.text + [frame])
        return assemble(self.source)

    def rows(self, surface, x, y):
        """The rows of a surface by its number, and of memory before it comes to it; surface 0: of the memory at the front."""
        told = []
        for at, (number, before, after, row, memory, new, _) in enumerate(self.steps):
            coming = {s[5][surface] for s in self.steps[at:] if s[4] != s[5]} if surface else {self.memory[1]}
            for s in self.surfaces:
                if s != surface and new[s] not in coming:
                    continue
                members = row(s, x, y, before[s, x, y], after[s, x, y])
                if members:
                    told.append({"draw": "0.%d" % number, "surface": s, "before": before[s, x, y], "after": after[s, x, y],
                                 "refused": False, **members})
        return told


def as_told(pixel, wanted):
    """The members of a pixel of the answer that the model knows."""
    told = {k: pixel[0].get(k) for k in wanted}
    if "color" in told:
        told["color"] = [round(c, 4) for c in told["color"]]
    if "index" in pixel[0] and "palette" in pixel[0]:
        told["palette"] = pixel[0]["palette"]
    return told


def simple(row, wanted):
    told = {k: row.get(k) for k in wanted}
    told["before"], told["after"] = as_told(row["before"], wanted["before"]), as_told(row["after"], wanted["after"])
    if "blit" in wanted and row.get("blit"):
        told["blit"] = {k: v for k, v in row["blit"].items() if k != "disagrees"}
    return told


def histories_are_as_modelled():
    """Every row, in order, with the pixel before and after it, and the reason; nothing more; the ends."""
    chance, kinds = random.Random(29), {}
    for number in range(ROUNDS):
        world = World(chance)
        capture = world.capture()
        for surface in {0, chance.choice(world.surfaces), chance.choice(world.surfaces)}:
            x, y = chance.randrange(SIZE), chance.randrange(SIZE)
            answer = ask("pixel", capture, "%d,%d" % (x, y), *(["--surface", str(surface)] if surface else []))
            wanted = world.rows(surface, x, y)
            at = (number, surface, x, y, world.source)
            steps = [int(r["draw"][2:]) for r in answer["rows"]]
            assert steps == sorted(steps), (steps, at)
            # in each surface in order; of surfaces that one event changes any may come first
            rows, wanted = (sorted(rows, key=lambda r: r["surface"]) for rows in (answer["rows"], wanted))
            places = [(r["draw"], r["kind"], r["surface"]) for r in rows]
            assert places == [(w["draw"], w["kind"], w["surface"]) for w in wanted], (places, wanted, at)
            for row, want in zip(rows, wanted):
                told = simple(row, want)
                assert told == want, (told, want, row, at)
                assert row["changed"] == (want["before"] != want["after"]), (row, at)
                assert not row.get("blit", {}).get("disagrees"), (row, at)
                assert ("between" in row) == ("between" in want) and ("blit" in row) == ("blit" in want), (row, want, at)
                kind = want.get("between") or want.get("blit", {}).get("fate") or ("refused" if want["refused"] else want["kind"])
                kinds[kind] = kinds.get(kind, 0) + 1
            last = world.seen(surface or 1, x, y)
            assert as_told(answer["final"], last) == last, (answer["final"], last, at)
    rare = [k for k in ("lock", "memory", "palette-entry", "other-palette", "copied", "source-keyed", "destination-keyed", "clipped",
                        "filled", "shown", "present", "refused") if kinds.get(k, 0) < ROUNDS // 20]
    assert not rare, (rare, kinds)


def entries_of(lines):
    """The colours of all entries of a palette, from lines of them."""
    entries = []
    for line in lines.split("\n"):
        words = line.split()
        assert int(words[0]) == len(entries), lines
        if words[1] == "to":
            entries += [words[3]] * (int(words[2]) + 1 - len(entries))
        else:
            entries += words[1:]
    return entries


def states_are_as_modelled():
    """Keys, palettes and flip chains after random actions."""
    chance, seen = random.Random(37), 0
    for number in range(ROUNDS // 2):
        world = World(chance)
        capture = world.capture()
        if not world.states:
            continue
        action = chance.randrange(len(world.states))
        keys, palette_of, palettes, _ = world.states[action]
        answer = ask("state", capture, "0.%d" % action)
        groups = {g["group"]: {v["name"]: v for v in g["values"]} for g in answer["groups"]}
        at = (number, action, world.source)
        assert set(groups) == {"surface %d" % s for s in world.surfaces} | {"palette %d" % p for p in palettes}, (sorted(groups), at)
        for s in world.surfaces:
            told = groups["surface %d" % s]
            for kind, name in ("SOURCE", "source key"), ("DESTINATION", "destination key"):
                key = keys.get((s, kind))
                text = told[name]["text"]
                assert (None if text == "-" else int(text, 16) & world.mask) == key, (told[name], key, at)
            if world.format == "P8":
                assert told["palette"]["bits"] == palette_of[s], (told["palette"], palette_of, at)
            assert told["size"]["text"] == "%dx%d %s" % (SIZE, SIZE, world.format), at
            chained = told.get("flips with", {}).get("text")
            assert chained == ("#%d" % (s % world.chain + 1) if s <= world.chain else None), (told, at)
            assert ("primary" in told["role"]["text"], "system" in told["role"]["text"]) == (s == 1, s == world.system), (told, at)
        for p, entries in palettes.items():
            told = groups["palette %d" % p]
            assert entries_of(told["entries"]["text"]) == ["#%02x%02x%02x" % tuple(e) for e in entries], (told, at)
            users = ["#%d" % s for s in world.surfaces if palette_of[s] == p]
            assert told["surfaces"]["text"] == (" ".join(users) or "-"), (told, at)
            seen += 1
    assert seen > ROUNDS // 8, seen


def surfaces_are_as_modelled():
    """The list of surfaces: their palettes at the end, and the actions that use them."""
    chance, colored = random.Random(41), 0
    for number in range(ROUNDS // 4):
        world = World(chance)
        capture = world.capture()
        told = {t["surface"]: t for t in ask("textures", capture)["textures"]}
        at = (number, told, world.source)
        assert sorted(told) == world.surfaces, at
        for s in world.surfaces:
            uses = {use["draw"]: set(use["as"]) for use in told[s]["uses"]}
            assert uses == world.uses.get(s, {}), (s, uses, world.uses, at)
            palette = world.palette_of(s) if world.format == "P8" else 0
            assert told[s].get("palette", 0) == palette, (s, palette, at)
            assert told[s].get("colors") == (["#%02x%02x%02x" % tuple(e) for e in world.palettes[palette]] if palette else None), (s, at)
            colored += palette != 0
    assert colored > ROUNDS // 20, colored


def pictures_are_as_modelled():
    """The picture at an action: the surface that it changes, in the colours of its palette."""
    chance, seen = random.Random(43), 0
    for number in range(ROUNDS // 4):
        world = World(chance)
        capture = world.capture()
        if world.format == "R5G6B5" or not world.actions:
            continue
        action = chance.randrange(world.actions)
        after = [s[2] for s in world.steps if s[0] == action and s[6]][0]
        surface = next((s for s, uses in sorted(world.uses.items()) if "destination" in uses.get("0.%d" % action, ())), 1)
        assert run("shot", capture, "0.%d" % action, "-o", path("a.png")).returncode == 0, world.source
        for y, row in enumerate(rows_of_png(path("a.png"))[2]):
            for x in range(SIZE):
                told = after[surface, x, y]
                wanted = bytes(round(255 * c) for c in told["color"][:3]) if "color" in told else bytes.fromhex(told["bytes"])[2::-1]
                assert row[3 * x:3 * x + 3] == wanted, (number, action, surface, x, y, row.hex(), told, world.source)
                seen += any(wanted)
    assert seen > 20 * ROUNDS // 8, seen


def sprites_are_drawn():
    """A picture of indices through a palette, derived by hand: it is in the head of the stream."""
    done = subprocess.run([os.path.join(ROOT, "tests/streams/run"), PROGRAM, "../cli/sprites"], capture_output=True, text=True)
    assert done.returncode == 0 and "ok 1 " in done.stdout, done.stdout


def cut_frames_are_the_same():
    """A frame that is cut out shows the same pixels, has the same history, and the driver refuses none of its calls."""
    chance = random.Random(47)
    for number in range(ROUNDS // 4):
        world = World(chance)
        capture = world.capture(frames=3)
        cut = path("cut.capture")
        whole = run("replay", capture, "--hash").stdout.decode().split("\n")[2].split()[1:]
        done = run("trim", capture, "--frame", "2", "-o", cut)
        assert done.returncode == 0, (number, done.stderr, world.source)
        replayed = run("replay", cut, "--hash")
        assert replayed.stdout.decode().split()[1:] == whole, (number, replayed, whole, world.source)
        assert b"refused" not in replayed.stderr, (number, replayed.stderr, run("dump", cut).stdout.decode())
        histories = [ask("pixel", c, "2,2", "-f", f) for c, f in ((capture, "2"), (cut, "0"))]
        assert [r["after"] for r in histories[0]["rows"] if not r.get("between")] == [r["after"] for r in histories[1]["rows"] if not r.get("between")], (number, histories, world.source)


def text_names_the_reasons():
    """The text of the same answers says what it was."""
    said = set()
    chance = random.Random(31)
    for _ in range(ROUNDS // 4):
        world = World(chance)
        capture = world.capture()
        x, y, surface = chance.randrange(SIZE), chance.randrange(SIZE), chance.choice(world.surfaces)
        told = run("pixel", capture, "%d,%d" % (x, y), "--surface", str(surface)).stdout.decode()
        for row in world.rows(surface, x, y):
            reason = row.get("between") or row.get("blit", {}).get("fate")
            words = {"lock": "written by the CPU in a lock", "memory": "written by the CPU in system memory",
                     "palette-entry": "the entry of its palette was changed", "other-palette": "seen through another palette"}.get(reason, reason)
            assert not words or words in told, (words, told, world.source)
            said.add(words)
    assert len(said) > 8, said


passed = run_tests([histories_are_as_modelled, states_are_as_modelled, surfaces_are_as_modelled, pictures_are_as_modelled, sprites_are_drawn, cut_frames_are_the_same, text_names_the_reasons])
sys.exit(0 if passed else 1)
