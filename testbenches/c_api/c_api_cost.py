#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/c_api/c_api_cost.py LOOP_IN_C LOOP_IN_CPP [--kernel]: instructions per cycle, by callgrind, of the same
loop in C, in C++, and in C++ with SystemC's kernel. Leaves with 1 when C takes more than 10 % over C++, with 77 without
valgrind."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SHORT, LONG = 500, 1500


def instructions(command, cycles, directory):
    environment = {**os.environ, "SC_COPYRIGHT_MESSAGE": "DISABLE", "XDG_CACHE_HOME": directory}
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={directory}/out", command[0],
                           str(cycles), *command[1:]], capture_output=True, text=True, check=True, env=environment)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), done.stdout.strip()


def per_cycle(command):
    with tempfile.TemporaryDirectory() as directory:
        instructions(command, 1, directory)  # proves the routing, which the others remember
        (few, _), (many, latency) = (instructions(command, cycles, directory) for cycles in (SHORT, LONG))
    return (many - few) / (LONG - SHORT), latency


def main():
    if not shutil.which("valgrind"):
        print("c_api_cost.py: valgrind was not found (Debian: apt-get install valgrind)")
        sys.exit(77)
    loops = {"C": [sys.argv[1]], "C++": [sys.argv[2]]}
    if "--kernel" in sys.argv:
        loops["C++, kernel"] = [sys.argv[2], "kernel"]
    measured = {name: per_cycle(command) for name, command in loops.items()}
    for name, (cost, latency) in measured.items():
        print(f"{name:12} {cost:10.1f} instructions per cycle, latencies in all {latency}")
    if len({latency for _, latency in measured.values()}) != 1:
        sys.exit("c_api_cost.py: the loops do not simulate the same")
    over = measured["C"][0] / measured["C++"][0] - 1
    print(f"C takes {100 * over:.1f} % over C++")
    if over > 0.10:
        sys.exit("c_api_cost.py: more than 10 %")


if __name__ == "__main__":
    main()
