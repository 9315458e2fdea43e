#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/booksim_saturation.py --booksim FILE [--program FILE] [--network mesh|torus ...] [--traffic PATTERN ...]
                                [--packet FLITS ...] [--cycles N] [--seeds N] [--step LOAD] [--out FILE]

Up to which load do BookSim2 and toriscope run in a steady state? Same work as `compare_peers --cross-check`
(docs/booksim_cross_check.md), in the torus with BookSim2's VC rule (`wrapping`), 8x8, depth 8; bisection on a grid of
loads. --out keeps all runs as JSON lines.

BookSim2 has no such test, but prints what every source has sent (`stats_out`). A source is offered p flits per cycle; by
chance what arrives in T cycles differs from pT by a standard deviation of sqrt(L p T (1 - p/L)) for packets of L flits.
Not steady: some source has sent less than offered by more than chance explains (5 % for all sources together), or all
of them have by 3 standard deviations. toriscope: `results.stable`, which sees each queue and is the sharper test;
"deviations" among the runs of --out is the same figure for both, by toriscope's accepted flits."""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

SIDE = 8
NODES = SIDE * SIDE
PEER_PATTERN = {"bit_reversal": "bitrev", "complement": "bitcomp", "neighbour": "neighbor"}


def booksim_configuration(network, traffic, flits, load, cycles, seed):
    """Warm-up and measured cycles alike; nothing converges and no latency is too high, so it runs to the end."""
    values = {
        "topology": network, "routing_function": "dor" if network == "mesh" else "dim_order", "k": SIDE, "n": 2,
        "num_vcs": 4, "vc_buf_size": 8, "routing_delay": 1, "vc_alloc_delay": 1, "sw_alloc_delay": 1,
        "st_final_delay": 1, "credit_delay": 0, "speculative": 0, "vc_allocator": "separable_input_first",
        "sw_allocator": "separable_input_first", "use_noc_latency": 0, "traffic": PEER_PATTERN.get(traffic, traffic),
        "injection_process": "bernoulli", "injection_rate_uses_flits": 1, "injection_rate": f"{load:.9f}",
        "packet_size": flits, "seed": seed, "sim_type": "throughput", "warmup_periods": 1, "sample_period": cycles,
        "max_samples": 2, "acc_stopping_thres": "1e-12", "latency_thres": "1e12", "stats_out": "-"}
    return "".join(f"{key} = {value};\n" for key, value in values.items())


def sent_by_source(text):
    """Flits per cycle of each source in the measured cycles."""
    rows = re.findall(r"sent_flits\(1,:\) = \[([^\]]*)\]", text)
    if not rows:
        sys.exit("BookSim2: its output has no line with 'sent_flits(1,:)'; is it the right program?")
    return [float(value) for value in rows[-1].split()]


def run_booksim(program, network, traffic, flits, load, cycles, seed):
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(booksim_configuration(network, traffic, flits, load, cycles, seed))
        file.flush()
        text = subprocess.run([program, file.name], capture_output=True, text=True).stdout
    sent = sent_by_source(text)
    latency = float(re.findall(r"Packet latency average = ([-\d.e+]+)", text)[-1])
    return {"latency": latency, "accepted": statistics.fmean(sent)} | judge(sent, load, flits, cycles)


def judge(sent, load, flits, cycles):
    """The test of the header."""
    chance = math.sqrt(flits * load * (1 - load / flits) / cycles)  # flits per cycle, of one source
    short = [load - value for value in sent]
    whole = sum(short) / len(short) / (chance / math.sqrt(len(short)))
    each = statistics.NormalDist().inv_cdf(1 - 0.05 / len(short))
    behind = sum(value / chance > each for value in short)
    return {"behind": behind, "deviations": whole, "stable": behind == 0 and whole < 3}


def run_toriscope(program, network, traffic, flits, load, cycles, seed):
    command = [program, "run", "--quiet", "--json", "-", "--topology", f"{network}:{SIDE}x{SIDE}", "--routing", "xy",
               "--limited-reception", "--link-delay", "2", "--injection-delay", "2", "--ejection-delay", "2", "--self",
               "--vcs", "4", "--depth", "8", "--pipeline", "four_stage", "--traffic", traffic, "--packet", str(flits),
               "--rate", f"{load:.9f}", "--warmup", str(cycles), "--cycles", str(cycles), "--drain", str(cycles),
               "--seed", str(seed), *(["--vc-rule", "wrapping"] if network == "torus" else [])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    found = json.loads(done.stdout)["results"]
    whole = (load - found["accepted"]) / math.sqrt(flits * load * (1 - load / flits) / cycles / NODES)
    return {"latency": found["latency"]["mean"], "accepted": found["accepted"], "deviations": whole,
            "stable": found["stable"]}


def steady_up_to(run, seeds, step, guess, record):
    """(the largest load of the grid found steady with all seeds, the next one)."""
    def steady(index):
        return all(record(index * step, seed, run(index * step, seed)) for seed in range(1, seeds + 1))
    good, bad = 0, round(1 / step) + 1
    index = max(1, round(guess / step))
    away = 1
    while bad - good > 1 and 0 < index < bad:
        if steady(index):
            good, index = index, index + away
            if bad <= round(1 / step):
                break
        else:
            bad, index = index, index - away
            if good > 0:
                break
        away *= 2
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if steady(middle) else (good, middle)
    return good * step, bad * step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--booksim", required=True)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--network", nargs="+", default=["mesh", "torus"], choices=["mesh", "torus"])
    parser.add_argument("--traffic", nargs="+", default=["uniform", "transpose"])
    parser.add_argument("--packet", nargs="+", type=int, default=[16, 4])
    parser.add_argument("--cycles", type=int, default=10000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--step", type=float, default=0.01)
    parser.add_argument("--out", default=os.devnull)
    asked = parser.parse_args()
    print("| network | pattern | packets of | BookSim2 | toriscope | gap |\n|---|---|---|---|---|---|", flush=True)
    with open(asked.out, "a", encoding="utf-8") as out:
        for network in asked.network:
            for traffic in asked.traffic:
                for flits in asked.packet:
                    cell = (network, traffic, flits)
                    found = []
                    guess = 0.3
                    for name, program, run in (("toriscope", asked.program, run_toriscope),
                                               ("BookSim2", asked.booksim, run_booksim)):
                        def record(load, seed, result, name=name):
                            json.dump({"simulator": name, "network": network, "traffic": traffic, "packet": flits,
                                       "load": load, "seed": seed} | result, out)
                            out.write("\n")
                            out.flush()
                            return result["stable"]
                        found.insert(0, steady_up_to(
                            lambda load, seed, r=run, p=program: r(p, *cell, load, asked.cycles, seed),
                            asked.seeds, asked.step, guess, record))
                        guess = found[0][0] or asked.step
                    theirs, ours = found
                    gap = max(0, max(theirs[0], ours[0]) - min(theirs[1], ours[1])) / asked.step
                    print(f"| {network} 8x8 | {traffic} | {flits} | {theirs[0]:.3g}-{theirs[1]:.3g} | "
                          f"{ours[0]:.3g}-{ours[1]:.3g} | {round(gap)} steps |", flush=True)


if __name__ == "__main__":
    main()
