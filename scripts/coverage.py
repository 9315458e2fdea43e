#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/coverage.py [--program FILE] [--seeds N] [--long N] [--case NAME ...] [--saturation-ttn4 R] [--saturation-ttnp R]

Whether latency.interval_95 covers (docs/model.md, "Precision of the mean"): of many short runs of a load, the share of
the intervals given that hold the mean of long runs, and the share of runs whose interval is unknown. Prints a line per
load and window. Leaves with 1 when fewer than 90 % of the intervals given cover, or when more than a third of those
below 90 % of saturation are unknown. A quarter of an hour of CPU time with the default seeds."""
import argparse
import json
import statistics
import subprocess
import sys

WINDOWS = (3000, 10000)


def cases(ttn4, ttnp):
    """name: (options, rate, share of the saturation)."""
    found = {}
    for spec, options, saturation, rates in (
            ("torus", "--topology torus:8x8", .467, (.1, .3, .4, .45)),
            ("mesh", "--topology mesh:8x8 --routing xy", .365, (.2, .3, .35)),
            ("shuffle", "--topology torus:8x8 --traffic shuffle", .27, (.25,)),
            ("ttn_four_stage", "--topology ttn:2,2,0", ttn4, (.5 * ttn4, .8 * ttn4, .95 * ttn4)),
            ("ttn_paper2009", "--topology ttn:2,2,0 --pipeline paper2009 --depth 1", ttnp,
             (.5 * ttnp, .8 * ttnp, .95 * ttnp))):
        for rate in rates:
            found[f"{spec} {rate:.3g}"] = (options.split(), rate, rate / saturation)
    return found


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
    parser.add_argument("--long", type=int, default=20, help="long runs, of 10,000 + 60,000 cycles")
    parser.add_argument("--case", action="append", help="only cases that begin with this")
    parser.add_argument("--saturation-ttn4", type=float, default=.0187, help="of ttn:2,2,0, four_stage")
    parser.add_argument("--saturation-ttnp", type=float, default=.0099, help="of ttn:2,2,0, paper2009")
    wanted = parser.parse_args()
    missed = 0
    for name, (options, rate, share) in cases(wanted.saturation_ttn4, wanted.saturation_ttnp).items():
        if wanted.case and not any(name.startswith(c) for c in wanted.case):
            continue
        means = [latency(wanted.program, options, rate, 1000 + s, 10000, 60000)["mean"] for s in range(wanted.long)]
        mean = statistics.mean(means)
        error = statistics.stdev(means) / len(means) ** .5
        for cycles in WINDOWS:
            runs = [latency(wanted.program, options, rate, 1 + s, 2000, cycles) for s in range(wanted.seeds)]
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
