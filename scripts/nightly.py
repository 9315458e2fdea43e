#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/nightly.py [--out DIR] [--only NAME ...] [--jobs N] [--since COMMIT] [--known FILE] [--again] [--whole]
[--list]

Runs every check that is too long for the short tier: the long tier test by test, the sanitizers over all labels, clang
as well as g++, a build without what may be missing, a bare machine, fuzzers, drawn mutants, commands that are killed or
find the disk full, all items of a paper, instructions per router-cycle. So that a night is long enough on two cores, it
takes one of the papers and a quarter of the parsers, others at another commit (of --since). Each check leaves its log
and its verdict in DIR (build/nightly); what has passed at this commit is not run again, so a night that ends early goes
on the next one. Simulations of the papers are taken from an earlier night at the same commit only.
Prints a table of what ran, on which commit, for how long and what it found, and writes it to DIR/nightly.md; leaves
with 1 when a check failed.

--only NAME ...   the checks whose names begin like this, of all papers and parsers
--whole           all papers and parsers                        --again   also those that have passed
--jobs N          N checks at a time (as many as processors); the release build, the short tier and the
                  benchmarks run alone
--since COMMIT    what has passed at this commit or at one after it is not run again
--known FILE      verdicts of another machine, the DIR/results.json of its night: a night goes on here
--list            their names; runs nothing"""
import argparse
import concurrent.futures
import contextlib
import datetime
import fcntl
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
HOUR = 3600
ALL = "--output-on-failure --no-tests=error"
ALONE = ("release", "short", "bench")  # the first builds what the others run; these have all processors
running = set()  # sessions of checks, which end with this script
keeping = threading.Lock()  # of the results and their files


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


def parsers():
    targets = (ROOT / "testbenches/fuzz/parser_targets.cpp").read_text()
    return re.findall(r'^      \{"(\w+)",', targets, re.M)


def papers():
    return re.findall(r"^## (\w+)", (ROOT / "docs/papers_table.md").read_text(), re.M)


def checks(out, commit):
    """(name, command, seconds that it may take): the first builds what the next ones need. commit: whose simulations of
    papers are taken; none: all are run."""
    yield "release", f"scripts/setup.sh test && {build('release')}", HOUR
    yield "short", f"ctest --test-dir build/release {ALL} --parallel 2 --label-exclude '^(long|bench)$'", HOUR
    yield "bench", f"ctest --test-dir build/release {ALL} --label-regex '^bench$'", HOUR
    for name in tests_of("build/release", "^long$"):
        yield f"long/{name}", f"ctest --test-dir build/release {ALL} --timeout {4 * HOUR} -R '^{name}$'", 4 * HOUR
    # Other ones at each commit, the same when a night is resumed.
    seed = "$((0x$(git rev-parse --short=7 HEAD)))"
    yield "asan", sanitized("asan"), 6 * HOUR
    yield "tsan", (f"{build('tsan')} && ctest --test-dir build/tsan {ALL} -R '^(base|sweep)_test$' "
                   f"&& scripts/drawn_runs.py --program build/tsan/toriscope --number 20 --seed {seed} "
                   "--way threads outputs"), 4 * HOUR
    yield "clang", (f"export CXX=clang++ && cmake --preset release -B build/clang -DCMAKE_CXX_FLAGS=-Werror "
                    "&& cmake --build build/clang "
                    f"&& ctest --test-dir build/clang {ALL} --parallel 2 --label-exclude '^(long|bench)$'"), 3 * HOUR
    yield "without", (f"{build('without')} && ctest --test-dir build/without {ALL} --parallel 2 "
                      "--label-exclude '^(long|bench)$'"), 3 * HOUR
    yield "bare machine", f"scripts/bare_machine.sh {out}/bare && rm -r {out}/bare", 2 * HOUR
    for parser in parsers():
        yield f"fuzz/{parser}", f"scripts/fuzz.sh --seconds 1800 --executions 1000000 {parser}", HOUR
    yield "mutants", f"scripts/drawn_mutants.py --number 60 --seed {seed} --percent 95", 8 * HOUR
    yield "drawn runs", f"scripts/drawn_runs.py --number 500 --seed {seed}", 3 * HOUR
    yield "kill", "scripts/kill_tests.py", 3 * HOUR
    yield "full disk", "scripts/full_disk_tests.py", HOUR
    yield "cache", "scripts/altered_cache_tests.py", HOUR
    yield "repeatability", "scripts/repeatability.py", 3 * HOUR
    for paper in papers():
        section = f"sed -n '/^## {paper}/,/^## /{{ /^## {paper}/p; /^## /!p }}'"
        here = f"{out}/{paper}/{commit}"
        old = f"-mindepth 1 -maxdepth 1 '(' -not -name '{commit}' -or -name '*+' ')'"
        yield f"reproduce/{paper}", (
            f"mkdir -p {out}/{paper} && find {out}/{paper} {old} -exec rm -r {{}} + "
            f"&& build/release/toriscope reproduce {paper} --out {here} && diff --ignore-blank-lines "
            f"<({section} {here}/verdicts.md) <({section} docs/papers_table.md)"), 12 * HOUR
    yield "cost", "scripts/cost.sh build/release/toriscope", HOUR


def left_to_others(commit):
    """The checks of parsers and papers whose turn it is not at this commit."""
    number = int(shell(f"git rev-parse --short=7 {commit}", capture_output=True).stdout, 16)
    left = set()
    for kind, all_, turns in ("fuzz", parsers(), 5), ("reproduce", papers(), 1):
        names = [f"{kind}/{name}" for name in all_]
        left |= set(names) - {names[(number * turns + i) % len(names)] for i in range(turns)}
    return left


def run(name, command, seconds, out):
    log = out / (name.replace("/", "-") + ".log")
    begun = time.time()
    with open(log, "w") as text:
        child = subprocess.Popen(["/bin/bash", "-c", command], cwd=ROOT, stdout=text, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        running.add(child.pid)
        status = usage = None
        while status is None:
            ended, how, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                status = os.waitstatus_to_exitcode(how)
            elif time.time() > begun + seconds:
                os.killpg(child.pid, signal.SIGKILL)
                _, _, usage = os.wait4(child.pid, 0)
                status = "timeout"
            else:
                time.sleep(.2)
        running.discard(child.pid)
    text = log.read_text(errors="replace")
    verdict = "skipped" if status == 0 and "***Skipped" in text else "passed" if status == 0 else "failed"
    return {"name": name, "verdict": verdict, "status": status, "found": found(verdict, text.splitlines()),
            "minutes": round((time.time() - begun) / 60, 1), "log": log.name,
            "cpu_minutes": round((usage.ru_utime + usage.ru_stime) / 60, 1)}


def found(verdict, lines):
    """What a check says: of one that failed the last line that names an error, else the one that counts."""
    if verdict == "passed":
        counts = re.compile(r"tests passed|mutants noticed|differences$|^\w+( +\d+){3}$")
        return next(filter(counts.search, reversed(lines)), "")
    named = [line for line in lines if re.search(r"\*\*\*|FAILED|error|differ|Skipped", line)]
    return (named or lines or [""])[-1].strip().replace("|", "\\|")[:120]


def table(results):
    order = [name for name, _, _ in checks("", "")]
    text = [f"{datetime.date.today()}, {os.cpu_count()} cores.", "",
            "| check | commit | verdict | minutes | CPU minutes | found |", "|---|---|---|---|---|---|"]
    text += [f"| {r['name']} | {r['commit']} | {r['verdict']} | {r['minutes']} | {r['cpu_minutes']} | {r['found']} |"
             for r in sorted(results, key=lambda r: order.index(r["name"]))]
    return "\n".join(text) + "\n"


def replace(file, text):
    """All of it, or what was there: also when this script is killed meanwhile."""
    new = file.with_name(file.name + ".new")
    new.write_text(text)
    new.replace(file)


def end(*_):
    for session in list(running):
        with contextlib.suppress(ProcessLookupError):  # it has just ended
            os.killpg(session, signal.SIGKILL)
    os._exit(143)


def commits_since(commit):
    listed = shell(f"git rev-parse --short {commit} && git rev-list --abbrev-commit {commit}..HEAD",
                   capture_output=True)
    if listed.returncode:
        sys.exit(f"nightly.py: no commit {commit}")
    return set(listed.stdout.split())


def main():
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/nightly")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--since", default="HEAD")
    parser.add_argument("--known", type=pathlib.Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    tree = os.open(ROOT, os.O_RDONLY)  # held until this script ends
    try:
        fcntl.flock(tree, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not options.list:
            sys.exit(f"nightly.py: another one runs in {ROOT}: wait for it, or run this one in a clone")
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    commit = shell("git rev-parse --short HEAD", capture_output=True).stdout.strip()
    passed_at = commits_since(options.since)
    if shell("git status --porcelain", capture_output=True).stdout:
        commit += "+"  # never taken for a commit that passed
    kept = out / "results.json"
    past = json.loads(options.known.read_text()) if options.known else {}
    past.pop("release", None)  # the others need this build here
    past |= json.loads(kept.read_text()) if kept.exists() else {}
    results = {}

    def one(name, command, seconds):
        known = past.get(name)
        if not options.again and known and known["commit"] in passed_at and known["verdict"] == "passed":
            with keeping:
                results[name] = known
            return
        print(f"{datetime.datetime.now():%H:%M} {name}", file=sys.stderr, flush=True)
        result = run(name, command, seconds, out) | {"commit": commit}
        with keeping:
            results[name] = past[name] = result
            replace(kept, json.dumps(past, indent=1))
            replace(out / "nightly.md", table(results.values()))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = []
        left = set() if options.whole or options.only else left_to_others(options.since)
        for check in checks(shlex.quote(str(out)), "" if options.again else commit):
            if check[0] in left or options.only and not check[0].startswith(tuple(options.only)):
                continue
            if options.list:
                print(check[0])
            elif check[0] in ALONE:
                one(*check)
                if check[0] == "release" and results["release"]["verdict"] != "passed":
                    break  # the others would judge an older build
            else:
                waiting.append(pool.submit(one, *check))
        for done in waiting:
            done.result()
    if options.list:
        return
    text = table(results.values())
    replace(out / "nightly.md", text)
    print(text, end="")
    sys.exit(any(r["verdict"] == "failed" for r in results.values()))


main()
