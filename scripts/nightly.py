#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/nightly.py [--out DIR] [--only NAME ...] [--again] [--list]

Runs every check that is too long for the short tier: the long tier test by test, the sanitizers over all labels, clang
as well as g++, a build without what may be missing, fuzzers, drawn mutants, commands that are killed or find the disk
full, all items of the papers, instructions per router-cycle. Each check leaves its log and its verdict in DIR
(build/nightly); what has passed at this commit is not run again, so a night that ends early goes on the next one.
Prints a table of what ran, for how long and what it found, and writes it to DIR/nightly.md; leaves with 1 when a check
failed.

--only NAME ...   the checks whose names begin like this        --again   also those that have passed
--list            their names; runs nothing"""
import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOUR = 3600
ALL = "--output-on-failure --no-tests=error"
# What the tree builds without, each with a line that says what is off.
WITHOUT = "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON " + " ".join(
    f"-DTORISCOPE_{tool}=" for tool in ("NPM", "NODE", "CHROMIUM", "VERILATOR", "IVERILOG", "YOSYS"))


def shell(command, **more):
    return subprocess.run(command, shell=True, executable="/bin/bash", cwd=ROOT, text=True, **more)


def tests_of(tree, label):
    listed = shell(f"ctest --test-dir {tree} -N --label-regex '{label}'", capture_output=True).stdout
    return re.findall(r"Test +#\d+: (\S+)", listed)


def build(preset, more=""):
    return f"cmake --preset {preset} {more} && cmake --build build/{preset}"


def sanitized(preset):
    # SystemC keeps what it elaborated until the process ends.
    return (f"{build(preset)} && ASAN_OPTIONS=detect_leaks=0 ctest --test-dir build/{preset} {ALL} "
            "--label-exclude '^(long|bench)$'")


def checks(out):
    """(name, command, seconds that it may take): the first builds what the next ones need."""
    yield "release", f"scripts/setup.sh test && {build('release')}", HOUR
    yield "short", f"ctest --test-dir build/release {ALL} --parallel 2 --label-exclude '^(long|bench)$'", HOUR
    for name in tests_of("build/release", "^long$"):
        yield f"long/{name}", f"ctest --test-dir build/release {ALL} --timeout {4 * HOUR} -R '^{name}$'", 4 * HOUR
    yield "bench", f"ctest --test-dir build/release {ALL} --label-regex '^bench$'", HOUR
    yield "asan", sanitized("asan"), 6 * HOUR
    yield "tsan", f"{build('tsan')} && ctest --test-dir build/tsan {ALL} -R '^(base|sweep)_test$'", 2 * HOUR
    yield "clang", (f"CXX=clang++ cmake --preset release -B build/clang -DCMAKE_CXX_FLAGS=-Werror "
                    "&& cmake --build build/clang "
                    f"&& ctest --test-dir build/clang {ALL} --parallel 2 --label-exclude '^(long|bench)$'"), 3 * HOUR
    yield "without", (f"cmake --preset release -B build/without {WITHOUT} && cmake --build build/without "
                      f"&& ctest --test-dir build/without {ALL} --parallel 2 "
                      "--label-exclude '^(long|bench)$'"), 3 * HOUR
    yield "fuzz", "scripts/fuzz.sh --seconds 1800", 12 * HOUR
    yield "mutants", "scripts/drawn_mutants.py", 16 * HOUR
    yield "kill", "scripts/kill_tests.py", 3 * HOUR
    yield "full disk", "scripts/full_disk_tests.py", HOUR
    yield "cache", "scripts/altered_cache_tests.py", HOUR
    yield "repeatability", "scripts/repeatability.py", 3 * HOUR
    yield "reproduce", (f"build/release/toriscope reproduce --out {out}/papers && "
                        f"diff {out}/papers/verdicts.md docs/papers_table.md"), 12 * HOUR
    yield "cost", "scripts/cost.sh build/release/toriscope", HOUR


def run(name, command, seconds, out):
    log = out / (name.replace("/", "-") + ".log")
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    with open(log, "w") as text:
        child = subprocess.Popen(["/bin/bash", "-c", command], cwd=ROOT, stdout=text, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        try:
            status = child.wait(seconds)
        except subprocess.TimeoutExpired:
            status = "timeout"
        finally:  # also when this script is ended: the check is a session of its own
            if child.poll() is None:
                os.killpg(child.pid, 9)
                child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    skipped = status == 0 and "***Skipped" in log.read_text(errors="replace")
    return {"name": name, "verdict": "skipped" if skipped else "passed" if status == 0 else "failed", "status": status,
            "minutes": round((time.time() - begun) / 60, 1), "log": log.name,
            "cpu_minutes": round((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 60, 1)}


def found(result, out):
    """What a check that failed says: its last line that names an error."""
    if result["verdict"] == "passed":
        return ""
    lines = (out / result["log"]).read_text(errors="replace").splitlines()
    named = [line for line in lines if re.search(r"\*\*\*|FAILED|error|differ|Skipped", line)]
    return (named or lines or [""])[-1].strip().replace("|", "\\|")[:120]


def table(results, commit, out):
    text = [f"Commit {commit}, {datetime.date.today()}, {os.cpu_count()} cores.", "",
            "| check | verdict | minutes | CPU minutes | found |", "|---|---|---|---|---|"]
    text += [f"| {r['name']} | {r['verdict']} | {r['minutes']} | {r['cpu_minutes']} | {found(r, out)} |"
             for r in results]
    return "\n".join(text) + "\n"


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that run() ends its check
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/nightly")
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    commit = shell("git rev-parse --short HEAD", capture_output=True).stdout.strip()
    if shell("git status --porcelain", capture_output=True).stdout:
        commit += "+"  # never taken for a commit that passed
    kept = out / "results.json"
    past = json.loads(kept.read_text()) if kept.exists() else {}
    results = []
    for name, command, seconds in checks(shlex.quote(str(out))):
        if not name.startswith(tuple(options.only)):
            continue
        if options.list:
            print(name)
            continue
        known = past.get(name)
        if not options.again and known and known["commit"] == commit and known["verdict"] == "passed":
            results.append(known)
            continue
        print(f"{datetime.datetime.now():%H:%M} {name}", file=sys.stderr, flush=True)
        results.append(run(name, command, seconds, out))
        past[name] = results[-1] | {"commit": commit if "+" not in commit else ""}
        kept.write_text(json.dumps(past, indent=1))
        (out / "nightly.md").write_text(table(results, commit, out))
    if not options.list:
        print(table(results, commit, out), end="")
    sys.exit(any(r["verdict"] == "failed" for r in results))


main()
