#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/coverage.py [--program FILE] [--seeds N] [--first-seed N] [--long N] [--case NAME ...]

Whether latency.interval_95 covers (docs/model.md, "Precision of the mean"): of many short runs of a load, the share of
the intervals given that hold the mean of long runs, and the share of runs whose interval is unknown. Prints a line per
load and window. Leaves with 1 when fewer than 90 % of the intervals given cover, or when more than a third of those
below 90 % of saturation are unknown. A sweep finds the saturation throughput of each network first. A quarter of an
hour of CPU time with the default seeds."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

WINDOWS = (3000, 10000)


NETWORKS = {  # name: (options, loads in flits per node and cycle, or None: .5, .8 and .95 of saturation)
    "torus": ("--topology torus:8x8", (.1, .3, .4, .45)),
    "mesh": ("--topology mesh:8x8 --routing xy", (.2, .3, .35)),
    "shuffle": ("--topology torus:8x8 --traffic shuffle", (.25,)),
    "ttn_four_stage": ("--topology ttn:2,2,0", None),
    "hotspot": ("--topology mesh:4x4 --traffic hotspot --hot-node 5 --hot-probability 0.1 --packet 4", None),
    "ttn_paper2009": ("--topology ttn:2,2,0 --pipeline paper2009 --depth 1", None),
}


def saturation(program, options):
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run([program, "sweep", *options, "--out", directory], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        with open(os.path.join(directory, "sweep.json")) as file:
            return json.load(file)["curves"][0]["summary"]["saturation_throughput"]


def cases(program, wanted):
    """name, options, load, share of the saturation throughput"""
    for spec, (options, rates) in NETWORKS.items():
        if wanted and not any(name.startswith(spec) or spec.startswith(name) for name in wanted):
            continue
        limit = saturation(program, options.split())
        for rate in rates or (.5 * limit, .8 * limit, .95 * limit):
            name = f"{spec} {rate:.3g}"
            if not wanted or any(name.startswith(w) for w in wanted):
                yield name, options.split(), rate, rate / limit


def latency(program, options, rate, seed, warmup, cycles):
    command = [program, "run", *options, "--rate", f"{rate:.6g}", "--seed", str(seed), "--warmup", str(warmup),
               "--cycles", str(cycles), "--drain", str(cycles), "--quiet", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["results"]["latency"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--long", type=int, default=20, help="long runs, of 10,000 + 60,000 cycles")
    parser.add_argument("--case", action="append", help="only cases that begin with this")
    wanted = parser.parse_args()
    missed = 0
    for name, options, rate, share in cases(wanted.program, wanted.case):
        means = [latency(wanted.program, options, rate, 1000 + s, 10000, 60000)["mean"] for s in range(wanted.long)]
        mean = statistics.mean(means)
        error = statistics.stdev(means) / len(means) ** .5
        for cycles in WINDOWS:
            runs = [latency(wanted.program, options, rate, wanted.first_seed + s, 2000, cycles)
                    for s in range(wanted.seeds)]
            given = [run["interval_95"] for run in runs if run["interval_95"]]
            covering = sum(low <= mean <= high for low, high in given)
            half = statistics.median((high - low) / 2 / mean for low, high in given) if given else float("nan")
            bad = covering < .9 * len(given) or share < .9 and 3 * (len(runs) - len(given)) > len(runs)
            missed += bad
            print(f"{name:<24} {100 * share:3.0f} % of saturation  mean {mean:7.2f} +- {error:.2f}  {cycles:6} cycles: "
                  f"{len(given):3} of {len(runs)} given, {covering:3} cover, median half-width {100 * half:5.1f} %"
                  f"{'  MISSED' if bad else ''}", flush=True)
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
