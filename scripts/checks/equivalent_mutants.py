#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""equivalent_mutants.py ROOT: does each line of scripts/equivalent_mutants.txt still fit its source? Reads text alone;
scripts/drawn_mutants.py, which needs libclang, reads the syntax. Names each line that fits nothing or stands twice;
leaves with 1."""
import functools
import pathlib
import re
import sys


@functools.cache
def source(path):
    return " ".join(path.read_text().split()) if path.exists() else ""


def fits(text, what):
    """Whether a mutant's description is of this text: it shows a dropped statement, and an expression whose operator
    becomes another, as they are, as often as it says; a line with another constant as it becomes."""
    kind, _, shown = re.sub(r" \(\d+ of \d+\)$", "", what).partition(": ")
    number = re.search(r" \(\d+ of (\d+)\)$", what)
    change = re.fullmatch(r"(\S+) becomes (\S+)", kind)
    if change and re.fullmatch(r"(1'b|')?\d+", change[1]):
        return any(shown[:found.start()] + change[1] + shown[found.end():] in text
                   for found in re.finditer(re.escape(change[2]), shown))
    # In SystemVerilog the expression, too, is shown as it becomes.
    for there in {shown} | ({re.sub(f" {re.escape(change[2])} ", f" {change[1]} ", shown, 1)} if change else set()):
        alone = r"(?<![\w.])" + re.escape(there) + r"(?!\w)"
        times = {len(re.findall(alone + rest, text)) for rest in ("", r"(?! [+\-*/%])")}  # in longer ones, or not
        if int(number[1] if number else 1) in times:
            return True
    return False


def main():
    root = pathlib.Path(sys.argv[1])
    wrong, met = 0, set()
    for number, line in enumerate((root / "scripts/equivalent_mutants.txt").read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            file, what, why = (line.split("\t") + ["", ""])[:3]
            if not why or (file, what) in met or not fits(source(root / file), what):
                print(f"scripts/equivalent_mutants.txt:{number}: fits no text of {file}, or stands twice, or has no "
                      f"reason: {what}")
                wrong += 1
            met.add((file, what))
    sys.exit(wrong > 0)


main()
