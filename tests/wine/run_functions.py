# SPDX-License-Identifier: MIT
# The part of wine-d3d-tests that runs functions: one function of a test program per process, or several short ones, in
# separate Wine sessions; classifies and prints the results.
import argparse, fcntl, fnmatch, glob, json, os, queue, re, shutil, signal, subprocess, sys
import tempfile, threading, time

CACHE = os.environ["CACHE"]
WINE = os.environ.get("WINE", "wine")
FEW = 5             # skip() called and at most this many assertions made: "skip"
OURS = "ddraw", "d3d8", "d3d9"
SHORT = 1.5         # seconds: functions that take no longer may share a process (--together)

def die(msg):
    print("wine-d3d-tests: error: " + msg, file=sys.stderr, flush=True)
    raise SystemExit(2)

def note(msg):
    print("wine-d3d-tests: " + msg, file=sys.stderr, flush=True)

ap = argparse.ArgumentParser(prog="wine-d3d-tests run", allow_abbrev=False)
ap.add_argument("arch")
for o in ("--dll-dir", "--expected", "--order", "--json", "--tsv", "--log-dir"):
    ap.add_argument(o)
ap.add_argument("--only", action="append", default=[])
ap.add_argument("--not", action="append", default=[], dest="exclude")
ap.add_argument("--jobs", type=int, default=1)
ap.add_argument("--together", type=int, default=1)
ap.add_argument("--timeout", type=float, default=60)
ap.add_argument("--platform")
ap.add_argument("--desktop", default="1024x768")
ap.add_argument("--allow-skip", action="store_true")
ap.add_argument("suites", nargs="+")
opt = ap.parse_args()
if opt.jobs < 1 or opt.timeout <= 0 or opt.together < 1:
    die("--jobs, --together and --timeout must be positive")
if opt.desktop != "none" and not re.fullmatch(r"\d+x\d+", opt.desktop):
    die("--desktop wants WIDTHxHEIGHT or none")

TOGETHER = 180      # seconds of functions that share a process; then each runs again in its own

BUILD = os.path.join(CACHE, "build", opt.arch)
suites = list(dict.fromkeys(opt.suites))

def tested(suite):
    """The dll that the suite tests, itself or below Wine's D3DX and HLSL compiler, ddrawex and d3drm."""
    dll = suite.split("/")[0]
    return dll if dll in OURS else "ddraw" if dll in ("ddrawex", "d3drm") else "d3d9"

def own(suite):
    """The suite tests our dll itself. Failures that are due to another library of Wine's are not the dll's failures."""
    return suite.split("/")[0] == tested(suite)

def platform(suite):
    return opt.platform or ("windows" if own(suite) else "wine")

def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, p) for arg in patterns for p in arg.split(","))

expected = None
if opt.expected:
    with open(opt.expected) as f:
        lines = (l.split("#")[0].split() for l in f)
        expected = {tuple(l) for l in lines if l}

work = []
for s in suites:
    names = open(os.path.join(BUILD, s.replace("/", "_") + ".list")).read().split()
    names = [n for n in names if (not opt.only or matches(n, opt.only)) and not matches(n, opt.exclude)]
    work += [(s, n) for n in names if expected is None or (s, n) in expected]
if expected is not None:
    for s, n in sorted(expected - set(work)):
        if s in suites and not opt.only and not opt.exclude:
            die("%s: %s has no function %s" % (opt.expected, s, n))
if not work:
    die("no function is selected by --only/--not")
suites = [s for s in suites if any(w[0] == s for w in work)]

took = {}           # seconds of an earlier run
if opt.order:
    with open(opt.order) as f:
        rows = [l.rstrip("\n").split("\t") for l in f]
    names = next(([c.lstrip("#") for c in r] for r in rows if r[0] == "#status"), None)
    if not names:
        die("%s: not a result of --tsv" % opt.order)
    for r in rows:
        if len(r) == len(names) and r[0] != "#status":
            took[r[names.index("suite")], r[names.index("function")]] = float(r[names.index("seconds")])

wineserver = os.environ.get("WINESERVER")
if not wineserver:
    for c in (shutil.which("wineserver"), "/usr/lib/wine/wineserver64", "/usr/lib/wine/wineserver",
              *glob.glob("/usr/lib/*/wine/wineserver*")):
        if c and os.access(c, os.X_OK):
            wineserver = c
            break
    else:
        die("wineserver not found; set WINESERVER")

# --- the functions to test -----------------------------------------------------

overrides = {"mscoree": "", "mshtml": "", "winemenubuilder.exe": ""}
rundir = tempfile.mkdtemp(prefix="wine-d3d-tests.")
dlls = []
if opt.dll_dir:
    if not os.path.isdir(opt.dll_dir):
        die("--dll-dir %s: no such directory" % opt.dll_dir)
    for f in sorted(os.listdir(opt.dll_dir)):
        if f.lower().endswith(".dll") and os.path.isfile(os.path.join(opt.dll_dir, f)):
            shutil.copy(os.path.join(opt.dll_dir, f), os.path.join(rundir, f.lower()))
            dlls.append(f.lower()[:-4])
    for s in suites:
        if tested(s) not in dlls:
            shutil.rmtree(rundir)
            die("--dll-dir %s has no %s.dll" % (opt.dll_dir, tested(s)))
    overrides.update({d: "n" for d in OURS})
    overrides.update({d: "n" for d in dlls})

def overrides_of(suite):
    """Never fall back on Wine's own implementation. Only its HLSL compiler is linked to wined3d."""
    mine = dict(overrides)
    if opt.dll_dir and own(suite):
        mine["wined3d"] = ""
    return ";".join(k + "=" + v for k, v in mine.items())

for s in suites:
    shutil.copy(os.path.join(BUILD, s.replace("/", "_") + ".exe"), rundir)

base_env = {k: v for k, v in os.environ.items()
            if not k.startswith(("WINETEST_", "WINE_TEST_")) and k not in ("WINEDEBUG", "WINEARCH", "CACHE")}
base_env.update(WINEDEBUG="-all", WINETEST_COLOR="0",
                WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=")
if opt.arch == "i686":
    base_env["WINEARCH"] = "win32"

# --- one worker: an X display, a prefix and its wineserver ----------------------

class Session:
    def __init__(self):
        self.xvfb = self.lock = self.display = None
        n = 0
        while True:     # the first prefix nobody else holds
            self.prefix = os.path.join(CACHE, "prefix-%s" % opt.arch, str(n))
            os.makedirs(os.path.dirname(self.prefix), exist_ok=True)
            self.lock = open(self.prefix + ".lock", "w")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                self.lock.close()
                n += 1
        self.env = dict(base_env, WINEPREFIX=self.prefix)
        self.folder = tempfile.mkdtemp(dir=rundir)      # tests write files

    def run(self, cmd, timeout=180, **kw):
        with tempfile.TemporaryFile() as out:       # not a pipe: daemons would hold it open
            r = subprocess.run(cmd, env=dict(self.env, **kw), stdin=subprocess.DEVNULL, stdout=out,
                               stderr=out, timeout=timeout, cwd=rundir)
            out.seek(0)
            r.stdout = out.read()
            return r

    def start(self):
        if os.environ.get("DISPLAY") and opt.jobs == 1:
            self.env["DISPLAY"] = os.environ["DISPLAY"]
        else:
            if not shutil.which("Xvfb"):
                die("Xvfb not found (Debian package: xvfb)")
            r, w = os.pipe()
            self.xvfb = subprocess.Popen(
                ["Xvfb", "-displayfd", str(w), "-screen", "0", os.environ.get("XVFB_SCREEN", "1280x1024x24"),
                 "-noreset", "-nolisten", "tcp"], pass_fds=[w], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            os.close(w)
            with os.fdopen(r) as f:
                number = f.readline().strip()
            if not number:
                die("Xvfb did not start")
            self.env["DISPLAY"] = ":" + number
        if not os.path.exists(os.path.join(self.prefix, ".wdt-complete")):
            self.make_prefix()
        if "ddraw" in dlls:     # COM creates DirectDraw objects from the dll that the registry names, there
            for name in "ddraw.dll", "halcyon.dll":
                shutil.copy(os.path.join(rundir, name), os.path.join(self.prefix, "drive_c/windows/system32", name))
        # a server that outlives single processes: no Windows boot for each function
        self.run([wineserver, "-p"])
        keys = r"HKCU\Software\Wine\Explorer"
        if opt.desktop == "none":
            self.run([WINE, "reg", "delete", keys, "/v", "Desktop", "/f"])
        else:
            self.run([WINE, "reg", "add", keys, "/v", "Desktop", "/d", "wdt", "/f"])
            self.run([WINE, "reg", "add", keys + r"\Desktops", "/v", "wdt", "/d", opt.desktop, "/f"])
        r = self.run([WINE, "cmd", "/c", "exit 42"])
        if r.returncode != 42:
            die("wine does not run (%s prefix):\n%s" % (opt.arch, r.stdout.decode(errors="replace")))

    def make_prefix(self):
        note("creating the Wine prefix " + self.prefix)
        shutil.rmtree(self.prefix, ignore_errors=True)
        r = self.run([WINE, "wineboot", "-i"], timeout=600)
        if r.returncode:
            die("wineboot failed:\n" + r.stdout.decode(errors="replace"))
        self.run([WINE, "reg", "add", r"HKCU\Software\Wine\WineDbg", "/v", "ShowCrashDialog",
                  "/t", "REG_DWORD", "/d", "0", "/f"])
        self.run([wineserver, "-w"], timeout=600)
        open(os.path.join(self.prefix, ".wdt-complete"), "w").close()

    def stop(self):
        try:
            self.run([wineserver, "-k"], timeout=30)
            self.run([wineserver, "-w"], timeout=30)
        except subprocess.TimeoutExpired:
            note("wineserver of %s does not stop" % self.prefix)
        if self.xvfb:
            self.xvfb.terminate()
            self.xvfb.wait()
            self.xvfb = None

    def close(self):
        self.stop()
        self.lock.close()

    def exe(self, suite, funcs, timeout, log, **env):
        """Run functions in one process; returns (exit status or None on timeout, seconds)."""
        t0 = time.monotonic()
        with open(log, "wb") as out:
            p = subprocess.Popen([WINE, os.path.join(rundir, suite.replace("/", "_") + ".exe"), suite.split("/")[1]],
                                 env=dict(self.env, WINE_TEST_ONLY=",".join(funcs), WINETEST_PLATFORM=platform(suite),
                                          WINEDLLOVERRIDES=overrides_of(suite), **env), cwd=self.folder,
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)
            rc = None
            while rc is None and not fatal and time.monotonic() < t0 + timeout:
                try:
                    rc = p.wait(max(0.01, min(1, t0 + timeout - time.monotonic())))
                except subprocess.TimeoutExpired:
                    pass
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            p.wait()
        return rc, time.monotonic() - t0

# --- results --------------------------------------------------------------------

LOGS = opt.log_dir or os.path.join(CACHE, "logs", time.strftime("%Y%m%d-%H%M%S-") + str(os.getpid()))
os.makedirs(LOGS, exist_ok=True)
MARK = re.compile(r"^@WDT (\w+) (\S+) ok=(\d+) fail=(\d+) flaky=(\d+) todo=(\d+) todo_ok=(\d+) skip=(\d+)(?: ms=(\d+))?", re.M)

def read_log(path):
    with open(path, "rb") as f:
        data = f.read()
    if len(data) > 4 << 20:     # keep the log small, but keep its beginning and end
        with open(path, "wb") as f:
            f.write(data[:1 << 20] + b"\n[...]\n" + data[-(1 << 20):])
    return data.decode("utf-8", "replace").replace("\r", "")

def classify(suite, func, rc, seconds, text):
    marks = {m[0]: m for m in MARK.findall(text)}
    body = text.split("@WDT begin", 1)[-1]
    m = marks.get("final") or marks.get("crash") or marks.get("end")
    r = dict(suite=suite, function=func, assertions=0, failures=0, todo=0, skipped=0, flaky=0,
             seconds=round(seconds, 1), exit=rc, note="")
    if m:
        ok, fail, flaky, todo, todo_ok, skip = map(int, m[2:8])
        r.update(assertions=ok + fail + todo + todo_ok, failures=fail + (todo_ok if own(suite) or opt.platform else 0),
                 todo=todo, skipped=skip, flaky=flaky)
    else:       # killed: all that is known is what was printed
        r["failures"] = len(re.findall(r": (?:Test failed|Test succeeded inside todo block): ", body))
        r["skipped"] = len(re.findall(r": Tests skipped: ", body))
        r["assertions"] = r["failures"]
    said = r"^\S+:\S+:.*(?:%s|this is the last test seen|unhandled exception).*$"
    first = r["failures"] and re.search(said % "Test failed|inside todo block", body, re.M) or \
        re.search(said % "Tests skipped", body, re.M)
    at = re.search(r"^@WDT-AT (.*)$", text, re.M)
    if rc is None:
        r["status"] = "timeout"
    elif "begin" in marks and ("end" not in marks or "crash" in marks):
        r["status"] = "crash"
    elif "begin" not in marks:  # START_TEST returned (or died) before any function
        r["status"] = "skip" if rc == 0 and r["skipped"] else "crash" if rc != 0 and not r["failures"] else "fail"
    elif r["failures"]:
        r["status"] = "fail"
    elif r["skipped"] and r["assertions"] <= FEW or not r["assertions"]:
        r["status"] = "skip"
    else:
        r["status"] = "pass"
    if r["status"] != "pass":
        r["note"] = (at.group(1) + " " if at and r["status"] == "crash" else "") + (first.group(0) if first else "")
        r["note"] = re.sub(r"\s+", " ", r["note"]).strip()[:300]
    return r

def line(r):
    return "%-7s  %s  %s  assertions=%d failures=%d todo=%d skipped=%d  seconds=%.1f" % (
        r["status"], r["suite"], r["function"], r["assertions"], r["failures"], r["todo"], r["skipped"], r["seconds"])

def check_dll(sess, suite):
    """The dlls that the test program really loads. Exits if they are not the requested ones."""
    log = os.path.join(LOGS, suite.replace("/", "_") + ".preamble.log")
    rc, _ = sess.exe(suite, ["(none)"], 60, log, WINEDEBUG="-all,err+module,+loaddll")
    text = read_log(log)
    dll = tested(suite)
    loaded = re.findall(r'Loaded L"([^"]*)" at [^:]*: (native|builtin)', text)
    mine = [(p, k) for p, k in loaded if p.replace("\\\\", "\\").split("\\")[-1].lower() == dll + ".dll"]
    want = "native" if opt.dll_dir else "builtin"
    if not mine:
        why = [l for l in text.split("\n") if ":err:" in l] or text.strip().split("\n")[-3:]
        die("%s: %s.dll could not be loaded (exit status %s)\n%s\n(log: %s)" % (suite, dll, rc, "\n".join(why), log))
    path, kind = mine[0]
    path = path.replace("\\\\", "\\")
    if kind != want or (opt.dll_dir and os.path.basename(rundir).lower() not in path.lower()):
        die("%s: loaded %s (%s) instead of the %s %s.dll; is it a Wine builtin dll?" % (suite, path, kind, want, dll))
    never = r"\\(wined3d|ddraw|d3d8|d3d9)\.dll$" if own(suite) else r"\\(ddraw|d3d[89])\.dll$"
    bad = [p for p, k in loaded if k == "builtin" and re.search(never, p, re.I)]
    if opt.dll_dir and bad:
        die("%s: Wine's own implementation was loaded too: %s" % (suite, ", ".join(bad)))
    print("# %s: %s is %s" % (suite, path, kind), flush=True)
    m = [x for x in MARK.findall(text) if x[0] == "preamble"]
    if m and int(m[0][3]):
        print("# %s: %s assertion(s) of START_TEST itself failed, see %s" % (suite, m[0][3], log), flush=True)
    if not m:
        print("# %s: START_TEST gave up before any function, see %s" % (suite, log), flush=True)

def environment_failed(text, assertions):
    """The environment's fault, not the dll's. X_CreateWindow fails when the first window comes while the desktop's own is on its way
    out."""
    return ("Current mode does not match registry mode" in text
            or "X Error of failed request" in text
            and ("@WDT begin" not in text or "X_CreateWindow" in text and not assertions))

def passes_of_batch(suite, funcs, rc, text):
    """{function: result} of the functions that pass in a shared process. None of them passes unless the process
    ended by itself, each function began and ended once, and nothing failed after it; otherwise a failure cannot
    be attributed to a function. The final checks of START_TEST, such as that no references are left, apply to all
    of them."""
    marks = [m for m in MARK.findall(text) if m[0] != "preamble"]
    last = ["after"] * (len(funcs) - 1) + ["final"]
    if rc is None or [m[:2] for m in marks] != [(w, f) for f, l in zip(funcs, last) for w in ("begin", "end", l)] \
            or any(end[3:8] != then[3:8] for end, then in zip(marks[1::3], marks[2::3])) \
            or environment_failed(text, 1) or "X Error" in text:
        return {}
    parts = dict(zip(funcs, ("@WDT begin" + part for part in text.split("@WDT begin")[1:])))
    asserted, passes, failed = int(marks[-1][2]) - int(marks[-2][2]), {}, False
    for f, part in parts.items():
        begin, end = (int(m[8]) for m in MARK.findall(part)[:2])
        r = classify(suite, f, rc, (end - begin) % (1 << 32) / 1000, part)
        failed = failed or r["failures"] or r["flaky"]
        r["assertions"] += asserted * (f != funcs[-1])
        if r["status"] == "pass" and not r["flaky"]:
            passes[f] = r
        with open(log_of(suite, f), "w") as out:
            out.write(part)
    return passes if rc == 0 or failed else {}      # a status that no function explains

results, out_lock, todo_q, fatal = {}, threading.Lock(), queue.Queue(), []
finished = threading.Semaphore(0)
shared, again = [], []          # functions that shared a process with others; those of them that then ran in their own

def log_of(suite, func):
    return os.path.join(LOGS, "%s.%s.log" % (suite.replace("/", "_"), func))

def processes():
    """(suite, functions of one process): long ones each for itself; short ones together, dealt out so that batches are alike."""
    tasks = []
    for s in suites:
        mine = [f for suite, f in work if suite == s]
        short = [f for f in mine if opt.together > 1 and took.get((s, f), SHORT + 1) <= SHORT and mine.count(f) == 1]
        batches = -(-len(short) // opt.together)
        tasks += [(s, short[n::batches]) for n in range(batches)] + [(s, [f]) for f in mine if f not in short]
    return tasks

def cost(task):
    return sum(took.get((task[0], f), 0) for f in task[1])

tasks = processes()
for t in sorted(tasks, key=lambda t: -cost(t)) if opt.jobs > 1 or opt.together > 1 else tasks:
    todo_q.put(t)

def done(suite, func, r):
    with out_lock:
        results[suite, func] = r
        print(line(r), flush=True)

def run_batch(sess, suite, funcs):
    log = log_of(suite, "with-" + funcs[0])
    rc, _ = sess.exe(suite, funcs, min(opt.timeout, TOGETHER), log)
    if fatal:
        return
    text = read_log(log)
    passes = passes_of_batch(suite, funcs, rc, text)
    for f, r in passes.items():
        done(suite, f, r)
    with out_lock:
        shared.extend(funcs)
        again.extend(f for f in funcs if f not in passes)
    for f in funcs:
        if f not in passes:
            todo_q.put((suite, [f]))
    if not passes:
        sess.stop()             # display mode, focus, hung processes: start from a fresh session
        sess.start()

def run_single(sess, suite, func):
    log = log_of(suite, func)
    for attempt in (1, 2):
        rc, seconds = sess.exe(suite, [func], opt.timeout, log)
        if fatal:
            return
        text = read_log(log)
        r = classify(suite, func, rc, seconds, text)
        # once more in a fresh session; likewise if not even Wine has started: a program that fails will fail again
        stale = environment_failed(text, r["assertions"]) or rc and not text
        if r["status"] in ("crash", "timeout") or stale:
            sess.stop()         # display mode, focus, hung processes: start from a fresh session
            sess.start()
        if not stale:
            break
    done(suite, func, r)

def worker(sess):
    try:
        while not fatal:
            try:
                suite, funcs = todo_q.get_nowait()
            except queue.Empty:
                return
            if len(funcs) > 1:
                run_batch(sess, suite, funcs)
            else:
                run_single(sess, suite, funcs[0])
    except BaseException as e:
        fatal.append(e)
    finally:
        finished.release()

# no exception from the handler: the workers see "fatal" and stop in good order
for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(sig, lambda signum, frame: fatal.append("interrupted"))

sessions = []
try:
    for _ in range(min(opt.jobs, len(tasks))):
        sessions.append(Session())
    for sess in sessions:
        sess.start()
    for s in suites:
        check_dll(sessions[0], s)
    for sess in sessions:
        threading.Thread(target=worker, args=(sess,), daemon=True).start()
    for sess in sessions:
        finished.acquire()
except SystemExit:
    raise
except BaseException as e:
    fatal.append(e)
finally:
    for sess in sessions:
        sess.close()
    shutil.rmtree(rundir, ignore_errors=True)
if fatal:
    if isinstance(fatal[0], SystemExit):
        raise fatal[0]
    die("stopped: %r" % fatal[0])

ordered = [results[w] for w in work]
for s in suites:
    rs = [r for r in ordered if r["suite"] == s]
    count = lambda st: sum(r["status"] == st for r in rs)
    print("%s: functions %d passed %d, assertions %d failed %d, crashed %d, timed out %d%s" % (
        s, len(rs), count("pass"), sum(r["assertions"] for r in rs), sum(r["failures"] for r in rs),
        count("crash"), count("timeout"),
        ", failed functions %d, skipped functions %d, seconds %.0f" % (count("fail"), count("skip"), sum(r["seconds"] for r in rs))))
if shared:
    print("# %d functions in %d processes; of those that shared one %d ran again alone%s" % (
        len(work), len(tasks) + len(again), len(again), ": " + " ".join(again) if again else ""))
print("# logs: " + LOGS)
if opt.json:
    with open(opt.json, "w") as f:
        json.dump(dict(arch=opt.arch, platform={s: platform(s) for s in suites}, desktop=opt.desktop, dll_dir=opt.dll_dir, results=ordered), f, indent=1)
if opt.tsv:
    cols = ("status", "suite", "function", "assertions", "failures", "todo", "skipped", "seconds", "note")
    with open(opt.tsv, "w") as f:
        f.write("#" + "\t".join(cols) + "\n")
        for r in ordered:
            f.write("\t".join(str(r[c]) for c in cols) + "\n")
good = ("pass", "skip") if opt.allow_skip else ("pass",)
raise SystemExit(0 if all(r["status"] in good for r in ordered) else 1)
