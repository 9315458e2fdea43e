#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/outputs.py [--write] ROOT PROGRAM: in the pages, code blocks that follow a line
    <!-- the output of toriscope ARGUMENTS -->
are what the program prints. --write renews them instead of complaining."""
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"(<!-- the output of toriscope (.*?) -->\n```\w*\n)(.*?)(```\n)", re.S)


def main():
    write = "--write" in sys.argv
    root, program = (pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--write")
    calls, stale = 0, 0

    def renewed(block):
        nonlocal calls
        calls += 1
        done = subprocess.run([program, *shlex.split(block[2])], capture_output=True, text=True, check=True)
        return block[1] + done.stdout + block[4]

    for page in sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts):
        old = page.read_text()
        new = BLOCK.sub(renewed, old)
        if new == old:
            continue
        if write:
            page.write_text(new)
        else:
            stale += 1
            print(f"{page.relative_to(root)}: an output differs from the program's; scripts/checks/outputs.py --write renews it")
    if not calls or stale:
        sys.exit(1)
    print(f"outputs.py: {calls} outputs, as the program prints them")


main()
