#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/kill_tests.py [--program PROGRAM] [--times N] [--seed N] [--only NAME ...]

What a command leaves that is ended at a random moment: SIGKILL, SIGTERM and Ctrl-C in turn, N times each command (50
unless told). Afterwards
* no process of it runs on;
* no file that it was to write is there half: it equals that of a whole run, or is whole in its format;
* no other file is there;
* the run that saves its state goes on from it, to the result of a whole run;
* the same command, run again where the last one ended, succeeds, and leaves TMPDIR empty.
Prints a line for each command; leaves with 1 when something else was found."""
import argparse
import csv
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NETWORK = ["--topology", "torus:8x8", "--rate", "0.2"]
# Name, arguments; what must be there before is made by the commands of BEFORE in the directory "given".
BEFORE = [["record", "--output", "p.zst", *NETWORK, "--cycles", "4000", "--quiet"],
          ["run", *NETWORK, "--cycles", "2000", "--quiet", "--json", "run.json"],
          ["sweep", "--topology", "torus:4x4,mesh:4x4,torus:8x8", "--traffic", "uniform,transpose", "--rates",
           "0.02,0.05,0.1,0.15,0.2,0.3", "--cycles", "500", "--out", "done"]]
COMMANDS = {
    "run": ["run", *NETWORK, "--cycles", "20000", "--quiet", "--json", "r.json", "--csv", "r.csv",
            "--link-csv", "l.csv"],
    "checkpoint": ["run", *NETWORK, "--cycles", "60000", "--quiet", "--json", "r.json", "--save-state",
                   "every:1000:run.state"],
    "wave": ["run", *NETWORK, "--cycles", "3000", "--quiet", "--wave", "*", "--wave-file", "w.vcd"],
    "wave_fst": ["run", *NETWORK, "--cycles", "3000", "--quiet", "--wave", "*", "--wave-file", "w.fst"],
    "observe": ["run", *NETWORK, "--cycles", "10000", "--quiet", "--link-stats", "u.json",
                "--stalls", "s.csv", "--events", "e.csv"],
    "tables": ["run", *NETWORK, "--cycles", "10000", "--quiet", "--packet-stats", "p.csv", "--time-series", "t.csv"],
    "transactions": ["run", *NETWORK, "--cycles", "5000", "--quiet", "--transactions", "t.ftr"],
    "record": ["record", "--output", "q.zst", *NETWORK, "--cycles", "20000", "--quiet"],
    "record_text": ["record", "--output", "q.txt", *NETWORK, "--cycles", "20000", "--quiet"],
    "replay": ["replay", "../given/p.zst", "--quiet", "--json", "r.json"],
    "sweep": ["sweep", "--topology", "torus:4x4,mesh:4x4", "--rates", "0.1,0.2,0.3", "--cycles", "5000",
              "--out", "results"],
    "sweep_auto": ["sweep", "--topology", "torus:4x4", "--rates", "auto", "--cycles", "3000", "--out", "results"],
    "report": ["report", "../given/done", "--output", "report.html"],
    "figures": ["report", "../given/done", "--output", "report.html", "--figures", "figures"],
    "draw": ["draw", "--topology", "torus:128x128", "--output", "d.svg"],
    "export": ["export", "--sv", "net", "--topology", "torus:16x16"],
    "routes": ["export", "--routes", "routes", "--topology", "torus:16x16"],
    "prove": ["prove", "--topology", "ttn:2,4,0", "--certificate", "c.txt", "--json", "p.json"],
    "witness": ["prove", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--witness", "packets.txt",
                "--wave", "frozen.vcd"],
    "bench": ["bench", "--quick", "--sizes", "8,16", "--loads", "0.05", "--no-observation", "--json", "b.json"],
    "cosim": ["cosim", "--topology", "torus:4x4", "--rtl", "*", "--cycles", "500"],
    "analyze": ["analyze", "--topology", "ttn:2,4,0", "--json", "a.json", "--traffic", "uniform",
                "--load-csv", "l.csv"],
    "explain": ["explain", *NETWORK, "--cycles", "40000", "--packet", "20000"],
    "explain_wave": ["explain", *NETWORK, "--cycles", "10000", "--packet", "5000", "--json", "e.json", "--wave",
                     "e.vcd"],
    "reproduce": ["reproduce", "rdt", "--quick", "--out", "found"],
}
ENDS_WITH = {"witness": 1}  # its status, where that is not 0
COLD = {"prove", "cosim"}  # begin without what they have cached: they are ended while they write it


def same_format(path):
    """Whether a file that differs from that of a whole run, as of a run ended early, is whole."""
    text = path.read_bytes()
    if path.suffix == ".json":
        json.loads(text)
    elif path.suffix == ".csv":
        rows = list(csv.reader(text.decode().splitlines()))
        return text.endswith(b"\n") and len({len(row) for row in rows}) == 1
    elif path.suffix in (".zst", ".gz"):
        return subprocess.run([{".zst": "zstd", ".gz": "gzip"}[path.suffix], "-tq", path]).returncode == 0
    elif path.suffix == ".fst":
        return subprocess.run(["fst2vcd", path], stdout=subprocess.DEVNULL).returncode == 0
    elif path.suffix == ".svg":
        return text.rstrip().endswith(b"</svg>")
    elif path.suffix == ".html":
        return text.rstrip().endswith(b"</html>")
    elif path.suffix == ".state":  # go_on() says more
        return text.startswith(b"toriscope state ")
    elif path.suffix == ".ftr":  # CBOR: a list that is open ends with its last chunk
        return text.endswith(b"\xff\xff")
    return text.endswith(b"\n")


def files_in(directory):
    return {str(p.relative_to(directory)): p for p in directory.rglob("*") if p.is_file()}


def of_session(session):
    alive = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) == session and fields[0] != "Z":
                alive.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:80])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return alive


class trial:
    def __init__(self, program, top, name):
        self.program, self.top, self.name, self.found, self.resumed = program, top, name, [], 0
        self.whole, self.work, self.scratch = top / "whole", top / "work", top / "tmp"

    def start(self, where):
        for directory in (where, self.scratch, self.top / "cache"):
            directory.mkdir(exist_ok=True)
        environment = os.environ | {"TMPDIR": str(self.scratch), "XDG_CACHE_HOME": str(self.top / "cache")}
        return subprocess.Popen([self.program, *COMMANDS[self.name]], cwd=where, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)

    def to_its_end(self, where):
        begun = time.time()
        child = self.start(where)
        errors = child.communicate()[1]
        return child.returncode, errors.strip()[-200:], time.time() - begun

    def kill(self, which, after):
        shutil.rmtree(self.work, ignore_errors=True)
        if self.name in COLD:
            shutil.rmtree(self.top / "cache")
        child = self.start(self.work)
        time.sleep(after)
        try:
            if which == signal.SIGINT:  # a terminal sends it to all
                os.killpg(child.pid, which)
            else:
                child.send_signal(which)
        except ProcessLookupError:
            pass
        what = f"{which.name} after {after:.2f} s"
        try:
            child.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.found.append(f"{what}: runs on")
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
        until = time.time() + 5
        while (alive := of_session(child.pid)) and time.time() < until:
            time.sleep(0.1)
        if alive:
            self.found.append(f"{what}: runs on: {alive[0]}")
            os.killpg(child.pid, signal.SIGKILL)
        self.look_at_files(what)
        if self.name == "checkpoint":
            self.go_on(what)

    def go_on(self, what):
        """From the last automatic checkpoint: the result is that of a run that was never ended."""
        if not (self.work / "run.state").exists():
            return
        command = [self.program, *COMMANDS[self.name][:-2], "--from-state", "run.state"]
        done = subprocess.run(command, cwd=self.work, stderr=subprocess.PIPE, text=True)
        results = [json.loads((where / "r.json").read_text()) | {"performance": None}
                   for where in (self.whole, self.work) if done.returncode == 0]
        if not results or results[0] != results[1]:
            self.found.append(f"{what}: does not go on from run.state: {done.stderr.strip()[-100:] or 'other results'}")
        self.resumed += 1

    def look_at_files(self, what):
        whole = files_in(self.whole)
        for name, path in files_in(self.work).items():
            if name == "ballast":  # of full_disk_tests.py
                continue
            if name not in whole and not name.startswith("results/"):
                self.found.append(f"{what}: leaves {name}")
                continue
            try:
                if not (name in whole and path.read_bytes() == whole[name].read_bytes() or same_format(path)):
                    self.found.append(f"{what}: {name} is cut off")
            except ValueError as error:
                self.found.append(f"{what}: {name}: {error}")

    def run(self, times, draws):
        if self.name not in COLD:  # what is cached is there already
            self.to_its_end(self.whole)
            shutil.rmtree(self.whole)
        status, errors, seconds = self.to_its_end(self.whole)
        if status != ENDS_WITH.get(self.name, 0):
            self.found.append(f"fails, status {status}: {errors}")
            times = 0
        for number in range(times):
            which = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)[0 if self.name == "checkpoint" else number % 3]
            self.kill(which, draws.uniform(0, seconds))
        left = len(files_in(self.scratch))
        status, errors, _ = self.to_its_end(self.work)
        if status != ENDS_WITH.get(self.name, 0):
            self.found.append(f"does not succeed afterwards, status {status}: {errors}")
        for name in sorted(files_in(self.whole).keys() - files_in(self.work).keys()):
            if not name.startswith("results/"):
                self.found.append(f"afterwards there is no {name}")
        if remaining := [str(p.relative_to(self.scratch)) for p in self.scratch.iterdir()]:
            self.found.append(f"TMPDIR keeps {remaining[0]} and {len(remaining) - 1} more")
        print(f"{self.name:12} {seconds:5.1f} s, {times} times, {left} temporary files before the next run"
              f"{f', gone on {self.resumed} times' if self.resumed else ''}: "
              f"{'fine' if not self.found else len(self.found)}", flush=True)
        for line in self.found[:8]:
            print(f"  {line}", flush=True)


def trials(kind, program, names):
    """A trial of each command, in a directory of its own beside what the commands read."""
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        (top / "given").mkdir()
        for arguments in BEFORE:
            subprocess.run([program, *arguments], cwd=top / "given", check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        for name in names:
            one = kind(program, top, name)
            yield one
            for part in (one.whole, one.work, one.scratch, top / "cache"):
                shutil.rmtree(part, ignore_errors=True)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, also by what is started
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/toriscope")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    asked = parser.parse_args()
    wrong = 0
    for one in trials(trial, asked.program.resolve(), asked.only):
        one.run(asked.times, random.Random(f"{asked.seed} {one.name}"))
        wrong += bool(one.found)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
