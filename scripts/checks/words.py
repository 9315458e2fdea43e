#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/words.py [ROOT]: the pages are written in plain words. Rejects phrases that read as translated: whole
words, also across a line break, in Markdown outside code.

Prints one line per phrase, "file:line: 'phrase': write ... instead", and leaves with 1 when there is one."""
import glob
import os
import re
import sys

LAYERS = ("base", "links", "router", "network", "topologies", "traces", "rtl_models", "testbenches")
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md",
         "docs/tutorials/*.md", *(f"{layer}/**/README.md" for layer in LAYERS))
LEFT_OUT = {"docs/papers_table.md"}  # written by the program
# A phrase as a regular expression (a space stands for any white space), and what to write instead.
PHRASES = {
    "(is|are) wanted": "is expected",
    r"(?<!there\s)is no (?!longer|\w+er than|more|less)\w+": "is not a ...",
    "(is|are) refused": "is rejected",
    "told in (a|one) line": "reported with a one-line message",
    "nothing is said of( it)?": "... is not given",
    "(hand|hands|handed) out": "assigns",
    "somebody|nobody|whoever|theirs": "the signal, module or packet",
    "so many": "N",
    "to be had": "available, supported",
    "(come|comes|came) out": "is reproduced, leaves",
    "mend|mends|mended": "fix",
    "(live|lives) here": "is in this directory",
    "rooms|house|houses": "directories, layers",
    "(lean|leans) on": "depends on",
    "people who": "users who",
    "by itself": "automatically, alone",
}
KEPT = {("docs/model.md", "is no option")}  # a sentence of the contract that sources quote
CODE = re.compile(r"^ *```.*?^ *```$|(?<=\n\n)(?: {4}[^\n]*\n)+|`[^`]*`", re.MULTILINE | re.DOTALL)


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
    pages = {page for pattern in PAGES for page in glob.glob(pattern, recursive=True)} - LEFT_OUT
    violations = []
    for page in sorted(pages):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        text = CODE.sub(lambda code: re.sub(r"[^\n]", "|", code[0]), text)  # as long as before: lines are counted
        for phrase, instead in PHRASES.items():
            for found in re.finditer(r"\b(?:" + phrase.replace(" ", r"\s+") + r")\b", text, re.IGNORECASE):
                words = " ".join(found[0].split())
                if (page, words) not in KEPT:
                    line = text.count("\n", 0, found.start()) + 1
                    violations.append((page, line, f"'{words}': write {instead} instead"))
    for page, line, what in sorted(violations):
        print(f"{page}:{line}: {what}")
    if violations:
        sys.exit(f"words.py: {len(violations)} violations")
    print(f"words.py: {len(pages)} pages, no violation")


if __name__ == "__main__":
    main()
