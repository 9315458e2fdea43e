#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/altered_cache_tests.py [--program PROGRAM] [--times N] [--seed N]

What a command does when a file of its cache is not what was written there: cut off, empty, with one bit changed or the
bytes of another file, N times each (5 unless told), for proofs and for Verilated models. Each time the command prints
and returns what it did with an empty cache, and the file is as before afterwards.
Prints a line for each command; leaves with 1 when something else was found."""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = {
    "cyclic": ["run", "--topology", "ttn:2,2,0", "--vc-rule", "paper", "--vcs", "2", "--rate", "0.001",
               "--cycles", "200"],
    "proven": ["run", "--topology", "ttn:2,2,0", "--rate", "0.001", "--cycles", "200", "--quiet"],
    "rtl": ["run", "--topology", "mesh:3x3", "--rtl", "4", "--vcs", "2", "--rate", "0.1", "--cycles", "200", "--quiet"],
}


def altered(how, text, others, draws):
    if how == "cut off":
        return text[:draws.randrange(1, len(text))]
    if how == "empty":
        return b""
    if how == "of another":
        return draws.choice(others)
    place = draws.randrange(len(text))
    return text[:place] + bytes([text[place] ^ 1 << draws.randrange(8)]) + text[place + 1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/toriscope")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    program, draws, wrong = asked.program.resolve(), random.Random(asked.seed), 0
    for name, arguments in COMMANDS.items():
        found, trials = [], 0
        with tempfile.TemporaryDirectory() as directory:
            def run():
                done = subprocess.run([program, *arguments], cwd=directory, capture_output=True, text=True, timeout=120,
                                      env=os.environ | {"XDG_CACHE_HOME": directory + "/cache"})
                figures = [line for line in done.stdout.splitlines() if "packet_hash" in line or "latency" in line]
                return done.returncode, figures, done.stderr

            expected = run()
            cache = pathlib.Path(directory) / "cache"
            files = [path for path in cache.rglob("*") if path.is_file() and path.stat().st_size > 0]
            whole = {path: path.read_bytes() for path in files}
            others = [text for text in whole.values()] + [b"{}\n"]
            for path, text in whole.items():
                for how in ("cut off", "empty", "a bit", "of another"):
                    for _ in range(1 if how == "empty" else asked.times):
                        new = altered(how, text, others, draws)
                        if new == text:
                            continue
                        path.write_bytes(new)
                        if path.suffix == ".o":  # read when a model is built
                            for other in whole.keys() - {path}:
                                other.unlink(missing_ok=True)
                        trials += 1
                        if (seen := run()) != expected:
                            found.append(f"{path.name} {how}: {seen}")
                        elif path.read_bytes() == new:
                            found.append(f"{path.name} {how}: is left like that")
                        for each, its in whole.items():
                            each.write_bytes(its)
        wrong += bool(found) or trials == 0
        judged = "fine" if not found and trials else len(found)
        print(f"{name:8} {len(whole)} files, {trials} times: {judged}", flush=True)
        for line in found[:6]:
            print(f"  {line[:300]}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
