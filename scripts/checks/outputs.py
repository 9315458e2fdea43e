#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/outputs.py [--write] ROOT PROGRAM: in the pages, code blocks that follow a line
    <!-- the output of toriscope ARGUMENTS -->
are what the program prints; a line "..." stands for any lines. The exit status is 0, or N where the line ends in
"(status N)". --write renews the blocks without "..." instead of complaining."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- the output of toriscope (.*?)(?: \(status (\d)\))? -->\n```\w*\n)(.*?)(```\n)", re.S)


def is_output(block, printed):
    """Whether the lines of the block stand in what was printed, in order and without gaps but for "..."."""
    gap, rest = False, printed
    for part in re.split(r"^(\.\.\.)\n", block, flags=re.M):
        if part == "...":
            gap = True
        elif part:
            found = ("\n" + rest).find("\n" + part)
            if found < 0 or (found > 0 and not gap):
                return False
            rest, gap = rest[found + len(part):], False
    return gap or not rest


def main():
    write = "--write" in sys.argv
    root, program = (pathlib.Path(a).resolve() for a in sys.argv[1:] if a != "--write")
    violations, calls = [], 0
    for page in sorted(p for p in root.rglob("*.md") if "build" not in p.relative_to(root).parts):
        old = new = page.read_text()
        for block in BLOCK.finditer(old):
            calls += 1
            with tempfile.TemporaryDirectory() as work:
                done = subprocess.run([program, *shlex.split(block[2])], capture_output=True, text=True, cwd=work)
            if done.returncode != int(block[3] or 0):
                violations.append(f"{page.relative_to(root)}: status {done.returncode}: toriscope {block[2]}\n"
                                  f"{done.stderr}")
            elif write and not re.search(r"^\.\.\.$", block[4], re.M):
                new = new.replace(block[0], block[1] + done.stdout + block[5])
            elif not is_output(block[4], done.stdout):
                violations.append(f"{page.relative_to(root)}: not the output of toriscope {block[2]}; "
                                "scripts/checks/outputs.py --write renews what has no ...")
        if new != old:
            page.write_text(new)
    for violation in violations:
        print(violation)
    if violations or not calls:
        sys.exit(1)
    print(f"outputs.py: {calls} outputs, as the program prints them")


main()
