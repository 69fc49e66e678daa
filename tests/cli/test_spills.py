#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/check-spills on a kernel that must spill ten registers, and one that need not.

Prints "ok NAME" or "not ok NAME" for each, as tests/run expects.
"""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REGISTERS = ", ".join('"xmm%d"' % i for i in range(16))
SOURCE = """
#include <immintrin.h>
void holds(float *p)
{
    _mm256_storeu_ps(p, _mm256_add_ps(_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)));
}
void spills(float *p)
{
    __m256 v[10];
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++)
        v[i] = _mm256_loadu_ps(p + 8 * i);
    __asm__ volatile("" ::"r"(p) : %s, "memory");
#pragma GCC unroll 10
    for (int i = 0; i < 10; i++)
        _mm256_storeu_ps(p + 8 * i, v[i]);
}
""" % REGISTERS

# the table after the line with the compiler, and the report; None: the table is for another compiler
CASES = {
    "a function that is not listed": ("", ["k.avx2.o: spills stores vector registers to the stack 10 times, not 8"]),
    "a listed one with fewer": ("9 k.avx2.o spills", ["k.avx2.o: spills stores vector registers to the stack 10 times, not 9"]),
    "a listed one with as many": ("10 k.avx2.o spills", []),
    "a listed one with more": ("12 k.avx2.o spills", []),
    "another compiler": (None, []),
}


def run(tree, *arguments):
    return subprocess.run([os.path.join(tree, "tests/check-spills"), *arguments], capture_output=True, text=True)


def main():
    failed = False
    with tempfile.TemporaryDirectory(prefix="halcyon-") as tree:
        table = os.path.join(tree, "tests/spills.txt")
        os.makedirs(os.path.join(tree, "build/native/obj"))
        os.mkdir(os.path.join(tree, "tests"))
        shutil.copy(os.path.join(ROOT, "tests/check-spills"), os.path.join(tree, "tests"))
        source = os.path.join(tree, "k.c")
        with open(source, "w") as file:
            file.write(SOURCE)
        subprocess.run(["gcc", "-O2", "-mavx2", "-c", source, "-o", os.path.join(tree, "build/native/obj/k.avx2.o")], check=True)
        run(tree, "--write")
        with open(table) as file:
            written = file.read().split("\n")
        for name, (row, expected) in CASES.items():
            with open(table, "w") as file:
                file.write("\n".join(written[:2] + (["gcc 1"] if row is None else [written[2], row])))
            result = run(tree)
            lines = [line for line in result.stdout.split("\n")[:-2] if ":" in line] if row is not None else []
            good = lines == expected and result.returncode == bool(expected)
            failed |= not good
            print("%sok %s" % ("" if good else "not ", name))
            if not good:
                print("# " + result.stdout + result.stderr)
        good = written[3:] == ["10 k.avx2.o spills", ""]
        failed |= not good
        print("%sok what --write writes" % ("" if good else "not "))
    return failed


if __name__ == "__main__":
    sys.exit(main())
