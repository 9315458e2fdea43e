#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/python/python_cost.py: CPU time of Network.step() beyond that of toriscope_step() in C: at most 2 us.

Both step a network without packets, where nearly all of it is the call; in C the cycles are done in one call."""
import sys
import time

import toriscope

CALLS, LIMIT_US = 200_000, 2.0


def best_of(repeats, f):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        f()
        times.append(time.process_time() - start)
    return min(times) / CALLS * 1e6


def main():
    net = toriscope.Network("torus:8x8")

    def in_python():
        for _ in range(CALLS):
            net.step()

    in_c = best_of(5, lambda: net.step(CALLS))
    with_python = best_of(5, in_python)
    print(f"a step: {in_c:.3f} us in C, {with_python:.3f} us from Python")
    if with_python - in_c > LIMIT_US:
        sys.exit(f"python_cost.py: a step takes {with_python - in_c:.2f} us more than in C; expected {LIMIT_US}")


if __name__ == "__main__":
    main()
