#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/drawn_mutants.py [--number N] [--seed N] [--directory DIR] [--part NAME ...] [--draw] [--only N ...]
[--percent N]

Does a test notice when one operator, constant or statement is another one? Draws mutants from the syntax trees of the
sources (of SystemVerilog: from its tokens), as many from each part of the tree as its share says, and compiles all of
them into one build, each behind a switch that a test's environment sets. A run without any mutant tells which test
reaches which of them; then each mutant is set and the tests that reach it run, the fastest first, until one fails.
What is known is kept in DIR (build/drawn_mutants): a run that was ended resumes, another draw builds only what differs.
Leaves with 1 when fewer are noticed than --percent says.

scripts/equivalent_mutants.txt lists mutants that no test can notice: file, tab, the mutant as this script prints it,
tab, why. Such a survivor is counted as equivalent. Leaves with 1 when an entry fits no source text, stands
twice, or is killed.

--number N      how many to draw, 212 unless told     --seed N   other mutants, 1 unless told
--part NAME     only mutants of these parts           --only N   only these mutants, again
--percent N     how many of those that are not equivalent a test has to notice, 100 unless told
--draw          draws and prints, builds nothing

Needs python3-clang-14. A mutant that survives is shown with its line and with what the line becomes."""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "scripts/equivalent_mutants.txt"
# They look at the text of the sources, in which the switches stand.
OF_TEXT = {"layering", "mutant_lines", "names", "install_pkg_config", "golden_runs_export", "equivalent_mutants"}
# Share of each part, and its sources.
PARTS = {
    "router": (26, ["router"]),
    "links": (8, ["links"]),
    "network": (16, ["network/*", "network/tlm"]),
    "transaction": (16, ["network/transaction"]),
    "ranks": (10, ["network/distributed", "testbenches/simulation/distributed"]),
    "topologies": (26, ["topologies"]),
    "traces": (12, ["traces"]),
    "statistics": (18, ["testbenches/simulation/statistics", "testbenches/simulation/observation"]),
    "simulation": (14, ["testbenches/simulation/*", "testbenches/simulation/traffic",
                        "testbenches/simulation/workloads", "testbenches/simulation/configuration",
                        "testbenches/simulation/cosim"]),
    "sweep": (12, ["testbenches/experiments/sweep"]),
    "rtl": (14, ["rtl_models/sv"]),
    "adapters": (12, ["rtl_models/*", "rtl_models/on_demand", "rtl_models/user_rtl", "rtl_models/export"]),
    "reports": (8, ["testbenches/experiments/report", "testbenches/experiments/papers"]),
    "program": (12, ["testbenches/program"]),
    "base": (6, ["base"]),
    "interfaces": (8, ["testbenches/c_api"]),
}
BINARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "/": "*",
          "%": "/", "&&": "||", "||": "&&", "&": "|", "|": "&", "<<": ">>", ">>": "<<"}
# "<=" of a loop's bound would only look at bits that are not there.
SV_BINARY = {o: n for o, n in BINARY.items() if "<=" not in (o, n)} | {"<": ">", "^": "|"}
COMPOUND = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
# What has to be constant is not drawn from: these lines, and what stands in brackets.
SV_CONSTANT = re.compile(r"^ *(?:(?:parameter|localparam|typedef|input|output|module|function|\.\w+ *\(|`)"
                         r"|.*(?:genvar|begin : gen_)).*", re.M)
SV_TOKEN = re.compile(r"[\w$'.]+|<<|>>|\+\+|--|[=!<>]=|&&|\|\||\S")
SV_ENDS = {"=", "<=", "?", ":", ",", ";"}  # of an expression; "<=" is always an assignment here
SV_LITERAL = {"'0": "'1", "1'b0": "1'b1", "1'b1": "1'b0"}
SWITCH = """// Force-included: which mutant is set, and which were reached.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
struct toriscope_mutants {
  int set = 0, file = -1;
  bool reached[4096] = {};
  toriscope_mutants() {
    if (const char* text = std::getenv("TORISCOPE_MUTANT")) set = std::atoi(text);
    if (const char* name = std::getenv("TORISCOPE_MUTANTS_REACHED"))
      file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  }
  // At once: a process may be killed, and the program ends without destructors.
  void note(int number) {
    reached[number] = true;
    char line[16];
    if (file >= 0)
      (void)!write(file, line, static_cast<std::size_t>(std::snprintf(line, sizeof line, "%d\\n", number)));
  }
  static toriscope_mutants& all() {
    static toriscope_mutants one;
    return one;
  }
};
inline bool toriscope_mutant(int number) {
  toriscope_mutants& all = toriscope_mutants::all();
  if (!all.reached[number]) all.note(number);
  return all.set == number;
}
"""
# Behind the ports of every module with a mutant; other tools than Verilator and Icarus read the sources without any.
SV_SWITCH = """
`ifdef VERILATOR
`define toriscope_mutant(n) ($c("toriscope_mutant(", n, ")") != 0)
`systemc_header
#include "DIRECTORY/switch.h"
`verilog
// verilator lint_off WIDTH
// verilator lint_off UNOPTFLAT
`line LINE "FILE" 0
`elsif MUTANT
`define toriscope_mutant(n) (n == `MUTANT)
`else
`define toriscope_mutant(n) 1'b0
`endif
"""
# Icarus has no access to the environment: the mutant is a macro, and each in a file that it compiles counts as reached.
IVERILOG = """#!/bin/sh
if [ -n "$TORISCOPE_MUTANTS_REACHED" ]; then
  for file; do
    case "$file" in
      *.sv) sed -n 's/.*`toriscope_mutant(\\([0-9]*\\)).*/\\1/p' "$file" >> "$TORISCOPE_MUTANTS_REACHED" ;;
    esac
  done
fi
exec iverilog "-DMUTANT=${TORISCOPE_MUTANT:-0}" "$@"
"""


def sources(patterns):
    found = []
    for pattern in patterns:
        flat = pattern.endswith("/*")
        top = ROOT / pattern.removesuffix("/*")
        if not top.is_dir():
            sys.exit(f"drawn_mutants.py: there is no directory {pattern}; correct PARTS")
        found += [p for p in (top.glob("*") if flat else top.rglob("*")) if p.suffix in (".h", ".cpp", ".sv")]
    # Not those around a model that Verilator makes of RTL: they are compiled with it.
    return sorted(p for p in set(found) if not re.search(r"_test\.|_bench\.|/examples?/|test_", str(p)) and
                  "\n// For tests:" not in (text := p.read_text())[:200] and
                  not re.search(r'\n#include (<verilated|"V\w+\.h")', text))


def drawn_from_sv(path):
    text = path.read_text("ascii")

    def masked(pattern, filler, masked_text):
        return re.sub(pattern, lambda m: re.sub(r"[^\n]", filler, m[0]), masked_text)

    plain = masked(r'"[^"\n]*"', "x", masked(SV_CONSTANT, " ", masked(r"//.*", " ", text)))
    for _ in range(4):  # brackets within brackets
        plain = masked(r"\[[^\[\]]*\]", "x", plain)
    plain = masked(r"\([^()]*\)'(?=\()", "x", plain)  # the width of a cast
    tokens = list(SV_TOKEN.finditer(plain))
    found = []

    def end_of_expression(at, step, opening, closing):
        depth = 0
        while depth > 0 or tokens[at + step][0] not in SV_ENDS | set(closing):
            at += step
            depth += (tokens[at][0] in opening) - (tokens[at][0] in closing)
        return tokens[at]

    for at, token in enumerate(tokens):
        operator, (begin, end) = token[0], token.span()
        before, after = text[text.rfind("\n", 0, begin) + 1:begin], text[end:text.find("\n", end)]
        if operator in SV_BINARY and re.match(r"[\w)}]", tokens[at - 1][0]):
            first = end_of_expression(at, -1, ")}", "({").start()
            last = end_of_expression(at, 1, "({", ")}").end()
            whole, new = text[first:last], text[first:begin] + SV_BINARY[operator] + text[end:last]
            found.append((first, last, f"(`toriscope_mutant(@) ? ({new}) : ({whole}))",
                          f"{operator} becomes {SV_BINARY[operator]}: {new}"))
        if operator == "!" and re.match(r"\w", tokens[at + 1][0]):
            operand = text[end:tokens[at + 1].end()]
            found.append((begin, tokens[at + 1].end(), f"(`toriscope_mutant(@) ? {operand} : !{operand})",
                          f"! dropped: {before}{after}"))
        if operator in SV_LITERAL or operator.isdigit():
            new = SV_LITERAL.get(operator) or str(int(operator) + 1)
            found.append((begin, end, f"(`toriscope_mutant(@) ? {new} : {operator})",
                          f"{operator} becomes {new}: {before}{new}{after}"))
        if operator == "<=":
            first, last = tokens[at - 1].start(), plain.index(";", end) + 1
            whole = text[first:last]
            found.append((first, last, f"begin if (!`toriscope_mutant(@)) {whole} end", f"dropped: {whole}"))
    return found


@functools.cache
def mpi_flags():
    return subprocess.run(["mpicxx", "--showme:compile"], capture_output=True, text=True, check=True).stdout.split()


def drawn_from(path, index, kinds):
    """(begin, end, new text, what) of every change that could be made in a file."""
    if path.suffix == ".sv":
        return drawn_from_sv(path)
    K = kinds
    text = path.read_bytes()
    flags = ["-x", "c++", "-std=c++17", f"-I{ROOT}", "-DSC_ALLOW_DEPRECATED_IEEE_API", *mpi_flags()]
    unit = index.parse(str(path), args=flags)
    if any(d.severity >= 4 for d in unit.diagnostics):
        sys.exit(f"drawn_mutants.py: {path} is not parsed: {unit.diagnostics[0].spelling}")
    found = []

    def piece(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def source(begin, end):
        return text[begin:end].decode()

    def add(cursor, new, what):
        begin, end = piece(cursor)
        found.append((begin, end, new, what))

    member_end = 0  # of the member that was met last

    def visit(cursor, parent):
        where = cursor.extent.start
        if where.file is None or where.file.name != str(path):
            if cursor.kind == K.TRANSLATION_UNIT:
                for child in cursor.get_children():
                    visit(child, cursor)
            return
        begin, end = piece(cursor)
        if begin >= end:
            return
        head = source(begin, end).split("{")[0]
        if cursor.kind in (K.VAR_DECL, K.FUNCTION_DECL, K.CXX_METHOD, K.FIELD_DECL, K.CONSTRUCTOR,
                           K.FUNCTION_TEMPLATE) and ("constexpr" in head or "static const " in head):
            return
        if cursor.kind in (K.ENUM_DECL, K.CASE_STMT, K.STATIC_ASSERT, K.TEMPLATE_NON_TYPE_PARAMETER, K.TYPE_ALIAS_DECL):
            if cursor.kind != K.CASE_STMT:
                return
            for child in list(cursor.get_children())[1:]:
                visit(child, cursor)
            return
        nonlocal member_end
        if cursor.kind == K.FIELD_DECL:
            member_end = end
        children = list(cursor.get_children())
        whole = source(begin, end)
        statement = parent.kind == K.COMPOUND_STMT or (
            parent.kind == K.IF_STMT and cursor.hash != next(parent.get_children()).hash)
        if cursor.kind == K.BINARY_OPERATOR and len(children) == 2:
            left, right = piece(children[0]), piece(children[1])
            operator = source(left[1], right[0]).strip()
            if operator in BINARY and begin <= left[0] and right[1] <= end:
                l, r = source(*left), source(*right)
                add(cursor, f"(toriscope_mutant(@) ? ({l} {BINARY[operator]} {r}) : ({whole}))",
                    f"{operator} becomes {BINARY[operator]}: {whole}")
        if cursor.kind == K.COMPOUND_ASSIGNMENT_OPERATOR and len(children) == 2:
            left, right = piece(children[0]), piece(children[1])
            operator = source(left[1], right[0]).strip()
            if operator in COMPOUND:
                add(cursor, f"(toriscope_mutant(@) ? ({source(*left)} {COMPOUND[operator]} {source(*right)}) "
                            f": ({whole}))",
                    f"{operator} becomes {COMPOUND[operator]}: {whole}")
        if cursor.kind == K.UNARY_OPERATOR and whole.startswith("!"):
            add(cursor, f"(toriscope_mutant(@) ? bool({whole[1:]}) : ({whole}))", f"! dropped: {whole}")
        if cursor.kind == K.INTEGER_LITERAL and re.fullmatch(r"\d+", whole):
            if begin < member_end:
                START_VALUES.add((str(path), begin))
            first, last = text.rfind(b"\n", 0, begin) + 1, text.find(b"\n", end)
            add(cursor, f"(toriscope_mutant(@) ? {int(whole) + 1} : {whole})",
                f"{whole} becomes {int(whole) + 1}: {source(first, begin)}{int(whole) + 1}{source(end, last)}")
        if statement and (cursor.kind in (K.CALL_EXPR, K.COMPOUND_ASSIGNMENT_OPERATOR) or
                          cursor.kind == K.UNARY_OPERATOR and re.match(r"\+\+|--", whole) or
                          cursor.kind == K.BINARY_OPERATOR and len(children) == 2 and
                          source(children[0].extent.end.offset, children[1].extent.start.offset).strip() == "="):
            if not re.search(r"SC_|sc_|\(this\)|assert|return|prefetch|reserve\(", whole):
                add(cursor, f"(toriscope_mutant(@) ? void() : void({whole}))", f"dropped: {whole}")
        for child in children:
            visit(child, cursor)

    visit(unit.cursor, unit.cursor)
    return found


START_VALUES = set()  # of members, by file and place


def candidates_of(path):
    """As drawn_from, in order, with `what` as it is printed: numbered where a file has several that read alike."""
    import clang.cindex as c
    try:
        index = c.Index.create()
    except c.LibclangError:
        c.Config.set_library_file("/usr/lib/x86_64-linux-gnu/libclang-14.so.1")
        index = c.Index.create()
    changes = [(*change, " ".join(what.split())[:160]) for *change, what in
               sorted(set(drawn_from(path, index, c.CursorKind)))]
    alike = collections.Counter(change[3] for change in changes)
    met = collections.Counter()
    found = []
    for *change, what in changes:
        met[what] += 1
        found.append((*change, f"{what} ({met[what]} of {alike[what]})" if alike[what] > 1 else what))
    return found


def argued_equivalents():
    """The file and the text of each mutant that is argued to be equivalent."""
    found, whats = set(), {}
    for line in EQUIVALENT.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        file, what, argument = line.split("\t")
        if file not in whats:
            whats[file] = {c[3] for c in candidates_of(ROOT / file)} if (ROOT / file).exists() else set()
        if what not in whats[file] or not argument:
            sys.exit(f"{EQUIVALENT}: without a source text or an argument: {line}")
        if (file, what) in found:
            sys.exit(f"{EQUIVALENT}: argued twice: {line}")
        found.add((file, what))
    return found


def draw(number, seed):
    shares = sum(share for share, _ in PARTS.values())
    chosen = []
    for part, (share, patterns) in PARTS.items():
        # Files by their size, and of each as many mutants as make up the share.
        draws = random.Random(f"{seed} {part}")
        files = sources(patterns)
        left = round(number * share / shares * 1.15)  # some do not compile
        for path in sorted(files, key=lambda path: draws.random() ** (1000 / path.stat().st_size), reverse=True):
            if left == 0:
                break
            text = path.read_bytes()
            candidates = candidates_of(path)
            draws.shuffle(candidates)
            lines, spans, most = set(), [], min(4, left)
            for begin, end, new, what in candidates:
                line = text[:begin].count(b"\n") + 1
                if len(spans) == most:
                    break
                # One of a line, so that a line full of constants counts as one; and one start value of members, most
                # of which are overwritten before they are read.
                if line in lines or any(begin < e and b < end for b, e in spans):
                    continue
                start_value = (str(path), begin) in START_VALUES
                if start_value and any((str(path), b) in START_VALUES for b, _ in spans):
                    continue
                lines.add(line)
                spans.append((begin, end))
                chosen.append({"part": part, "file": str(path.relative_to(ROOT)), "line": line, "begin": begin,
                               "end": end, "new": new, "what": what})
            left -= len(spans)
        print(f"{part}: {sum(m['part'] == part for m in chosen)}", file=sys.stderr)
    for i, mutant in enumerate(chosen):
        mutant["number"] = i + 1
    return chosen


def write_if_other(path, text):
    if not path.exists() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def write_tree(tree, mutants):
    """All files, the sources with the mutants that compile. What is the same stays as it is, and is not built again."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    names = set(listed.rstrip("\0").split("\0"))
    for old in [p for p in tree.rglob("*") if p.is_file() and str(p.relative_to(tree)) not in names]:
        old.unlink()
    for name in names:
        text = (ROOT / name).read_bytes()
        changes = [m for m in mutants if m["file"] == name]
        for m in sorted(changes, key=lambda m: -m["begin"]):
            if not m.get("compiles", True):
                continue
            new = m["new"].replace("@", str(m["number"]))
            text = text[:m["begin"]] + new.encode() + text[m["end"]:]
        if changes and name.endswith(".sv"):
            begin = text.index(b"\n);\n") + 3
            # Lines keep their numbers: three of the switch follow the one that sets them.
            switch = SV_SWITCH.replace("DIRECTORY", str(tree.parent)).replace("FILE", str(tree / name)).replace(
                "LINE", str(text[:begin].count(b"\n") - 1))
            text = text[:begin] + switch.encode() + text[begin + 1:]
        write_if_other(tree / name, text)
        (tree / name).chmod((ROOT / name).stat().st_mode)


def built(directory, tree, mutants):
    build = directory / "build"
    write_tree(tree, mutants)
    icarus = []
    if shutil.which("iverilog"):
        write_if_other(directory / "iverilog", IVERILOG.encode())
        (directory / "iverilog").chmod(0o755)
        icarus = [f"-DTORISCOPE_IVERILOG={directory}/iverilog"]
    subprocess.run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *icarus,
                    "-DTORISCOPE_BATCHES=ON", f"-DCMAKE_CXX_FLAGS=-include {directory}/switch.h -w"],
                   check=True, stdout=subprocess.DEVNULL)
    for _ in range(30):
        done = subprocess.run(["cmake", "--build", build, "--", "-k", "0"], capture_output=True, text=True)
        (directory / "build.log").write_text(done.stdout + done.stderr)
        if done.returncode == 0:
            return
        wrong = {(os.path.relpath(build / f, tree), int(line))
                 for f, line in re.findall(r"^(\S+?):(\d+):(?:\d+:)? (?:error|note|  required)", done.stdout, re.M) +
                 re.findall(r"^%(?:Error|Warning).*?: (\S+?):(\d+):", done.stdout, re.M)}
        left = [m for m in mutants if m.get("compiles", True)]
        dropped = [m for m in left if any(
            f == m["file"] and m["line"] <= n <= m["line"] + m["new"].count("\n") for f, n in wrong)]
        # What an array's bound is shows where the array is used.
        dropped = dropped or [m for m in left if m["file"] in {f for f, _ in wrong}]
        for m in dropped:
            m["compiles"] = False
        print(f"{len(dropped)} mutants do not compile", file=sys.stderr)
        if not dropped:
            sys.exit(f"drawn_mutants.py: the build fails without a mutant's fault: see {directory}/build.log")
        write_tree(tree, mutants)
    sys.exit("drawn_mutants.py: the build does not come to an end")


def run_test(build, test, mutant, reached="", cpu_seconds=900):
    """Whether it passes. The limit is one of CPU time, for each process of the test: a busy machine kills no mutant."""
    environment = os.environ | {"TORISCOPE_MUTANT": str(mutant), "XDG_CACHE_HOME": str(build / "cache")}
    if reached:
        environment["TORISCOPE_MUTANTS_REACHED"] = str(reached)
    else:
        environment["GTEST_FAIL_FAST"] = "1"
    begun = time.time()
    # ctest's own --timeout is only for tests that have none.
    done = subprocess.run(["timeout", str(int(20 * cpu_seconds)), "prlimit", f"--cpu={int(cpu_seconds)}",
                           "ctest", "--test-dir", build, "--output-on-failure", "-R", f"^{test}$"],
                          capture_output=True, text=True, errors="replace", env=environment)
    return done.returncode == 0, time.time() - begun, done.stdout + "***Timeout" * (done.returncode == 124)


def baseline(directory, build, state, save):
    listed = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1",
                                        "--label-exclude", "^(long|bench)$"],
                                       capture_output=True, text=True, check=True).stdout)
    open_ = [t["name"] for t in listed["tests"] if t["name"] not in OF_TEXT | set(state["tests"])]

    def run(test):
        log = directory / "reached" / test
        log.unlink(missing_ok=True)
        passed, seconds, out = run_test(build, test, 0, log)
        if not passed:
            (directory / "reached" / f"{test}.log").write_text(out)
        reached = sorted({int(n) for n in log.read_text().split()}) if log.exists() else []
        return {"passed": passed, "seconds": round(seconds, 1), "reached": reached}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for test, found in zip(open_, pool.map(run, open_)):
            state["tests"][test] = found
            if not found["passed"]:
                print(f"{test} fails without a mutant; it is left out", file=sys.stderr)
            save()


def judge(build, tests, mutant):
    number = mutant["number"]
    able = sorted((t["seconds"], name) for name, t in tests.items() if t["passed"] and number in t["reached"])
    for seconds, name in able:
        passed, _, out = run_test(build, name, number, cpu_seconds=4 * seconds + 10)
        if not passed:
            failed = re.findall(r"^\[  FAILED  \] ([^ ,]*)", out, re.M)
            return {"verdict": "killed", "by": name, "test": failed[0] if failed else "",
                    "timeout": "***Timeout" in out}
    return {"verdict": "survives" if able else "not reached", "tried": len(able)}


def report(mutants, equivalents, percent):
    def verdict(m):
        return "equivalent" if m["verdict"] != "killed" and (m["file"], m["what"]) in equivalents else m["verdict"]

    kinds = ("killed", "survives", "not reached", "equivalent")
    lines = ["| part | drawn | killed | survive | not reached | equivalent | killed, of the others |",
             "|---|---|---|---|---|---|---|"]
    judged = [m for m in mutants if "verdict" in m]
    for part in [*PARTS, "all"]:
        mine = [verdict(m) for m in judged if part in (m["part"], "all")]
        if not mine:
            continue
        count = [mine.count(kind) for kind in kinds]
        lines.append(f"| {part} | {len(mine)} | {' | '.join(map(str, count))} | "
                     f"{100 * count[0] / max(1, len(mine) - count[3]):.0f} % |")
    lines.append("")
    misargued = 0
    for m in judged:
        argued = m["verdict"] == "killed" and (m["file"], m["what"]) in equivalents
        misargued += argued
        if argued or verdict(m) != "killed":
            lines.append(f"{m['number']}  {m['file']}:{m['line']}  {verdict(m)}"
                         f"{', though argued to be equivalent' if argued else ''}: {m['what']}")
    verdicts = [verdict(m) for m in judged]
    noticed, equivalent = verdicts.count("killed"), verdicts.count("equivalent")
    of = len(judged) - equivalent
    lines.append(f"{noticed} of {of} mutants noticed, {equivalent} more are equivalent")
    return "\n".join(lines), misargued == 0 and 100 * noticed >= percent * of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=212)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build/drawn_mutants")
    parser.add_argument("--part", action="append", default=[], choices=PARTS)
    parser.add_argument("--only", type=int, nargs="+", default=[])
    parser.add_argument("--percent", type=float, default=100)
    parser.add_argument("--draw", action="store_true")
    asked = parser.parse_args()
    if asked.draw:
        for m in draw(asked.number, asked.seed):
            print(f"{m['number']} {m['file']}:{m['line']} {m['what']}")
        return
    equivalents = argued_equivalents()
    directory = asked.directory.resolve()
    (directory / "reached").mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    kept = directory / "state.json"
    state = json.loads(kept.read_text()) if kept.exists() else {}
    key = [commit, asked.number, asked.seed]
    if state.get("key") != key:
        state = {"key": key, "built": False, "tests": {}, "mutants": draw(asked.number, asked.seed)}

    def save():
        new = kept.with_suffix(".new")
        new.write_text(json.dumps(state, indent=1))
        new.replace(kept)

    tree, build = directory / "tree", directory / "build"
    if not state["built"]:
        write_if_other(directory / "switch.h", SWITCH.encode())
        built(directory, tree, state["mutants"])
        state["mutants"] = [m for m in state["mutants"] if m.get("compiles", True)]
        state["built"] = True
        save()
    baseline(directory, build, state, save)
    open_ = [m for m in state["mutants"] if (not asked.part or m["part"] in asked.part) and
             (m["number"] in asked.only if asked.only else "verdict" not in m)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = {pool.submit(judge, build, state["tests"], m): m for m in open_}
        for done in concurrent.futures.as_completed(judged):
            mutant, found = judged[done], done.result()
            mutant.update(found)
            print(f"{mutant['number']:4} {mutant['file']}:{mutant['line']} {found}", file=sys.stderr, flush=True)
            save()
    text, enough = report(state["mutants"], equivalents, asked.percent)
    print(text)
    sys.exit(not enough)


main()
