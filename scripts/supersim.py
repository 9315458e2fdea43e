#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/supersim.py SUPERSIM [--program FILE] [--network mesh|torus ...] [--loads .05,.1 ...] [--seeds N] [--depth N]
[--vcs N]

toriscope beside SuperSim (McDonald et al., ISPASS 2018), curve by curve: docs/supersim_cross_check.md. SUPERSIM is the
reader's own build of github.com/ssnetsim/supersim. 8x8 routers, packets of 16 flits, uniform traffic, dimension
order, constant arrivals. Prints the zero-load latency by distance, least that was seen of each, and mean latencies by
load; leaves with 1 when a zero-load latency differs."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

SIDE, FLITS = 8, 16
# What SuperSim's router does (docs/supersim_cross_check.md): a cycle each for route, VC, switch, crossbar and output
# queue, and a channel of one cycle. Three flits of a VC stand in registers behind its buffer.
TIMING = ["--stages", "rc=1,va=1,sa=1,st=3", "--link-delay", "1", "--injection-delay", "3", "--ejection-delay", "2"]
REGISTERS = 3
ROUTING = {"mesh": ["--routing", "xy"], "torus": ["--routing", "xy", "--vc-rule", "dateline"]}


def settings(network, load, transactions, seed, depth, vcs, log):
    """SuperSim's settings; keys are those of its config directory."""
    lru = {"type": "lru"}
    separable = {"type": "r_separable", "slip_latch": True, "resource_arbiter": lru}
    scheduler = {"allocator": separable, "full_packet": False, "packet_lock": False, "idle_unlock": False}
    blast = {
        "request_protocol_class": 0, "request_injection_rate": load,
        "enable_responses": False, "warmup_interval": 160, "warmup_window": 10, "warmup_attempts": 40,
        "num_transactions": transactions, "max_packet_size": FLITS, "transaction_size": 1,
        "traffic_pattern": {"type": "uniform_random", "send_to_self": True},
        "message_size_distribution": {"type": "single", "message_size": FLITS}}
    clocks = {f"{c}_cycle_time": 1 for c in ("channel", "router", "interface", "terminal")}
    return {
        "simulator": clocks | {"print_progress": False, "print_interval": 1.0, "random_seed": seed,
                               "info_log": {"file": None}},
        "network": {
            "topology": network, "dimension_widths": [SIDE, SIDE], "dimension_weights": [1, 1], "concentration": 1,
            "interface_ports": 1,
            "protocol_classes": [{
                "num_vcs": vcs,
                "routing": {"algorithm": "dimension_order", "latency": 1, "mode": "vc",
                            "reduction": {"algorithm": "all_minimal", "max_outputs": 0, "congestion_bias": 0.0,
                                          "independent_bias": 0.0, "non_minimal_weight_func": "regular"}},
                "injection": {"algorithm": "common", "adaptive": False, "fixed_msg_vc": True}}],
            "internal_channel": {"latency": 1}, "external_channel": {"latency": 1},
            "channel_log": {"file": None}, "traffic_log": {"file": None},
            "router": {
                "architecture": "input_queued",
                "congestion_sensor": {"algorithm": "buffer_occupancy", "latency": 1, "granularity": 0, "minimum": 0.0,
                                      "offset": 0.0, "mode": "absolute_vc"},
                "congestion_mode": "downstream", "input_queue_mode": "fixed", "input_queue_depth": depth,
                "vca_swa_wait": False, "store_and_forward": False, "output_queue_depth": 4, "crossbar": {"latency": 1},
                "vc_scheduler": {"allocator": {"type": "rc_separable", "slip_latch": True, "iterations": 1,
                                               "resource_arbiter": lru, "client_arbiter": lru}},
                "crossbar_scheduler": scheduler},
            "interface": {"type": "standard",
                          "crossbar_scheduler": scheduler | {"packet_lock": True, "idle_unlock": True},
                          "init_credits_mode": "fixed", "init_credits": depth, "crossbar": {"latency": 1}}},
        "metadata_handler": {"type": "zero"},
        "workload": {"message_log": {"file": log},
                     "applications": [{"type": "blast", "warmup_threshold": 0.99, "kill_on_saturation": False,
                                       "log_during_saturation": False, "blast_terminal": blast,
                                       "rate_log": {"file": None}}]},
        "debug": []}


def supersim(binary, network, load, transactions, seed, depth, vcs):
    """Latency and distance (routers passed) of every message logged; none when SuperSim says that it is saturated."""
    with tempfile.TemporaryDirectory() as scratch:
        config, log = os.path.join(scratch, "s.json"), os.path.join(scratch, "m.mpf")
        with open(config, "w") as out:
            json.dump(settings(network, load, transactions, seed, depth, vcs, log), out)
        done = subprocess.run([binary, config], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"scripts/supersim.py: SuperSim failed: {(done.stderr or done.stdout)[-500:]}")
        started, distance, seen, transaction = {}, {}, [], None
        with open(log) as lines:
            for line in lines:
                field = line.strip().split(",")
                if field[0] == "+T":
                    started[field[1]] = int(field[2])
                elif field[0] == "+M":
                    transaction = field[4]
                    distance[transaction] = int(field[6])
                elif field[0] == "-T":
                    seen.append((int(field[2]) - started[field[1]], distance[field[1]]))
        return seen


def toriscope(program, network, load, seed, depth, vcs, more):
    command = [program, "run", "--topology", f"{network}:{SIDE}x{SIDE}", *ROUTING[network], *TIMING, "--vcs", str(vcs),
               "--depth", str(depth + REGISTERS), "--packet", str(FLITS), "--include-self", "--arrivals", "constant",
               "--rate", str(load), "--seed", str(seed), "--failure-wave", "none", "--quiet", "--json", "-", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"scripts/supersim.py: {done.stderr}")
    return json.loads(done.stdout)["results"]


def lone_latency(program, network, depth, vcs, hops):
    """Of one packet over `hops` links of the first row and column."""
    half = SIDE - 1 if network == "mesh" else SIDE // 2
    to = min(hops, half) + SIDE * max(0, hops - half)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as trace:
        trace.write(f"0 0 {to} {FLITS}\n")
        trace.flush()
        return toriscope(program, network, 0, 1, depth, vcs, ["--traffic-file", trace.name])["latency"]["mean"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("supersim")
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--network", nargs="*", default=["mesh", "torus"], choices=["mesh", "torus"])
    parser.add_argument("--loads", default="0.1,0.2,0.3,0.35,0.4,0.45")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--vcs", type=int, default=4)
    args = parser.parse_args()
    wrong = 0
    for network in args.network:
        least = {}
        for latency, distance in supersim(args.supersim, network, 0.01, 400, 1, args.depth, args.vcs):
            least[distance] = min(latency, least.get(distance, latency))
        for distance in sorted(least):
            ours = lone_latency(args.program, network, args.depth, args.vcs, distance - min(least))
            wrong += ours != least[distance]
            print(f"{network} zero-load, {distance - min(least)} links: SuperSim {least[distance]}, toriscope {ours:g}")
        for load in map(float, args.loads.split(",")):
            theirs, ours = [], []
            for seed in range(1, args.seeds + 1):
                seen = supersim(args.supersim, network, load, 300, seed, args.depth, args.vcs)
                theirs.append(sum(latency for latency, _ in seen) / len(seen) if seen else 0)
                run = toriscope(args.program, network, load, seed, args.depth, args.vcs,
                                ["--warmup", "5000", "--cycles", "15000"])
                ours.append(run["latency"]["mean"] or float("nan"))
            if not all(theirs):
                print(f"| {network} | {load:g} | saturated | {sum(ours) / len(ours):.1f} | |", flush=True)
                continue
            a, b = sum(theirs) / len(theirs), sum(ours) / len(ours)
            print(f"| {network} | {load:g} | {a:.1f} | {b:.1f} | {100 * (b - a) / a:+.1f} % |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
