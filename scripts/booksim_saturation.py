#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/booksim_saturation.py --booksim FILE [--program FILE] [--network NAME ...] [--traffic PATTERN ...]
                                [--packet FLITS ...] [--cycles N] [--seeds N] [--step LOAD] [--out FILE]

Up to which load do BookSim2 and toriscope run in a steady state? Same work as `compare_peers.py --cross-check`
(docs/booksim_cross_check.md), in the torus with BookSim2's VC rule (`wrapping`), in the dragonfly with its wiring and
VCs, depth 8 (dragonfly 64); bisection on a grid of loads. Networks other than mesh and torus are for uniform traffic:
BookSim2 numbers their terminals in another way. --out keeps all runs as JSON lines.

BookSim2 has no such test, but prints what every source has sent (`stats_out`). A source is offered p flits per cycle;
by chance what arrives in T cycles differs from pT by a standard deviation of sqrt(L p T (1 - p/L)) for packets of L
flits.
Not steady: some source has sent less than offered by more than chance explains (5 % for all sources together), or all
of them have by 3 standard deviations. toriscope: `results.stable`, which sees each queue and is the sharper test;
"deviations" among the runs of --out is the same figure for both, by toriscope's accepted flits."""
import argparse
import json
import math
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the tree
from peer_networks import MAKERS, network_of  # noqa: E402
from peers import BookSim, Failure, Toriscope, Workload, bracket  # noqa: E402


def chance(work):
    """Standard deviation of what a source has sent, flits per cycle."""
    return math.sqrt(work.flits * work.rate * (1 - work.rate / work.flits) / work.measured)


def run_booksim(program, work):
    with tempfile.TemporaryDirectory() as directory:
        peer = BookSim(program, directory)
        text = peer.run_to_end(work, stats_out="-").out
    sent = peer.row(text, "sent_flits")  # flits per cycle of each source in the measured cycles
    return {"latency": peer.parse(text).latency_mean, "accepted": statistics.fmean(sent)} | judge(sent, work)


def judge(sent, work):
    """The test of the header."""
    short = [work.rate - value for value in sent]
    whole = sum(short) / len(short) / (chance(work) / math.sqrt(len(short)))
    each = statistics.NormalDist().inv_cdf(1 - 0.05 / len(short))
    behind = sum(value / chance(work) > each for value in short)
    return {"behind": behind, "deviations": whole, "stable": behind == 0 and whole < 3}


def run_toriscope(program, work):
    rule = ["--vc-rule", "wrapping"] if work.network == "torus" else []
    own = Toriscope(program, 2, True, [*work.net.routing, "--limited-reception", *rule])
    with tempfile.TemporaryDirectory() as directory:
        if work.net.files:
            own.use_file(next(reversed(work.net.files.values())), directory)
        found, _ = own.results_of(own.arguments(work, drain=work.measured))
    return {"latency": found["latency"]["mean"], "accepted": found["accepted"],
            "deviations": (work.rate - found["accepted"]) / chance(work) * math.sqrt(work.nodes),
            "stable": found["stable"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--booksim", required=True)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--network", nargs="+", default=["mesh", "torus"], choices=list(MAKERS))
    parser.add_argument("--traffic", nargs="+", default=["uniform", "transpose"])
    parser.add_argument("--packet", nargs="+", type=int, default=[16, 4])
    parser.add_argument("--cycles", type=int, default=10000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--out", default=os.devnull)
    asked = parser.parse_args()
    steps = round(1 / asked.step)
    print("| network | pattern | packets of | BookSim2 | toriscope | gap |\n|---|---|---|---|---|---|", flush=True)
    with open(asked.out, "a", encoding="utf-8") as out:
        for network in asked.network:
            for traffic in asked.traffic:
                for flits in asked.packet:
                    found, guess = [], 0.3
                    for name, program, run in (("toriscope", asked.program, run_toriscope),
                                               ("BookSim2", asked.booksim, run_booksim)):
                        def steady(load):
                            for seed in range(1, asked.seeds + 1):
                                result = run(program, Workload(network, None, load, asked.cycles, asked.cycles, seed,
                                                               traffic, flits))
                                json.dump({"simulator": name, "network": network, "traffic": traffic,
                                           "packet": flits, "load": load, "seed": seed} | result, out)
                                out.write("\n")
                                out.flush()
                                if not result["stable"]:
                                    return False
                            return True
                        found.insert(0, bracket(steady, steps, guess))
                        guess = found[0][0]
                    theirs, ours = found
                    gap = max(0, max(theirs[0], ours[0]) - min(theirs[1], ours[1])) / asked.step
                    print(f"| {network_of(network).title} | {traffic} | {flits} | {theirs[0]:.3g}-{theirs[1]:.3g} | "
                          f"{ours[0]:.3g}-{ours[1]:.3g} | {round(gap)} steps |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as error:
        sys.exit(f"booksim_saturation.py: {error}")
