#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/repeatability.py [--builds NAME ...] [--directory DIR] [--program NAME=FILE ...]

Whether the same run gives the same hashes whatever it is built with and however it is run: builds the program with g++
and clang at -O0 to -O3, and runs some networks with each, as it is, with a waveform, with observed links, in another
locale and environment, and on 2, 3 and 4 ranks, all with the SystemC that is installed. Prints a matrix, builds by
runs: the packet and wire hash where all cells of a column are equal, else each of them; leaves with 1 when a column has
two.

--builds NAME ...         of g++-O0 g++-O1 g++-O2 g++-O3 clang++-O0 .. clang++-O3 (all unless told)
--program NAME=FILE ...   programs that are there already, beside them or (with --builds and no name) alone
--directory DIR           where it builds (build/repeatability)"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILDS = [f"{compiler}-O{level}" for compiler in ("g++", "clang++") for level in range(4)]
WINDOW = ["--warmup", "200", "--cycles", "800", "--wire-hash", "--link-delay", "3"]
NETWORKS = {
    "ttn": ["--topology", "ttn:2,2,0", "--rate", "0.015"],
    "torus": ["--topology", "torus:8x8", "--rate", "0.3", "--arbiter", "matrix"],
    "htn": ["--topology", "htn:4,4,2,1", "--rate", "0.02", "--arrivals", "on_off"],
    "adaptive": ["--topology", "mesh:8x8", "--routing", "adaptive", "--traffic", "transpose", "--rate", "0.1"],
    "narrow": ["--topology", "torus:4x4", "--rate", "0.2", "--link-width", "32"],
}
RUNS = {  # what is added, the environment, ranks
    "plain": ([], {}, 1),
    "wave": (["--wave", "*@300:500", "--wave-file", "w.vcd"], {}, 1),
    "observed": (["--observe-links", "--observe"], {}, 1),
    "locale": ([], {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "MALLOC_PERTURB_": "165"}, 1),
    "2 ranks": ([], {}, 2),
    "3 ranks": ([], {}, 3),
    "4 ranks": ([], {}, 4),
}
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def built(name, directory):
    compiler, level = name.split("-O")
    tree = directory / name
    log = directory / f"{name}.log"
    directory.mkdir(parents=True, exist_ok=True)
    with open(log, "w") as text:
        for command in (["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DTORISCOPE_BUILD_TESTS=OFF",
                         "-DTORISCOPE_BATCHES=ON", "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_COMPILER={compiler}",
                         f"-DCMAKE_CXX_FLAGS=-O{level}"],
                        ["cmake", "--build", tree]):
            if subprocess.run(command, stdout=text, stderr=subprocess.STDOUT).returncode != 0:
                sys.exit(f"repeatability.py: {name} cannot be built: see {log}")
    return tree / "toriscope"


def hashes(program, network, run):
    more, environment, ranks = RUNS[run]
    start = ["mpirun", "--oversubscribe", "--quiet", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl", "self,vader",
             "-n", str(ranks)] if ranks > 1 else []
    with tempfile.TemporaryDirectory() as directory:
        command = [*start, program, "run", *NETWORKS[network], *WINDOW, *more, "--quiet", "--json", "r.json"]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True,
                              env=os.environ | MPI | {"OMPI_MCA_orte_tmpdir_base": directory} | environment)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["?"])[-1][:80]
        results = json.loads((pathlib.Path(directory) / "r.json").read_text())["results"]
        return f"{results['packet_hash']} {results['wire_hash']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--builds", nargs="*", choices=BUILDS, default=BUILDS)
    parser.add_argument("--program", nargs="+", default=[])
    parser.add_argument("--directory", type=pathlib.Path, default=ROOT / "build/repeatability")
    asked = parser.parse_args()
    programs = {name: pathlib.Path(file).resolve() for name, file in (p.split("=", 1) for p in asked.program)}
    for name in asked.builds:
        print(f"builds {name}", file=sys.stderr, flush=True)
        programs[name] = built(name, asked.directory)
    differing = 0
    print("| network | " + " | ".join(programs) + " | packet and wire hash |\n|" + "---|" * (len(programs) + 2))
    for network in NETWORKS:
        seen = {name: {run: hashes(program, network, run) for run in RUNS} for name, program in programs.items()}
        values = {value for runs in seen.values() for value in runs.values()}
        if len(values) == 1:
            print(f"| {network} | " + " | ".join("equal" for _ in programs) + f" | {values.pop()} |", flush=True)
            continue
        differing += 1
        for run in RUNS:
            print(f"| {network}, {run} | " + " | ".join(seen[name][run] for name in programs) + " | |", flush=True)
    print(f"{len(NETWORKS)} networks, {len(RUNS)} ways to run ({', '.join(RUNS)}), {len(programs)} programs: "
          + ("one hash each" if not differing else f"{differing} networks with several"))
    systemc = subprocess.run(["pkg-config", "--modversion", "systemc"], capture_output=True, text=True).stdout.strip()
    others = [version for version in ("2.3.4", "3.0.x") if not systemc.startswith(version[:2])]
    print(f"SystemC {systemc or 'of unknown version'}; not tried: {', '.join(others)}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
