#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/window_pairs.py [--program FILE] [--out DIR] [--jobs N]

Are default windows long enough for saturation throughputs? Sweeps 12 networks and patterns with default windows, with
default windows but without confirmation, and with windows 16 times as long. Prints the saturation throughputs of the
first and the last, how far they are apart, and what confirmation costs in simulated cycles (docs/sweeps.md). Sweeps
that are in DIR (build/window_pairs) are not run again. Leaves with 1 when two are more than 3 % apart, or when
confirmation costs more than half as many cycles again. Some ten hours of CPU time."""
import argparse
import json
import pathlib
import subprocess
import sys

PAIRS = [("torus:8x8", "uniform"), ("torus:8x8", "transpose"), ("torus:8x8", "hotspot"), ("torus:8x8", "complement"),
         ("mesh:8x8", "uniform"), ("mesh:8x8", "transpose"), ("mesh:8x8", "complement"),
         ("hypercube:6", "uniform"), ("hypercube:6", "complement"), ("ttn:2,2,0", "uniform"),
         ("tesh:2,2,0", "bit_reversal"), ("ccc:4", "uniform")]
KINDS = {"default": [], "unconfirmed": ["--confirm", "1"],
         "long": ["--confirm", "1", "--warmup", "2000", "--cycles", "160000", "--drain", "160000"]}


def swept(program, jobs, directory, network, pattern, options):
    """Saturation throughput and simulated cycles."""
    if not (directory / "sweep.json").exists():
        directory.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([program, "sweep", "--quiet", "--jobs", jobs, "--topology", network, "--traffic", pattern,
                        *options, "--out", directory], check=True)
    summary = json.loads((directory / "sweep.json").read_text())["curves"][0]["summary"]
    cycles = sum(json.loads(point.read_text())["results"]["cycles"] for point in (directory / "points").glob("*.json"))
    return summary["saturation_throughput"], cycles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/toriscope")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/window_pairs"))
    parser.add_argument("--jobs", default="2")
    asked = parser.parse_args()
    worst, cycles = 0, dict.fromkeys(KINDS, 0)
    print("| network | traffic | default windows | 16 times as long | apart |\n|---|---|---|---|---|")
    for network, pattern in PAIRS:
        found = {}
        for kind, options in KINDS.items():
            directory = asked.out / kind / f"{network}-{pattern}".replace(":", "_").replace(",", "_")
            found[kind], used = swept(asked.program, asked.jobs, directory, network, pattern, options)
            cycles[kind] += used
        apart = abs(found["default"] / found["long"] - 1)
        worst = max(worst, apart)
        print(f"| {network} | {pattern} | {found['default']} | {found['long']} | {100 * apart:.1f} % |")
    cost = cycles["default"] / cycles["unconfirmed"]
    print(f"\nConfirmation costs {cost:.2f} times the cycles.")
    sys.exit(worst > 0.03 or cost > 1.5)


if __name__ == "__main__":
    main()
