#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/ranking.py DIR: the tables of docs/ranking.md, from what `toriscope sweep --plan docs/plans/ranking.json
--out DIR` left in DIR."""
import json
import os
import sys

PATTERNS = ["uniform", "bit_reversal", "complement"]
# As many wires across the bisection for all, 3 per node: the directed links across are 3 N / width.
EQUAL_WIDTH = {"mesh:16x16": 24, "torus:16x16": 12, "ttn:2,2,0": 96, "tesh:2,2,0": 96, "htn:4,2,2,1": 12,
               "mh3dt:4,2,2,1": 48, "rdt:alpha,16": 4}
NODES = {"mh3dt:4,2,2,1": 512}
WORLDS = ["the papers' router", "a modern router", "a modern router, equal bisection width",
          "a modern router, wire delay"]


def world_of(config):
    if config["router"]["pipeline"] == "paper2009":
        return WORLDS[0]
    t = config["topology"]
    narrow, slow = bool(t["link_width_bits"]), [str(d) for d in t["link_delay_cycles"]] != ["1"]
    return WORLDS[1 + narrow + 2 * slow]


def shown(load):
    return "-" if load is None else f"{load:.3f}".lstrip("0") if load >= .0995 else f"{load:.4f}".lstrip("0")


def per_wire(spec, world, load):
    """Bits that all nodes accept per cycle, over the wires across the bisection."""
    nodes, flit = NODES.get(spec, 256), 96
    links = 3 * nodes / EQUAL_WIDTH[spec]
    return load * nodes * flit / (links * (EQUAL_WIDTH[spec] if world == WORLDS[2] else flit))


def main(directory):
    with open(os.path.join(directory, "sweep.json"), encoding="utf-8") as file:
        curves = json.load(file)["curves"]
    found = {}
    for c in curves:
        key = world_of(c["config"]), c["config"]["topology"]["spec"]
        found.setdefault(key, {})[c["config"]["traffic"]["pattern"]] = c["summary"]
    for world in WORLDS:
        print(f"\n### {world[0].upper()}{world[1:]}")
        print("| network | " + " | ".join(f"zero load, {p}" for p in PATTERNS) + " | "
              + " | ".join(f"saturation, {p}" for p in PATTERNS)
              + " | bits/cycle per bisection wire, uniform |")
        print("|---|" + "---|" * (2 * len(PATTERNS) + 1))
        rows = [(spec, found.get((world, spec), {})) for spec in EQUAL_WIDTH]
        rows.sort(key=lambda row: -(row[1].get("uniform", {}).get("saturation_throughput") or 0))
        for spec, summary in rows:
            get = lambda p, figure: summary.get(p, {}).get(figure)  # noqa: E731
            zero = [get(p, "zero_load_latency") for p in PATTERNS]
            load = [get(p, "saturation_throughput") for p in PATTERNS]
            print(f"| {spec} | " + " | ".join("-" if z is None else f"{z:.0f}" for z in zero) + " | "
                  + " | ".join(map(shown, load))
                  + f" | {'-' if load[0] is None else f'{per_wire(spec, world, load[0]):.2f}'} |")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(sys.argv[1])
