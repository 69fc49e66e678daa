# SPDX-License-Identifier: MIT
"""The rules that a command must obey, by the program that it calls; nothing is run. Verbs and options must exist,
and so must targets, scripts, settings and files. A program without a rule is an error."""
import functools
import glob
import os
import re
import shlex
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9_-]*(\.\.\.)?|\.\.\.")
# Programs of the shell and of every system. These commands are run, as is dp2.
HARMLESS = {"cd", "cp", "mkdir", "echo", "printf", "export", "less", "jq", "ffmpeg", "cat", "grep", "cmp"}
APT_GET = {"update", "install", "source"}
dp2_program = os.path.join(ROOT, "build/native/dp2")


class Wrong(Exception):
    pass


def require(condition, message, *values):
    if not condition:
        raise Wrong(message % values)


def text_of(*names):
    texts = []
    for name in names:
        with open(os.path.join(ROOT, name), errors="replace") as file:
            texts.append(file.read())
    return "\n".join(texts)


def split(text):
    """The simple commands in a line of shell: lists of words, without redirections and comments."""
    lexer = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    simple, skip = [[]], False
    for word in lexer:
        if skip:
            skip = False
        elif set(word) <= set("|&;"):
            simple.append([])
        elif set(word) <= set("<>&"):
            skip = True
        else:
            simple[-1].append(word)
    return [one for one in simple if one]


def assignments(words):
    """(variables set before the program, the program and its arguments)"""
    count = 0
    while count < len(words) and re.match(r"[A-Z_][A-Z0-9_]*=", words[count]):
        count += 1
    return [word.split("=", 1) for word in words[:count]], words[count:]


@functools.lru_cache(None)
def help_of(verb):
    """The output of `dp2 VERB --help`; None if there is no such verb."""
    done = subprocess.run([dp2_program] + [verb] * bool(verb) + ["--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


@functools.lru_cache(None)
def verbs():
    return re.findall(r"^  ([a-z]+) ", help_of(""), re.M)


@functools.lru_cache(None)
def settings():
    return set(re.findall(r"^# ([a-z_]+) =", text_of("halcyon.conf"), re.M))


@functools.lru_cache(None)
def target_exists(name):
    """Whether make knows how to make the target."""
    return subprocess.run(["make", "-n", name], cwd=ROOT, capture_output=True).returncode == 0


def options(words):
    """The options among the words, without their values; negative numbers are not options."""
    return [word.split("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]


def check_dp2(words):
    verb = words[0] if words else "--help"
    if verb in ("--help", "--version", "version") or PLACEHOLDER.fullmatch(verb):
        return
    for name in [verb] if verb != "help" else [word for word in words[1:] if word[0] != "-"]:
        require(name in verbs() or PLACEHOLDER.fullmatch(name), "dp2 has no verb %s", name)
    for option in options(words[1:]):
        require(re.search(r"(?<![\w-])%s(?![\w-])" % re.escape(option), help_of(verb)) or option == "--help",
                "dp2 %s has no option %s", verb, option)
    for option, command in zip(words, words[1:]):
        if verb == "minimise" and option in ("-k", "--keep"):
            check(command)


def check_halcyon(words):
    """The options before the program."""
    text = text_of("launcher/launcher.h", "launcher/settings.c", "launcher/run.c", "launcher/main.c", "launcher/prefix.c", "launcher/doctor.c")
    for word in words[1:words.index("--")] if "--" in words else words:
        for option in options([word]):
            row = r"\"%s\",\s+(0|'[a-z]'|KEY_)" % option[2:] if option[:2] == "--" else "'%s'," % option[1:]
            require(re.search(row, text) or '"%s"' % option in text, "halcyon has no option %s", option)


def check_make(words):
    makefile = text_of("Makefile")
    phony = " ".join(re.findall(r"^\.PHONY: (.*)$", makefile, re.M)).split()
    for word in words:
        name, equals, value = word.partition("=")
        if equals:
            require(re.search(r"\$\(%s\)|\b%s," % (name, name), makefile), "the Makefile knows no variable %s", name)
            if name == "BENCH_FLAGS":
                check_script("scripts/bench-wine", value.split())
        elif not re.match(r"-j\d*$", word):
            require(name in phony or (name.startswith("build/") and target_exists(name)), "make has no target %s", name)


def sources_of(program):
    """The source files of a program of the project, which contain its options."""
    if program.startswith("build/native/tests/"):
        name = os.path.basename(program)
        unit = "tests/unit/%s.c" % name
        return [unit] if os.path.exists(os.path.join(ROOT, unit)) else glob.glob("tests/%s/*.c" % name, root_dir=ROOT)
    if program.startswith("build/native/"):
        return glob.glob("%s/*.c" % os.path.basename(program), root_dir=ROOT)
    return [program] if os.path.isfile(os.path.join(ROOT, program)) else []


def check_script(program, words):
    """A script, test or program of the project: it exists, and its text contains the options."""
    sources = sources_of(program)
    require(sources, "there is no %s", program)
    text = text_of(*sources)
    if program == "scripts/with-wine":
        count = next((i for i, word in enumerate(words) if not word.startswith("--")), 0)
        check_simple(words[count:])
        words = words[:count]
    for option in options(words):
        require(re.search(r"%s(?![\w-])" % re.escape(option), text), "%s has no option %s", program, option)
    if program == "tests/run":
        for before, part in zip([None] + words, words):
            if before == "--ddi":
                require(part == "umd", "tests/run has no interface %s", part)
            elif not part.startswith("--"):
                require(PLACEHOLDER.fullmatch(part) or '"%s": part_' % part in text, "tests/run has no part %s", part)


def check_exe(program, words):
    """An example, or with the name `program` any of them; other programs are the reader's own."""
    name = os.path.basename(program)[:-len(".exe")]
    if program.startswith("build/"):
        require(target_exists(program), "make has no target %s", program)
    elif name != "program" and not os.path.exists(os.path.join(ROOT, "examples", name + ".c")):
        return
    text = text_of(*glob.glob("examples/*.c", root_dir=ROOT))
    for option in options(words):
        require('"%s"' % option in text, "the examples have no option %s", option)


def check_wine(words):
    if words[0] == "reg":
        require(words[1] in ("add", "delete"), "wine reg has no %s", words[1])
    elif words[0] != "--version":
        require(words[0].endswith(".exe"), "wine runs no %s", words[0])
        check_exe(words[0], words[1:])


def check_setting(name, value, program):
    """A variable must be a setting of ours with a value that the driver accepts, a variable of Wine in Wine's form,
    or one that the program reads."""
    if name == "WINEDLLOVERRIDES":
        require(re.fullmatch(r"([\w.,]+=[nb,]*;?)+", value), "WINEDLLOVERRIDES=%s", value)
        return
    if not name.startswith("HALCYON_"):
        return
    key = name[len("HALCYON_"):].lower()
    if key in ("config", "config_file"):
        return
    if '"%s"' % name in text_of(*sources_of(program)):
        return
    require(key in settings(), "there is no setting %s", name)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HALCYON_")}
    if key not in ("log_path", "log_level", "capture") and not PLACEHOLDER.fullmatch(value):
        done = subprocess.run([dp2_program, "caps"], env=dict(clean, **{name: value}), capture_output=True, text=True)
        require(" the value " not in done.stderr, "%s", done.stderr)


def check_apt(words):
    require(words[0] in APT_GET, "apt-get has no %s", words[0])
    for package in words[1:]:
        require(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+(:[a-z0-9]+)?", package), "%s is not the name of a package", package)


# Options of other programs that documents use
PARALLEL = {"--sshlogin": 1, "--workdir": 1, "--retries": 1, "--jobs": 1}
SBATCH = {"--array": 0, "--requeue": 0, "--wrap": 1}


def check_parallel(words):
    """GNU parallel: its options, then the command that it runs."""
    while words and words[0].startswith("-"):
        require(words[0] in PARALLEL, "parallel has no option %s", words[0])
        words = words[1 + PARALLEL[words[0]]:]
    check_simple(words)


def check_sbatch(words):
    for option, value in zip(words, words[1:] + [""]):
        if option.startswith("-"):
            require(option.split("=")[0] in SBATCH, "sbatch has no option %s", option)
        if option == "--wrap":
            check(value)


def check_xvfb(words):
    require(words[0] == "-a", "xvfb-run %s", words[0])
    check_simple(words[1:])


def check_example(source):
    """A program that embeds the library."""
    require(os.path.exists(os.path.join(ROOT, "examples/embedding", source)), "examples/embedding/ has no %s", source)


def check_simple(words):
    """One program with its arguments. Returns whether the command may be run."""
    given, words = assignments(words)
    for name, value in given:
        check_setting(name, value, words[0] if words else "")
    if not words or words[0] == "...":
        return False
    program, rest = words[0], words[1:]
    if program == "sudo":
        check_simple(rest)
    elif program == "halcyon":
        check_halcyon(words[1:])
    elif program == "dp2" or program == "build/native/dp2":
        check_dp2(rest)
        return True
    elif program in HARMLESS:
        return True
    elif program == "make":
        check_make(rest)
    elif program == "wine":
        check_wine(rest)
    elif program == "wineboot":
        require(set(rest) <= {"--update", "--init"}, "wineboot %s", " ".join(rest))
    elif program == "parallel":
        check_parallel(rest)
    elif program == "sbatch":
        check_sbatch(rest)
    elif program == "xvfb-run":
        check_xvfb(rest)
    elif program == "apt-get":
        check_apt(rest)
    elif program == "dpkg":
        require(len(rest) == 2 and rest[0] == "--add-architecture", "dpkg %s", " ".join(rest))
    elif program == "cc":
        check_example(rest[0])
    elif program.startswith("./"):
        check_example(program[2:] + ".c")
    elif program == "file":
        require(len(rest) == 1, "file %s", " ".join(rest))
    elif re.match(r"(bench|scripts|tests|build/native)/", program):
        check_script(program, rest)
    elif program.endswith(".exe"):
        check_exe(program, rest)
    else:
        raise Wrong("not a command, or one without a rule: %s (a fenced block with a language holds other things)" % program)
    return False


def check(text):
    """A whole line. Returns whether the line may be run, which depends on each of its programs."""
    if not split(text):
        raise Wrong("empty")
    return all([check_simple(words) for words in split(text)])


def looks_like_command(text):
    """Checks a text in backticks in a sentence: a verb, target, script or setting followed by something, and not
    just a path."""
    return bool(re.match(r"(dp2 [a-z-]|make [a-z]|sudo |wine \w|wineboot |apt-get |dpkg |tests/run |HALCYON_[A-Z_]+=|"
                         r"(tests|scripts|build/native)/\S+ -|scripts/with-wine |tests/wine/wine-d3d-tests )", text))
