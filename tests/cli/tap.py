# SPDX-License-Identifier: MIT
"""Runs test functions in turn and reports them in TAP. With --only=WORD on the command line, only those whose names
contain the word."""
import sys


def run_tests(functions):
    """Whether all of them pass. A function fails by an exception, and is skipped if it returns "skip: REASON"."""
    passed, words = True, [word[len("--only="):] for word in sys.argv[1:] if word.startswith("--only=")]
    functions = [f for f in functions if all(word in f.__name__ for word in words)]
    for number, function in enumerate(functions, 1):
        name = function.__name__.replace("_", " ")
        try:
            skipped = function()
            print("ok %d %s%s" % (number, name, " # " + skipped if skipped else ""), flush=True)
        except Exception as error:      # a test that fails must not end the others
            passed = False
            print("not ok %d %s\n# %s: %s" % (number, name, type(error).__name__, str(error).replace("\n", "\n# ")), flush=True)
    print("1..%d" % len(functions))
    return passed and bool(functions)
