#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/words.py [ROOT]: pages and comments are written in plain words. Rejects phrases that read as
translated: whole words, also across a line break, in Markdown outside code, in // comments of C++ and
SystemVerilog, in string literals of C++ but for tests, in # comments of scripts and CMake files and in docstrings.
Words between backticks are code.

Prints one line per phrase, "file:line: 'phrase': write ... instead", and leaves with 1 when there is one."""
import glob
import os
import re
import sys

LAYERS = ("base", "links", "router", "network", "topologies", "traces", "rtl_models", "testbenches")
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md",
         "docs/tutorials/*.md", *(f"{layer}/**/README.md" for layer in LAYERS))
C_SOURCES = tuple(f"{directory}/**/*.{ending}" for directory in (*LAYERS, "docs", "include")
                  for ending in ("h", "cpp", "sv"))
SCRIPTS = ("scripts/**/*.py", "scripts/**/*.sh", "CMakeLists.txt",
           *(f"{directory}/**/{name}" for directory in (*LAYERS, "cmake", "docs", "scripts")
             for name in ("*.cmake", "CMakeLists.txt")))
LEFT_OUT = {"docs/papers_table.md",  # written by the program
            "scripts/checks/words.py"}  # lists the phrases
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
# A sentence of the contract that sources quote.
KEPT = {("docs/model.md", "is no option"), ("testbenches/reference/reference_router.cpp", "is no option")}
CODE = re.compile(r"^ *```.*?^ *```$|(?<=\n\n)(?: {4}[^\n]*\n)+|`[^`]*`", re.MULTILINE | re.DOTALL)
# String literals, in which no comment begins, and comments: the words of one are in the only named group.
LITERAL = r'"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])*\'|'
C_COMMENT = re.compile(r'R"(\w*)\([\s\S]*?\)\1"|' + LITERAL + r"//[/!<]*(?P<comment>[^\n]*)")
C_TEXT = re.compile(r'//[^\n]*|#include[^\n]*|R"(\w*)\((?P<raw>[\s\S]*?)\)\1"|"(?P<literal>(?:\\.|[^"\\\n])*)"|'
                    r"(?<!\w)'(?:\\.|[^'\\\n])*'")
SCRIPT_COMMENT = re.compile(r'(?<=\n) *"""(?P<docstring>[\s\S]*?)"""|"""[\s\S]*?"""|' + LITERAL +
                            r"(?<!\S)#+(?P<comment>[^\n]*)")


def hidden(text):
    """The text without its words, as long as before, with the same lines."""
    return re.sub(r"\S", "\0", text)


def words_of(text, pattern):
    """The words of a source's comments or literals, in their places: those of consecutive lines read as one text."""
    parts, at = [], 0
    for found in pattern.finditer(text):
        if found.lastgroup:
            first, end = found.span(found.lastgroup)
            parts += [hidden(text[at:found.start()]), " " * (first - found.start()),
                      text[first:end].replace(r"\n", "  "), " " * (found.end() - end)]
            at = found.end()
    return re.sub(r"`[^`\0]*`", lambda code: hidden(code[0]), "".join(parts) + hidden(text[at:]))


def read(path):
    """The texts to check of the file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".md"):
        return [CODE.sub(lambda code: hidden(code[0]), text)]
    if not path.endswith((".h", ".cpp", ".sv")):
        return [words_of(text, SCRIPT_COMMENT)]
    is_test = path.endswith(("_test.cpp", "_test.h", "_bench.h", ".sv"))
    return [words_of(text, pattern) for pattern in (C_COMMENT, C_TEXT)[:1 if is_test else 2]]


def files(patterns):
    """The paths of the patterns."""
    return {path for pattern in patterns for path in glob.glob(pattern, recursive=True)} - LEFT_OUT


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
    pages, sources = files(PAGES), files(C_SOURCES + SCRIPTS)
    violations = []
    for page, text in ((page, text) for page in sorted(pages | sources) for text in read(page)):
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
    print(f"words.py: {len(pages)} pages and {len(sources)} sources, no violation")


if __name__ == "__main__":
    main()
