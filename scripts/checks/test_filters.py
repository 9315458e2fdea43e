#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/test_filters.py BUILD_DIRECTORY: an entry of ctest runs each case of each GoogleTest program, and each
pattern by which an entry chooses or leaves out cases names some: a case that is added or renamed is not lost. Cases
that a missing tool would run may be left out. Leaves with 1 when a case is not run or a pattern names none."""
import collections
import os
import pathlib
import re
import subprocess
import sys

FILTER = "--gtest_filter="
OF_TOOLS = re.compile("verilated|icarus|yosys|simulated")  # testbenches/program/CMakeLists.txt


def cases(program, choice):
    """The names suite.case that a filter chooses."""
    listed = subprocess.run([program, "--gtest_list_tests", FILTER + choice], capture_output=True, text=True,
                            check=True, env={**os.environ, "SC_COPYRIGHT_MESSAGE": "DISABLE"})
    names, suite = set(), ""
    for line in listed.stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if name.startswith("  "):
            names.add(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


choices = collections.defaultdict(set)  # program -> what its entries choose
tree = pathlib.Path(sys.argv[1]).resolve()
others = [cache.parent for cache in tree.rglob("CMakeCache.txt") if cache.parent != tree]  # builds that tests have made
for entries in tree.rglob("CTestTestfile.cmake"):  # ctest --show-only would empty its LastTest.log
    if any(other in entries.parents for other in others):
        continue
    for program, choice in re.findall(rf'^add_test\(.* "([^"]+)" "{FILTER}([^"]*)"\)', entries.read_text(), re.M):
        choices[program].add(choice)
assert choices, "no entry with a filter"
wrong = 0
for program, its_choices in sorted(choices.items()):
    short = program.split("/")[-1]
    for pattern in sorted({p for choice in its_choices for p in choice.replace("-", ":").split(":") if p}):
        if not cases(program, pattern):
            print(f"{short}: no case is called {pattern}")
            wrong = 1
    chosen = set().union(*(cases(program, choice) for choice in its_choices))
    for name in sorted(cases(program, "*") - chosen):
        if not OF_TOOLS.search(name):
            print(f"{short}: no entry runs {name}")
            wrong = 1
sys.exit(wrong)
