#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/full_disk_tests.py [--program PROGRAM] [--only NAME ...]

What the commands of kill_tests.py do when the disk is full: each runs in file systems that hold from nothing to most
of its output, and with standard output on /dev/full. Each time
* it leaves with status 2 and one line that names the cause;
* no file that it was to write is there half, and no other file is there.
Prints a line for each command; leaves with 1 when something else was found. Needs root: it mounts file systems."""
import argparse
import pathlib
import shutil
import subprocess
import sys

from kill_tests import COLD, COMMANDS, ENDS_WITH, ROOT, files_in, trial, trials

SHARES = (0, 0.05, 0.3, 0.6, 0.9)  # of the output, that there is space for
CAUSES = ("No space left on device", "disk is full", "disk full")


class full_disk_trial(trial):
    def check(self, status, errors, what):
        lines = errors.splitlines()
        if self.name.startswith("sweep"):  # says what it does before
            lines = lines[-1:]
        if status != 2:
            self.found.append(f"{what}: status {status}: {lines[-1:]}")
        elif len(lines) != 1 or not any(cause in lines[0] for cause in CAUSES):
            self.found.append(f"{what}: says {lines[:3]}")
        self.look_at_files(what)

    def fill(self, share, size):
        """Runs in a file system with that much space."""
        self.work.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size + 65536}", "tmpfs", self.work], check=True)
        try:
            ballast = self.work / "ballast"
            try:
                with open(ballast, "wb", buffering=0) as file:
                    while file.write(bytes(4096)):
                        pass
            except OSError:
                pass
            free = int(share * size) // 4096 * 4096
            with open(ballast, "rb+") as file:
                file.truncate(ballast.stat().st_size - free)
            if self.name in COLD:
                shutil.rmtree(self.top / "cache", ignore_errors=True)
            status, errors, _ = self.to_its_end(self.work)
            self.check(status, errors, f"space for {share:.0%}")
        finally:
            subprocess.run(["umount", "-l", self.work], check=True)
            self.work.rmdir()

    def print_to_full_disk(self):
        command = {"args": [self.program, *COMMANDS[self.name]], "cwd": self.whole, "text": True}
        printed = subprocess.run(**command, capture_output=True).stdout
        with open("/dev/full", "w") as full:
            done = subprocess.run(**command, stdout=full, stderr=subprocess.PIPE)
        if printed and (done.returncode != 2 or not any(cause in done.stderr for cause in CAUSES)):
            self.found.append(f">/dev/full: status {done.returncode}, {done.stderr.strip()[-150:]}")

    def run(self):
        status, errors, seconds = self.to_its_end(self.whole)
        if status != ENDS_WITH.get(self.name, 0):
            self.found.append(f"fails, status {status}: {errors}")
            return
        size = sum((path.stat().st_size + 4095) // 4096 * 4096 for path in files_in(self.whole).values())
        for share in SHARES if size else ():
            self.fill(share, size)
        self.print_to_full_disk()
        print(f"{self.name:12} {seconds:5.1f} s, {size} bytes: {'fine' if not self.found else len(self.found)}",
              flush=True)
        for line in self.found[:8]:
            print(f"  {line}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/toriscope")
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    asked = parser.parse_args()
    wrong = 0
    for one in trials(full_disk_trial, asked.program.resolve(), asked.only):
        one.run()
        wrong += bool(one.found)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
