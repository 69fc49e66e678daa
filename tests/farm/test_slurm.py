#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dp2 farm as an array job of Slurm: scripts/farm-slurm with a controller and two nodes on the loopback interface, which this test starts
and ends. Needs root, Slurm and munge; otherwise the tests are skipped. Speaks TAP.

tests/farm/test_slurm.py [DP2]
"""
import glob
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/cli"))
from program import PATIENCE, PROGRAM, assemble, clean, dp2, path, put   # noqa: E402
from tap import run_tests   # noqa: E402

NEEDED = "slurmctld", "slurmd", "sbatch", "sinfo", "munged"
SETTINGS = """
ClusterName=farm
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
BatchStartTimeout=30
KillWait=1
MinJobAge=60
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=farm0 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 State=UNKNOWN
NodeName=farm1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


class Cluster:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="farm-")
        os.chmod(self.folder, 0o755)
        self.started = {}
        for name in "state", "spool-farm0", "spool-farm1":
            os.mkdir(os.path.join(self.folder, name))
        with open(self.file("munge.key"), "wb") as file:
            file.write(os.urandom(128))
        os.chmod(self.file("munge.key"), 0o400)
        with open(self.file("slurm.conf"), "w") as file:
            file.write(SETTINGS.format(folder=self.folder, host=socket.gethostname().split(".")[0], ports=free_ports(3)))
        self.environment = clean(SLURM_CONF=self.file("slurm.conf"), DP2=PROGRAM)

    def file(self, name):
        return os.path.join(self.folder, name)

    def start(self, name, *words):
        with open(self.file(name + ".out"), "w") as output:
            self.started[name] = subprocess.Popen(words, env=self.environment, stdout=output, stderr=output, stdin=subprocess.DEVNULL)

    def start_node(self, name):
        self.start(name, "slurmd", "-D", "-N", name, "-f", self.file("slurm.conf"))

    def start_all(self):
        self.start("munged", "munged", "--foreground", "--force", "--key-file=" + self.file("munge.key"), "--socket=" + self.file("munge.socket"),
                   "--pid-file=" + self.file("munge.pid"), "--log-file=" + self.file("munge.log"), "--seed-file=" + self.file("munge.seed"))
        self.wait(lambda: os.path.exists(self.file("munge.socket")), "munged")
        self.start("slurmctld", "slurmctld", "-D", "-f", self.file("slurm.conf"))
        for node in "farm0", "farm1":
            self.start_node(node)
        self.wait(lambda: self.call("sinfo", "--noheader", "--Node", "--format=%T").split() == ["idle", "idle"], "two idle nodes")

    def call(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, timeout=PATIENCE).stdout

    def wait(self, what, name):
        end = time.monotonic() + 300
        while not what():
            if time.monotonic() > end:
                logs = "".join("%s:\n%s" % (log, open(log, errors="replace").read()[-1500:]) for log in sorted(glob.glob(self.folder + "/*.log") + glob.glob(self.folder + "/*.out")))
                raise AssertionError("%s: waited in vain\n%s" % (name, logs))
            time.sleep(0.1)

    def end(self):
        if "slurmctld" in self.started:
            self.call("scancel", "--name=dp2-farm")
        for name in reversed(list(self.started)):
            self.started[name].terminate()
            try:
                self.started[name].wait(60)
            except subprocess.TimeoutExpired:
                self.started[name].kill()
                self.started[name].wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def report_of(folder):
    with open(os.path.join(folder, "report.json")) as file:
        return json.load(file)


def captures(frames):
    os.makedirs(path("captures"), exist_ok=True)
    for number in range(12):
        text = "create target t 64x64 X8R8G8B8\ncontext c target=t\n" + "".join("memory t { fill(4096 #%08x) }\npresent t\n" % (number << 16 | n) for n in range(frames))
        assemble(put("t.dp2s", text), "captures/%02d.capture" % number)
    return path("captures")


# In place of dp2: its first run on farm1 never ends.
HANGS = """#!/bin/sh
[ "$2" = run ] && [ "$SLURMD_NODENAME" = farm1 ] && mkdir "{folder}/hangs" 2>/dev/null && echo $$ >"{folder}/hangs/part" &&
    mv "{folder}/hangs/part" "{folder}/hangs/pid" && exec sleep 1000
exec "{program}" "$@"
"""


def parent(pid):
    with open("/proc/%d/status" % pid) as file:
        return int(next(line for line in file if line.startswith("PPid:")).split()[1])


def name_of(pid):
    with open("/proc/%d/comm" % pid) as file:
        return file.read().strip()


def lose(cluster, node, pid):
    """The node is lost, and what runs on it: its daemon, the one of the step, and the step's process."""
    step = pid
    while name_of(step) != "slurmstepd":
        step = parent(step)
    cluster.started[node].kill()
    cluster.started[node].wait()
    os.kill(step, 9)
    os.kill(pid, 9)


def array_job(cluster):
    """An array job on two nodes, of which one is lost at work: Slurm starts its shard again, and the report is that of one process."""
    folder, pid_file = captures(100), cluster.file("hangs/pid")
    with open(cluster.file("dp2"), "w") as file:
        file.write(HANGS.format(folder=cluster.folder, program=os.path.abspath(PROGRAM)))
    os.chmod(cluster.file("dp2"), 0o755)
    dp2("farm", "plan", folder, "-o", path("alone"), "--shards", "6")
    dp2("farm", "plan", folder, "-o", path("slurm"), "--shards", "6")
    job = subprocess.Popen([os.path.join(ROOT, "scripts/farm-slurm"), path("slurm")], env=dict(cluster.environment, DP2=cluster.file("dp2")),
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cluster.wait(lambda: os.path.exists(pid_file), "a running shard on farm1")
    with open(pid_file) as file:
        lose(cluster, "farm1", int(file.read()))
    cluster.start_node("farm1")
    said, _ = job.communicate(timeout=PATIENCE)
    for shard in range(6):
        dp2("farm", "run", path("alone"), str(shard))
    dp2("farm", "merge", path("alone"))
    assert job.returncode == 0, said + "".join(open(n).read()[-500:] for n in glob.glob(path("slurm/*.log")))
    with open(cluster.file("slurmctld.log")) as log:
        text = log.read()
    assert "equeu" in text, "the lost shard was not started again:\n" + text[-3000:]
    assert report_of(path("slurm")) == report_of(path("alone"))
    assert len(glob.glob(path("slurm/shard-*.json"))) == 6


def nothing_left(cluster):
    """The same command starts no job when all shards are complete."""
    done = subprocess.run([os.path.join(ROOT, "scripts/farm-slurm"), path("slurm")], env=cluster.environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "Submitted" not in done.stdout, done


def main():
    absent = [name for name in NEEDED if not shutil.which(name)] + ["root"] * (os.geteuid() != 0)
    if absent:
        return run_tests([lambda: "skip: no " + ", ".join(absent)])
    cluster = Cluster()

    def given(test):
        def call():
            return test(cluster)
        call.__name__ = test.__name__
        return call

    def a_controller_and_two_nodes_start():
        cluster.start_all()

    try:
        return run_tests([a_controller_and_two_nodes_start] + [given(t) for t in (array_job, nothing_left)])
    finally:
        cluster.end()


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
