#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/names.py [ROOT [COMPILER]]: a bench may write `using namespace toriscope` beside those of SystemC and
TLM-2.0 and beside POSIX: no type that <toriscope/toriscope.h> declares is ambiguous then.

Prints one line per name and leaves with 1 when there is one."""
import os
import re
import subprocess
import sys

UMBRELLA = "include/toriscope/toriscope.h"
OTHERS = ("pthread.h", "signal.h", "stdio.h", "stdlib.h", "string.h", "sys/socket.h", "sys/wait.h", "time.h",
          "unistd.h", "systemc", "tlm")
TYPE = re.compile(r"(template <[^\n]*>\n)?^(?:class|struct|enum class|using) (\w+)(?: final)?\b[^;\n]*[{=]",
                  re.MULTILINE)


def reached(header, found):
    """The text of each header of ours that this one includes, and its own."""
    if header not in found and os.path.isfile(header):
        with open(header, encoding="utf-8") as file:
            found[header] = file.read()
        for name in re.findall(r'^#include "([^"]+)"', found[header], re.MULTILINE):
            reached(name, found)
    return found


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
    compiler = sys.argv[2] if len(sys.argv) > 2 else "c++"
    headers = reached(UMBRELLA, {})
    # A template cannot be named without its arguments; a declaration of it conflicts with POSIX at least.
    names = sorted({(name, bool(template)) for text in headers.values() for template, name in TYPE.findall(text)})
    source = [f"#include <{name}>" for name in OTHERS] + [f'#include "{UMBRELLA}"'] + [
        f"using namespace {name};" for name in ("toriscope", "sc_core", "sc_dt", "tlm")]
    source += [f"using ::toriscope::{name};" if template else f"using type_{name} = {name};"
               for name, template in names]
    done = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-I.", "-DSC_ALLOW_DEPRECATED_IEEE_API",
                           "-x", "c++", "-"],
                          input="\n".join(source), capture_output=True, text=True)
    wrong = [line for line in done.stderr.splitlines() if "error:" in line]
    print("\n".join(wrong), end="\n" if wrong else "")
    if done.returncode:
        sys.exit(f"names.py: {len(wrong)} names of {UMBRELLA} are not usable beside SystemC's and POSIX's")
    print(f"names.py: {len(names)} names of {len(headers)} headers, none ambiguous")


if __name__ == "__main__":
    main()
