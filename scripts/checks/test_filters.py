#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/test_filters.py BUILD_DIRECTORY: each pattern by which an entry of ctest chooses or leaves out cases
of a GoogleTest program names some: a case that is renamed is not lost. Leaves with 1 when one names none."""
import json
import subprocess
import sys

FILTER = "--gtest_filter="
listed = subprocess.run(["ctest", "--test-dir", sys.argv[1], "--show-only=json-v1"], capture_output=True, check=True)
patterns = {(test["command"][0], pattern)
            for test in json.loads(listed.stdout)["tests"] for word in test.get("command", [])
            if word.startswith(FILTER) for pattern in word[len(FILTER):].replace("-", ":").split(":") if pattern}
assert patterns, "no entry with a filter"
wrong = 0
for program, pattern in sorted(patterns):
    command = [program, "--gtest_list_tests", FILTER + pattern]
    cases = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "\n  " not in cases:
        print(f"{program.split('/')[-1]}: no case is called {pattern}")
        wrong = 1
sys.exit(wrong)
