#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/safe_rules.py [--program FILE] [--points FILE] [--jobs N] [--topology TEXT] [--check]

The saturation of every proven VC rule, network by network: uniform traffic, packets of 16 flits, four_stage, 8 flits
per VC. Writes topologies/measured_rules.inc, from which `--vc-rule safe` chooses. --points, by default
topologies/measured_rules.jsonl, keeps the figures as JSON lines; what is in the file is not measured again.
--topology measures only networks whose line has that text.

Saturation: bisection, to 1.5 %, for the highest load of which 98 % is accepted in 10,000 cycles after a warm-up of
3000; the mean of two seeds. A rule whose run has the same packet hash as one measured before is that rule by another
name."""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys

TOPOLOGIES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "topologies")
TABLE = os.path.join(TOPOLOGIES, "measured_rules.inc")
POINTS = os.path.join(TOPOLOGIES, "measured_rules.jsonl")
WINDOW = ["--warmup", "3000", "--cycles", "10000", "--drain", "0"]
TTN = {"K": ["K", "A", "C", "D3", "E", "G"], "E": ["E", "G", "A", "C", "D3"], "G": ["G", "E", "A", "C", "D3"],
       "S": ["S", "G", "E", "D3"]}  # in the order in which they are taken of equals
RINGS = ["balanced", "dateline", "wrapping"]
HTN = ["PY", "PXd", "P3", "P4", "P3w"]
H3D = ["M3", "M5"]
SEEDS = (1, 2)
RESOLUTION = .015  # of bisection

# (topology and options, numbers of VCs, rules, a load below saturation, with which bisection begins)
NETWORKS = (
    [(f"ttn:2,2,{q} --inter-module-links {l}", (2, 3, 4, 6, 8), TTN["E" if q else "K"], .01)
     for q in (0, 1, 2) for l in ("one_way", "duplex")]
    + [(f"tesh:2,2,{q} --inter-module-links {l}", (2, 3, 4, 6, 8), TTN["G" if q else "K"], .01)
       for q in (0, 1, 2) for l in ("one_way", "duplex")]
    + [(f"sttn:2,2,0 --inter-module-links {l}", (3, 4, 6, 8), TTN["S"], .01) for l in ("one_way", "duplex")]
    + [(f"htn:4,4,2,0{o}", (3, 4, 6), HTN, .02)
       for o in ("", " --gateways nearest", " --gateways nearest --routing ls", " --gateways nearest --routing ls+cs")]
    + [("mh3dt:4,2,2,0", (3, 4, 5, 6, 8), H3D, .01), ("h3dt:4,2,2,0", (3, 4, 5, 6, 8), H3D, .01)]
    + [(f"torus:{n}", (2, 3, 4, 6, 8), RINGS, .15) for n in ("4x4", "5x5", "8x8")]
    + [("torus:16x16", (2, 4), RINGS, .08), ("torus:8x8x8", (2, 4), RINGS, .15),
       ("ucube:8,2", (2, 3, 4, 8), RINGS, .06), ("ucube:4,3", (2, 3, 4, 8), RINGS, .1)])


def arguments(network, vcs, rule):
    spec, *options = network.split()
    return ["--topology", spec, *options, "--vcs", str(vcs), "--vc-rule", rule]


def proven(program, network, vcs, rule):
    """What the proof says of itself; None where the rule does not fit, or has cycles."""
    done = subprocess.run([program, "prove", *arguments(network, vcs, rule), "--no-witness", "--quiet", "--json", "-"],
                          capture_output=True, text=True)
    found = json.loads(done.stdout) if done.returncode != 2 else {}
    return found if found.get("verdict") == "proven" and found.get("regrant") == "any" else None


def run(program, network, vcs, rule, rate, seed):
    done = subprocess.run([program, "run", *arguments(network, vcs, rule), *WINDOW, "--rate", f"{rate:.6g}",
                           "--seed", str(seed), "--failure-wave", "none", "--quiet", "--json", "-"],
                          capture_output=True, text=True)
    return json.loads(done.stdout)["results"]


def saturation(program, network, vcs, rule, low, high, seed):
    def keeps_up(rate):
        found = run(program, network, vcs, rule, rate, seed)
        return found["accepted"] >= .98 * found["offered"]

    while high < 1 and keeps_up(high):
        low, high = high, min(1, 2 * high)
    while high - low > RESOLUTION * high:
        rate = (low + high) / 2
        if keeps_up(rate):
            low = rate
        else:
            high = rate
    return (low + high) / 2


def measure(job):
    """The rules of a network on a number of VCs, with their saturations."""
    program, network, vcs, rules, least = job
    figures, hashes = {}, {}
    for rule in rules:
        facts = proven(program, network, vcs, rule)
        if facts is None:
            continue
        same = run(program, network, vcs, rule, 2 * least, 1)["packet_hash"]
        if same in hashes:
            figures[rule] = figures[hashes[same]]
            continue
        hashes[same] = rule
        found = [saturation(program, network, vcs, rule, least, 4 * least, seed) for seed in SEEDS]
        figures[rule] = round(sum(found) / len(found), 5)
    if not figures:
        return None
    one = proven(program, network, vcs, next(iter(figures)))
    return {"network": network, "vcs": vcs, "topology": one["topology"], "links": one["links"], "ties": one["ties"],
            "gates": one["gates"], "routing": one["routing"], "saturation": figures}


def table(points):
    text = ("// SPDX-License-Identifier: Apache-2.0\n"
            "// Written by scripts/safe_rules.py: the proven VC rules of a network, and at which load\n"
            "// (flits/node/cycle) each saturates: uniform traffic, packets of 16 flits, four_stage, 8 flits per VC.\n"
            "// topology, links, ties, gates, routing, VCs, the rule that safe takes and the others from the best on\n"
            "// clang-format off\n")
    for network, vcs_of, rules, _ in NETWORKS:
        for vcs in vcs_of:
            p = points.get((network, vcs))
            if p is None:
                continue
            # Of those that bisection cannot tell from the best the one that is listed first.
            highest = max(p["saturation"].values())
            chosen = next(rule for rule in rules if p["saturation"].get(rule, 0) >= (1 - RESOLUTION) * highest)
            order = sorted(p["saturation"].items(), key=lambda item: (item[0] != chosen, -item[1]))
            words = ", ".join(f"{rule} {figure:.4f}" for rule, figure in order)
            text += (f'{{"{p["topology"]}", "{p["links"]}", "{p["ties"]}", "{p["gates"]}", "{p["routing"]}", '
                     f'{vcs}, "{words}"}},\n')
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--points", default=POINTS)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--topology", default="")
    parser.add_argument("--check", action="store_true", help="measure nothing: is the table that of the points?")
    options = parser.parse_args()
    points = {}
    if os.path.exists(options.points):
        for line in open(options.points):
            p = json.loads(line)
            points[p["network"], p["vcs"]] = p
    if options.check:
        with open(TABLE) as found:
            if found.read() == table(points):
                return 0
        print(f"safe_rules.py: {TABLE} is not what --points {options.points} gives", file=sys.stderr)
        return 1
    jobs = [(options.program, network, vcs, rules, least) for network, vcs_of, rules, least in NETWORKS
            for vcs in vcs_of if (network, vcs) not in points and options.topology in network]
    with multiprocessing.Pool(options.jobs) as pool, open(options.points, "a") as kept:
        for p in pool.imap(measure, jobs):
            if p is None:
                continue
            points[p["network"], p["vcs"]] = p
            print(p["network"], p["vcs"], p["saturation"], flush=True)
            kept.write(json.dumps(p) + "\n")
            kept.flush()
    with open(TABLE, "w") as out:
        out.write(table(points))
    return 0


if __name__ == "__main__":
    sys.exit(main())
