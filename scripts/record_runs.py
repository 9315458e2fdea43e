#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the program does the same after a change of its sources as before: records many short runs (the list:
scripts/recorded_cases.py), and compares two recordings.

scripts/record_runs.py --program build/release/toriscope --out before           # minutes of CPU time
scripts/record_runs.py --program build/release/toriscope --out some --only wrong/ --only sweep/
scripts/record_runs.py --program build/release/toriscope --out before --instructions   # adds them; needs valgrind
scripts/record_runs.py --tests build/release --out before                       # adds names of tests, assertions
scripts/record_runs.py --program build/release/toriscope --out after --resume-from before
                       # the program of a build: MPI (libtoriscope_mpi.so) must lie beside it
scripts/record_runs.py --compare before after --words renamed.txt

A recording has a directory for each case: outputs.json (commands, status, standard output, standard error) and
files/, all that the case left. Files above 1 MB and files that are not text are kept as SHA-256 and size. Times,
memory and paths of this machine are replaced by '#' or a word. With --resume-from, the sweeps that the other program
has begun are finished by this one, and must end as whole ones do.

--compare prints a line per case that differs, and leaves with 1 when there is one. --words: lines "old TAB new"; a
whole word or phrase of BEFORE is replaced. Numbers and hashes cannot be replaced. Of wrong inputs (wrong/) status,
standard output, files and number of lines of the message count; another wording is printed as a note. Instructions and
bytes per node may differ by 1 %."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # no __pycache__ in the tree
import recorded_cases  # noqa: E402

LARGE = 1_000_000  # bytes: files above are kept as a hash
TOLERANCE = .01    # of instructions and bytes per node
TIMED = ("elaborate_s|simulate_cpu_s|router_cycles_per_s|flit_hops_per_s|bytes_per_node|max_rss_mb|working_cpu_s|"
         "rtl_router_cycles_per_s|seconds")
PROGRESS = re.compile(r"(?m)^toriscope: .*\d:\d\d left.*\n")  # of sweeps: whether it shows depends on time
# Without epoll libevent, in mpirun, warns of nothing on a busy machine; nor does hwloc on one without /sys.
RANKS = ["env", "EVENT_NOEPOLL=1", "HWLOC_HIDE_ERRORS=2", "mpirun", "--quiet", "--allow-run-as-root", "--oversubscribe",
         "--mca", "mpi_yield_when_idle", "1", "--mca", "btl", "self,vader", "-n"]


# --- recording ---

def without_times(text):
    text = re.sub(rf'\b((?:performance\.)?(?:{TIMED})"?:?) *(?:[-+0-9.e]+|null)(?=[\s,]|$)', r"\1 #", text)
    # The columns of the table of performance are as wide as its times.
    text = re.sub(r"(?m)^performance\n(?:  .*\n)*", lambda table: re.sub(" +", " ", table[0]), text)
    text = re.sub(r"(?m)(dependencies|steps|channels|nodes), [0-9.]+ s$", r"\1, # s", text)
    lines = text.split("\n")
    if "performance." in lines[0] and len(lines) > 1:  # CSV: a line of names, a line of values
        timed = [re.search(rf"performance\.({TIMED})$", name) for name in lines[0].split(",")]
        values = lines[1].split(",")
        # Values may hold commas in quotes; performance comes last, so the columns are counted from the end.
        for back in range(1, min(len(timed), len(values)) + 1):
            if timed[-back]:
                values[-back] = "#"
        lines[1] = ",".join(values)
    return "\n".join(lines)


def normalised(text, places):
    for place, word in places:
        text = text.replace(place, word)
    text = re.sub(r"/[\w./+-]*/(\w+\.svh?)\b", r"\1", text)  # RTL sources, wherever they are
    text = re.sub(r"\btoriscope_\w{6}/", "TEMPORARY/", text)  # in waveforms of cosim
    return without_times(PROGRESS.sub("", text))


def keep_files(scratch, given, kept, places):
    """Copies all that a case left in `scratch`, but for the files it was given and did not change, to `kept`."""
    for folder, _, names in os.walk(scratch):
        for name in names:
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, scratch)
            with open(path, "rb") as file:
                data = file.read()
            if given.get(relative) == data:
                continue
            target = os.path.join(kept, relative)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            try:
                data = normalised(data.decode(), places).encode()
                whole = len(data) <= LARGE
            except UnicodeDecodeError:
                whole = False
            if not whole:
                target += ".sha256"
                data = f"{hashlib.sha256(data).hexdigest()} {len(data)}\n".encode()
            with open(target, "wb") as file:
                file.write(data)


def record(case, program, out, rtl_cache):
    """Runs the commands of a case in a directory of their own; returns a remark, or nothing."""
    given = {name: text.encode() for name, text in case.files.items()}
    with tempfile.TemporaryDirectory(prefix="recorded_run.") as home:
        home = os.path.realpath(home)
        scratch = os.path.join(home, "case")
        for name, data in given.items():
            os.makedirs(os.path.dirname(os.path.join(scratch, name)), exist_ok=True)
            with open(os.path.join(scratch, name), "wb") as file:
                file.write(data)
        os.makedirs(scratch, exist_ok=True)
        environment = os.environ | {"HOME": home, "XDG_CACHE_HOME": os.path.join(home, "cache"), "LC_ALL": "C",
                                    "TORISCOPE_RTL_CACHE": rtl_cache, "TMPDIR": home}
        places = [(scratch, "SCRATCH"), (home, "HOME"), (rtl_cache, "RTL_CACHE"), (program, "PROGRAM")]
        outputs = []
        for command in case.commands:
            launcher = [*RANKS, str(case.ranks)] if case.ranks > 1 else []
            done = subprocess.run([*launcher, program, *shlex.split(command)], cwd=scratch, env=environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
            outputs.append({"command": command, "ranks": case.ranks, "status": done.returncode}
                           | {name: normalised(data.decode(errors="backslashreplace"), places).splitlines()
                              for name, data in (("stdout", done.stdout), ("stderr", done.stderr))})
        target = os.path.join(out, case.name)
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        keep_files(scratch, given, os.path.join(target, "files"), places)
        with open(os.path.join(target, "outputs.json"), "w", encoding="utf-8") as file:
            json.dump(outputs, file, indent=1)
    return remark(case, outputs)


def remark(case, outputs):
    """What a reader of the recording should know: crashes, runs that were rejected, wrong inputs without one line."""
    last = outputs[-1]
    if any(o["status"] < 0 or o["status"] > 2 for o in outputs):
        return f"status {[o['status'] for o in outputs]}"
    if not case.name.startswith("wrong/"):
        return f"refused: {last['stderr'][:1]}" if last["status"] == 2 else ""
    if (last["status"], len(last["stderr"]), last["stdout"]) != (2, 1, []):
        return (f"wrong input: status {last['status']}, {len(last['stdout'])} lines of output, "
                f"{len(last['stderr'])} of error: {case.commands[0]}")
    return ""


def names_of(program, kind):
    done = subprocess.run([program, "list", kind], capture_output=True, text=True, check=True)
    return re.findall(r"(?m)^  (\S+)", done.stdout)


def files_below(directory):
    return sorted(os.path.relpath(os.path.join(folder, name), directory)
                  for folder, _, names in os.walk(directory) for name in names)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def resumed(out, resume_from):
    """The sweeps that the program of `resume_from` has begun, as cases of this one."""
    for name in recorded_cases.BEGUN:
        begun = os.path.join(resume_from or out, f"sweep/{name}/begun/files")
        files = {f: text_of(os.path.join(begun, f)) for f in files_below(begun)}
        if not files:
            sys.exit(f"{begun}: no sweep was begun there")
        yield recorded_cases.resumed_case(name, files)


def left_by(out, name):
    return {f: text_of(os.path.join(out, name, "files", f)) for f in files_below(os.path.join(out, name, "files"))}


def record_all(asked):
    program = os.path.realpath(asked.program)
    only = tuple(asked.only or [""])
    chosen = [c for c in recorded_cases.cases(lambda kind: names_of(program, kind)) if c.name.startswith(only)]
    if not shutil.which("mpirun"):
        left_out = sum(c.ranks > 1 for c in chosen)
        print(f"no mpirun: {left_out} cases of several ranks are left out")
        chosen = [c for c in chosen if c.ranks == 1]
    if not shutil.which("verilator"):
        print("no verilator: the cases rtl/ are left out")
        chosen = [c for c in chosen if not c.name.startswith("rtl/")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="recorded_rtl.") as rtl_cache, \
            concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        def all_of(part):
            for case, said in zip(part, pool.map(lambda c: record(c, program, asked.out, rtl_cache), part)):
                if said:
                    print(f"{case.name}: {said}", flush=True)
        all_of(chosen)
        sweeps = any(c.name.startswith("sweep/") for c in chosen)
        last = list(resumed(asked.out, asked.resume_from)) if sweeps else []
        all_of(last)
    for case in last:
        whole = left_by(asked.out, case.name.replace("resumed", "whole"))
        found = case.files | left_by(asked.out, case.name)  # what it found and did not change is not kept again
        if found != whole:
            sys.exit(f"{case.name}: the files are not those of the whole sweep: "
                     f"{sorted(f for f in found.keys() | whole if found.get(f) != whole.get(f))}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(chosen) + len(last)} cases in {asked.out}: {time.monotonic() - began:.0f} s, "
          f"{used.ru_utime + used.ru_stime:.0f} s of CPU time")


def record_costs(asked):
    """Instructions of six kinds of run, and bytes per node, into costs.json."""
    program, costs = os.path.realpath(asked.program), {}
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"HOME": home, "XDG_CACHE_HOME": home}
        for name, command in recorded_cases.INSTRUCTIONS.items():
            done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program,
                                   *shlex.split(command)], capture_output=True, text=True, env=environment, check=True)
            costs[f"instructions/{name}"] = int(re.search(r"Collected : (\d+)", done.stderr)[1])
        for name, command in recorded_cases.BYTES_PER_NODE.items():
            run = [program, *shlex.split(command), "--rate", "0", "--warmup", "0", "--cycles", "10", "--quiet",
                   "--no-cache", "--json", "-"]
            # Resident memory is pages: even the least of some runs moves by up to 1 % (ttn:2,3,0: 5033 to 5081 B).
            costs[f"bytes_per_node/{name}"] = min(
                json.loads(subprocess.run(run, capture_output=True, env=environment, check=True).stdout)
                ["performance"]["bytes_per_node"] for _ in range(7))
    write_text(asked.out, "costs.json", json.dumps(costs, indent=1) + "\n")
    for name, cost in costs.items():
        print(f"{name:30} {cost:,.0f}")


def write_text(out, name, text):
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, name), "w", encoding="utf-8") as file:
        file.write(text)


def record_tests(asked):
    """tests.json: the names of ctest, the cases of each test program, the assertions of each test source by name."""
    listed = subprocess.run(["ctest", "--test-dir", asked.tests, "--show-only=json-v1"], capture_output=True, text=True,
                            check=True)
    tests = json.loads(listed.stdout)["tests"]
    ctest = sorted(t["name"] for t in tests)
    unbuilt = [t["name"] for t in tests if "command" not in t]
    if unbuilt:
        sys.exit(f"not built: {' '.join(unbuilt)}")
    programs = os.path.join(asked.tests, "tests")
    cases = []
    for name in sorted(os.listdir(programs)):
        path = os.path.join(programs, name)
        if not (name.endswith("_test") and os.access(path, os.X_OK)):
            continue
        done = subprocess.run([path, "--gtest_list_tests"], capture_output=True, text=True, errors="replace",
                              timeout=60)
        if done.returncode != 0:
            print(f"{name}: lists no tests")
        suite = ""
        for line in done.stdout.splitlines():
            line = line.split("  # ")[0].rstrip()
            if line.startswith("  "):
                cases.append(f"{name} {suite}{line.strip()}")
            elif line.endswith("."):
                suite = line
    assertions = {}
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".") and f != "build"]
        for name in names:
            if name.endswith((".cpp", ".h")):
                count = len(re.findall(r"\b(?:EXPECT|ASSERT)_[A-Z_]+\(", text_of(os.path.join(folder, name))))
                if count:
                    assertions[name] = assertions.get(name, 0) + count
    found = {"ctest": ctest, "gtest": cases, "assertions": assertions}
    write_text(asked.out, "tests.json", json.dumps(found, indent=1) + "\n")
    print(f"{len(ctest)} tests of ctest, {len(cases)} test cases, {sum(assertions.values())} assertions in "
          f"{len(assertions)} files")


# --- comparing ---

def words_in(path):
    """The table old -> new. A number or hash in it is an error, so that none can be replaced."""
    table = {}
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        old, tab, new = line.partition("\t")
        if not (tab and old and new):
            sys.exit(f"{path}:{number}: expected old, a tab, new")
        for part in f"{old} {new}".split():
            if re.fullmatch(r"[-+.,]?\d.*|(?=[^\d]*\d)[0-9a-fA-F]+", part):
                sys.exit(f"{path}:{number}: '{part}' is a number or a hash, and these must not change")
        if re.findall(r"\d+", old) != re.findall(r"\d+", new):
            sys.exit(f"{path}:{number}: the digits of '{old}' and '{new}' differ")
        table[old] = new
    return table


def translator(table):
    if not table:
        return lambda text: text
    longest_first = sorted(table, key=len, reverse=True)
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")
    return lambda text: pattern.sub(lambda found: table[found[0]], text)


def difference(before, after, blanks):
    """Where two texts, as lists of lines, differ; nothing where they do not. blanks: widths of columns and where
    lines are broken do not count, since words of another length move them."""
    if before == after or blanks and " ".join(before).split() == " ".join(after).split():
        return ""
    squeezed = (lambda line: " ".join(line.split())) if blanks else lambda line: line
    for number in range(max(len(before), len(after))):
        old, new = (lines[number] if number < len(lines) else "(no line)" for lines in (before, after))
        if squeezed(old) != squeezed(new):
            at = max(0, len(os.path.commonprefix([old, new])) - 30)
            return f"line {number + 1}: {old[at:at + 80]!r} -> {new[at:at + 80]!r}"
    return "other line breaks"


def output_differences(name, before, after, translate, blanks, notes):
    old, new = (json.loads(text_of(os.path.join(d, name, "outputs.json"))) for d in (before, after))
    ran, translated, runs = ([(said(o["command"]), o["ranks"]) for o in side]
                             for said, side in ((str, old), (translate, old), (str, new)))
    if runs not in (ran, translated):
        return ["the commands are others"]
    found = []
    for o, n in zip(old, new):
        if o["status"] != n["status"]:
            found.append(f"status {o['status']} -> {n['status']} of {n['command']}")
        for stream in ("stdout", "stderr"):
            said = difference([translate(line) for line in o[stream]], n[stream], blanks)
            if said and name.startswith("wrong/") and stream == "stderr" and len(o[stream]) == len(n[stream]):
                notes.append(f"note: {name}: {said}")
            elif said:
                found.append(f"{stream} {said}")
    return found


def case_differences(name, before, after, translate, blanks, notes):
    found = output_differences(name, before, after, translate, blanks, notes)
    old, new = (os.path.join(d, name, "files") for d in (before, after))
    renamed = {translate(f): f for f in files_below(old)}
    there = set(files_below(new))
    for file in sorted(there | renamed.keys()):
        if file not in renamed:
            found.append(f"{file} is new")
        elif file not in there:
            found.append(f"{file} is missing")
        else:
            one, other = text_of(os.path.join(old, renamed[file])), text_of(os.path.join(new, file))
            if not file.endswith(".sha256"):
                one = translate(one)
            if one != other:
                found.append(f"{file} {difference(one.split(chr(10)), other.split(chr(10)), False)}")
    return found


def cost_differences(before, after):
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None or new is None or abs(new - old) > TOLERANCE * old:
            yield f"costs: {name} {old} -> {new}"


def test_differences(before, after, translate):
    for kind in ("ctest", "gtest"):
        old, new = {translate(n) for n in before[kind]}, set(after[kind])
        yield from (f"tests: {kind} {n} is missing" for n in sorted(old - new))
        yield from (f"tests: {kind} {n} is new" for n in sorted(new - old))
    old = {translate(n): count for n, count in before["assertions"].items()}
    for name in sorted(old.keys() | after["assertions"].keys()):
        if old.get(name) != after["assertions"].get(name):
            yield f"tests: assertions in {name} {old.get(name, 0)} -> {after['assertions'].get(name, 0)}"


def compare(asked):
    before, after = asked.compare
    table = words_in(asked.words) if asked.words else {}
    translate, notes, found = translator(table), [], []
    cases = [{os.path.dirname(f) for f in files_below(d) if os.path.basename(f) == "outputs.json"}
             for d in (before, after)]
    if not cases[0]:
        sys.exit(f"{before}: not a recording")
    for name in sorted(cases[0] | cases[1]):
        if name not in cases[1]:
            found.append(f"{name}: not in {after}")
        elif name not in cases[0]:
            found.append(f"{name}: not in {before}")
        elif differ := case_differences(name, before, after, translate, bool(table), notes):
            found.append(f"{name}: {differ[0]}" + (f" (and {len(differ) - 1} more)" if len(differ) > 1 else ""))
    for file, differences in (("costs.json", cost_differences),
                              ("tests.json", lambda b, a: test_differences(b, a, translate))):
        there = [os.path.exists(os.path.join(d, file)) for d in (before, after)]
        if all(there):
            found += differences(*(json.loads(text_of(os.path.join(d, file))) for d in (before, after)))
        elif any(there):
            found.append(f"{file}: only in {after if there[1] else before}")
    print("\n".join(notes + found + [f"{len(cases[0] | cases[1])} cases compared, {len(found)} differences, "
                                     f"{len(notes)} messages of other wording"]))
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="the program to record")
    parser.add_argument("--out", help="directory of the recording")
    parser.add_argument("--only", action="append", help="only cases whose names begin with this; may be repeated")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--resume-from", metavar="BEFORE", help="finish the sweeps that this recording has begun")
    parser.add_argument("--instructions", action="store_true", help="record instructions and bytes per node, not runs")
    parser.add_argument("--tests", metavar="BUILD_DIR", help="record names of tests and numbers of assertions")
    parser.add_argument("--compare", nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--words", metavar="TABLE", help="--compare: lines 'old TAB new'")
    asked = parser.parse_args()
    if asked.compare:
        return compare(asked)
    if not asked.out or not (asked.program or asked.tests):
        parser.error("give --compare, or --out and --program or --tests")
    if asked.tests:
        record_tests(asked)
    elif asked.instructions:
        record_costs(asked)
    else:
        record_all(asked)
    return 0


if __name__ == "__main__":
    sys.exit(main())
