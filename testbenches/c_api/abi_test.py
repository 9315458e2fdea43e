#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/c_api/abi_test.py HEADER LIBRARY ABI_FILE [--write]: the declarations of <toriscope/c_api.h> are those of
the ABI file, and the library shows these functions and nothing else.

A declaration that changes or goes needs a new TORISCOPE_ABI; one that is added does not. --write renews the file."""
import re
import subprocess
import sys


def declarations(header):
    """Each enumerator, struct and function in one line, in order."""
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#") and line.strip() != 'extern "C" {')
    found = []
    for part in re.findall(r"(?:[^;{]|\{[^}]*\})+;", text):
        line = " ".join(part.split())
        if found_enum := re.fullmatch(r"enum \{(.*)\};", line):
            found += ["enum " + item.strip() for item in found_enum[1].split(",")]
        else:
            found.append(line)
    return found


def main():
    header_name, library, abi_name = sys.argv[1:4]
    with open(header_name, encoding="utf-8") as file:
        header = file.read()
    now = ["TORISCOPE_ABI " + re.search(r"#define TORISCOPE_ABI (\d+)u", header)[1]] + declarations(header)
    if "--write" in sys.argv:
        with open(abi_name, "w", encoding="utf-8") as file:
            file.write("\n".join(now) + "\n")
    with open(abi_name, encoding="utf-8") as file:
        before = file.read().splitlines()
    gone = [line for line in before if line not in now]
    new = [line for line in now if line not in before]
    if gone and now[0] == before[0]:
        sys.exit(f"abi_test.py: this has changed, so TORISCOPE_ABI must: {'; '.join(gone)}")
    if gone or new:
        sys.exit(f"abi_test.py: {abi_name} lacks {'; '.join(new) or 'nothing'}; renew it with --write")

    functions = {re.search(r"(toriscope_\w+)\(", line)[1] for line in now if line.startswith("TORISCOPE_API ")}
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[2].split("@")[0] for line in symbols.splitlines() if line.split()[1] != "A"}
    wrong = shown ^ (functions | {"sc_main"})
    if wrong:
        sys.exit(f"abi_test.py: shown or declared, but not both: {', '.join(sorted(wrong))}")
    print(f"abi_test.py: {len(functions)} functions of {now[0]}, nothing else is shown")


if __name__ == "__main__":
    main()
