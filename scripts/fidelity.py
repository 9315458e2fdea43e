#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/fidelity.py [--program FILE] [--out FILE] [--jobs N] [--quick] [--topology SPEC ...] [--traffic PATTERN ...]

The transaction level beside the cycle level: for every topology and pattern the saturation of both, and the mean
latency of both at 10, 20 .. 90 % of the cycle level's saturation (--quick: 10, 30 .. 90 %, in shorter runs). Prints the
table of docs/transaction_level.md and what it is judged by; leaves with 1 when that is missed. --speed prints CPU times
at 10 % of saturation and at .1 flits/node/cycle instead. --out keeps the figures as JSON lines; cells that are in the
file are not run again."""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys

TOPOLOGIES = {  # spec: further options
    "mesh:8x8": [], "torus:8x8": [], "torus:8x8 adaptive": ["--routing", "adaptive"], "cube:4,3": [],
    "ucube:4,2": [], "hypercube:6": [], "ccc:4": [], "ttn:2,2,0": [], "tesh:2,2,0": [], "sttn:2,2,0": [],
    "htn:4,2,2,1": [], "mh3dt:4,2,2,2": [], "h3dt:4,2,2,0": [], "rdt:alpha,16": [],
    "mesh:8x8 narrow": ["--link-width", "16"], "ttn:2,2,0 narrow": ["--link-width", "64,16"],
    "torus:8x8 slow": ["--link-delay", "4"], "torus:8x8 atomic": ["--vc-reallocation", "atomic"],
    "torus:8x8 single_cycle": ["--pipeline", "single_cycle"], "mesh:8x8 one_vc": ["--vcs", "1"],
    "cmesh:4x4,4": [], "fattree:4,3": [], "butterfly:4,3": [], "flatfly:4,2,4": [], "dragonfly:4,2,2": [],
    "torus:8x8 valiant": ["--routing", "valiant"], "fattree:4,3 random": ["--routing", "random"],
}
PATTERNS = ["uniform", "hotspot", "local", "transpose", "bit_reversal", "complement", "bit_flip", "shuffle",
            "tornado", "neighbour"]
UNIFORM = {("cmesh:4x4,4", "local")}  # the square of 4x4 routers is the whole network
LOADS = range(10, 100, 10)
WINDOW = ["--warmup", "2000", "--cycles", "6000", "--drain", "6000"]
QUICK_LOADS = range(10, 100, 20)
QUICK_WINDOW = ["--warmup", "1000", "--cycles", "3000", "--drain", "3000"]


def run(program, fidelity, name, pattern, rate, window):
    """Results and performance of one run; None where the pattern does not fit the network."""
    spec = name.split()[0]
    command = [program, "run", "--topology", spec, *TOPOLOGIES.get(name, []), "--traffic", pattern,
               "--rate", f"{rate:.6g}", "--fidelity", fidelity, *window, "--failure-wave", "none", "--quiet",
               "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2:
        return None
    report = json.loads(done.stdout)
    return report["results"] | {"cpu": report["performance"]["simulate_cpu_s"]}


def saturation(program, fidelity, name, pattern, window):
    """Flits per node and cycle accepted at the highest stable load, to about 3 %."""
    good, bad, accepted = 0.0, None, 0.0
    rate = 0.02
    for _ in range(11):
        results = run(program, fidelity, name, pattern, rate, window)
        if results is None:
            return None
        if results["stable"]:
            good, accepted = rate, results["accepted"]
        else:
            bad = rate
        if good >= 1:
            break
        if bad is None:
            rate = min(1.0, 2 * rate)
        elif good and bad / good < 1.035:
            break
        else:
            rate = (good + bad) / 2
    return accepted


def measure(task):
    program, name, pattern, quick = task
    window, loads = (QUICK_WINDOW, QUICK_LOADS) if quick else (WINDOW, LOADS)
    cell = {"topology": name, "pattern": pattern}
    cell["saturation"] = saturation(program, "cycle", name, pattern, window)
    if not cell["saturation"]:
        return None
    cell["transaction_saturation"] = saturation(program, "transaction", name, pattern, window)
    cell["latency"] = {}
    for load in loads:
        rate = cell["saturation"] * load / 100
        means = [run(program, f, name, pattern, rate, window)["latency"]["mean"] for f in ("cycle", "transaction")]
        if None not in means:
            cell["latency"][str(load)] = means
    return cell


def errors(cell):
    """Relative errors of the mean latency by load, in percent."""
    return {int(k): 100 * (b / a - 1) for k, (a, b) in cell["latency"].items()}


def worst_below_half(cell):
    return max((abs(e) for load, e in errors(cell).items() if load <= 50), default=0.0)


def saturation_error(cell):
    return 100 * (cell["transaction_saturation"] / cell["saturation"] - 1)


def table(cells):
    print("| topology | pattern | saturation: cycle | transaction | error "
          "| latency error at 10 % | 30 % | 50 % | 70 % | 90 % |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for c in cells:
        e = errors(c)
        shown = " | ".join(f"{e[k]:+.1f} %" if k in e else "-" for k in (10, 30, 50, 70, 90))
        print(f"| {c['topology']} | {c['pattern']} | {c['saturation']:.4f} | {c['transaction_saturation']:.4f} | "
              f"{saturation_error(c):+.1f} % | {shown} |")


def verdict(cells):
    worst = sorted(worst_below_half(c) for c in cells)
    close = sum(w <= 5 for w in worst)
    far = [c for c in cells if worst_below_half(c) > 15]
    off = [c for c in cells if abs(saturation_error(c)) > 15]
    print(f"\n{len(cells)} cells. Worst error of the mean latency at 10 .. 50 % of saturation: at most 5 % in {close} "
          f"({100 * close / len(cells):.0f} %), median {worst[len(worst) // 2]:.1f} %, largest {worst[-1]:.1f} %.")
    print(f"Saturation: largest error {max(abs(saturation_error(c)) for c in cells):.1f} %.")
    for c in far + off:
        print(f"MISSED: {c['topology']} {c['pattern']}: latency {worst_below_half(c):.1f} %, "
              f"saturation {saturation_error(c):+.1f} %")
    return 5 * close >= 4 * len(cells) and not far and not off


def speed(program):
    print("| network of 256 nodes | load | cycle level, CPU s | transaction level, CPU s | faster |")
    print("|---|---|---|---|---|")
    window = ["--warmup", "2000", "--cycles", "20000", "--drain", "1000"]
    for name in ("torus:16x16", "mesh:16x16", "hypercube:8", "ttn:2,2,0", "rdt:alpha,16"):
        for rate in (saturation(program, "cycle", name, "uniform", WINDOW) / 10, 0.1):
            times = [min(run(program, f, name, "uniform", rate, window)["cpu"] for _ in range(2))
                     for f in ("cycle", "transaction")]
            print(f"| {name} | {rate:.4f} | {times[0]:.3f} | {times[1]:.4f} | {times[0] / times[1]:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--out", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--topology", action="append", default=[])
    parser.add_argument("--traffic", action="append", default=[])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--speed", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        return speed(asked.program)
    cells = []
    if asked.out and os.path.exists(asked.out):
        with open(asked.out, encoding="utf-8") as file:
            cells = [json.loads(line) for line in file]
    known = {(c["topology"], c["pattern"]) for c in cells}
    names = asked.topology or TOPOLOGIES
    tasks = [(asked.program, n, p, asked.quick)
             for p in asked.traffic or PATTERNS for n in names if (n, p) not in known | UNIFORM]
    with multiprocessing.Pool(asked.jobs) as pool:
        for cell in pool.imap_unordered(measure, tasks):
            if not cell:
                continue
            cells.append(cell)
            if asked.out:
                with open(asked.out, "a", encoding="utf-8") as file:
                    file.write(json.dumps(cell) + "\n")
    cells = [c for c in cells if c["topology"] in names]
    cells.sort(key=lambda c: (list(names).index(c["topology"]), PATTERNS.index(c["pattern"])))
    table(cells)
    return 0 if verdict(cells) else 1


if __name__ == "__main__":
    sys.exit(main())
