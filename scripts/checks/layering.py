#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/layering.py [ROOT]: the rules that can be read off the sources, without compiling: which directory may
include which, where SystemC is not allowed, licence lines, a README per layer, lengths of files and lines.

Prints one line per violation, "file:line: what, what would be right", and leaves with 1 when there is one."""
import os
import re
import sys

# Bottom up: a directory, and the directories, or single headers, that it may include. A directory may always include
# itself; a rule names the directories below it that share it ("testbenches/reference" is also its failures/), unless
# they have a rule of their own. Only directories that stand above may be named, so that no include points upward.
SIMULATION = "testbenches/simulation"
ENGINE = "base links router router/allocation router/pipelines network network/distributed topologies"
# What allocators and pipelines work on; router/router.h stands above them.
ROUTER_STATE = ("router/packet_table.h router/router_config.h router/router_state.h router/common_shapes.h "
                "router/port_set.h")
LAYERS = {
    "base": "",
    "links": "base",
    "topologies": "base",
    "topologies/link_models": "base topologies",
    "topologies/proof": "base topologies",
    "topologies/analysis": "base topologies topologies/link_models topologies/proof",
    "topologies/graphs": "base topologies",
    "topologies/switches": "base topologies topologies/analysis",
    "topologies/cubes": "base topologies topologies/analysis",
    "topologies/ttn": "base topologies topologies/analysis topologies/cubes",
    "topologies/htn": "base topologies topologies/cubes",
    "topologies/rdt": "base topologies topologies/analysis",
    "topologies/custom": "base topologies topologies/link_models topologies/proof",
    "topologies/chiplets": "base topologies topologies/link_models topologies/analysis topologies/proof",
    "router/allocation": "base links topologies/route.h " + ROUTER_STATE,
    "router/pipelines": "base links topologies/route.h router/allocation " + ROUTER_STATE,
    "router": "base links topologies/route.h router/allocation router/pipelines",
    "network/distributed": "base links router topologies network/failure.h network/wire_table.h",
    "network": "base links router topologies network/distributed",
    "network/tlm": ENGINE,
    "network/transaction": ENGINE,
    "traces": ENGINE,
    "rtl_models": ENGINE + " topologies/proof",
    "rtl_models/on_demand": ENGINE + " rtl_models",
    "rtl_models/user_rtl": ENGINE + " rtl_models rtl_models/on_demand",
    "rtl_models/export": ENGINE + " rtl_models",
    SIMULATION + "/traffic": ENGINE + " topologies/analysis traces",
    SIMULATION + "/statistics": ENGINE + f" topologies/analysis {SIMULATION}/traffic",
    SIMULATION + "/observation": ENGINE + " traces",
    SIMULATION + "/workloads": f"base links network {SIMULATION}/traffic {SIMULATION}/statistics",
    SIMULATION + "/configuration": ENGINE + " topologies/analysis topologies/link_models topologies/proof "
                                     "network/transaction "
                                            f"{SIMULATION}/traffic {SIMULATION}/statistics {SIMULATION}/workloads",
    SIMULATION + "/cosim": ENGINE + f" traces rtl_models rtl_models/on_demand {SIMULATION}/traffic",
    SIMULATION + "/distributed": ENGINE + f" topologies/analysis {SIMULATION}/statistics",
    SIMULATION: ENGINE + " topologies/analysis topologies/proof network/transaction "
                + " ".join(f"{SIMULATION}/{part}" for part in ("traffic", "statistics", "workloads", "configuration",
                                                               "distributed")),
    "testbenches/c_api": ENGINE + f" topologies/analysis traces rtl_models {SIMULATION} {SIMULATION}/configuration "
                         f"{SIMULATION}/cosim",
    "testbenches/experiments/sweep": f"base topologies {SIMULATION}/configuration {SIMULATION}/statistics "
                                     f"{SIMULATION}/traffic",
    "testbenches/experiments/report": f"base topologies topologies/analysis {SIMULATION}/configuration",
    "testbenches/experiments/papers": "base topologies topologies/analysis topologies/htn topologies/rdt "
                                      f"topologies/ttn topologies/proof {SIMULATION}/configuration "
                                      f"{SIMULATION}/traffic testbenches/experiments/sweep",
    "testbenches/reference": f"base links router network topologies topologies/proof {SIMULATION}/traffic",
    "testbenches/tlm": f"{ENGINE} network/tlm {SIMULATION}/traffic",
    "testbenches/bench": f"{ENGINE} traces rtl_models/on_demand {SIMULATION}/traffic",
    "testbenches/fuzz": f"{ENGINE} network/tlm topologies/custom topologies/proof topologies/rdt traces "
                        "rtl_models/export rtl_models/user_rtl "
                        f"{SIMULATION} {SIMULATION}/configuration {SIMULATION}/statistics {SIMULATION}/traffic "
                        "testbenches/experiments/papers testbenches/experiments/sweep "
                        "testbenches/experiments/report",
    "testbenches/examples": f"{ENGINE} network/tlm network/transaction rtl_models rtl_models/user_rtl",
    "testbenches/program": "*",
}
# Tests may include whatever stands above them in the table too: they wire up networks, and the program.
# What must not mention SystemC.
PLAIN = ("base/", "topologies/", "router/", "links/flit.", "links/delay_line.h", "links/arrival_schedule.h",
         "links/wake_calendar.h")
LONG_FILES = {}  # longer than 500 lines: the reason
# The first declares templates of nlohmann's only; the others are of the C interface that a Verilated model is compiled
# with: no C++ names, and macros of Verilator's.
NO_NAMESPACE = {"base/json.h", "rtl_models/on_demand/model_print.h", "rtl_models/on_demand/model_wrapper.h"}
LAYER_PAGES = ("base", "links", "topologies", "router", "network", "traces", "rtl_models", "testbenches")

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
SYSTEMC = re.compile(r"<(systemc|tlm|sysc/)|\bsc_(core|dt|module|signal|time|trace)\b|flit_systemc|links/link")

violations = []


def violation(file, line, text):
    violations.append(f"{file}:{line}: {text}")


def rule_of(path):
    """The rule for a file: of the innermost directory that has one."""
    while path := os.path.dirname(path):
        if path in LAYERS:
            return path
    return None


def allowed(rule, target):
    if LAYERS[rule] == "*" or target.startswith(rule + "/") and rule_of(target) == rule:
        return True
    return any(target == name or rule_of(target) == name for name in LAYERS[rule].split())


def check_table():
    known = []
    for rule, names in LAYERS.items():
        for name in names.replace("*", "").split():
            if not name.endswith(".h") and name not in known:
                sys.exit(f"layering.py: {rule} names {name}, which does not stand above it")
        known.append(rule)


def check_includes(file, lines):
    rule = rule_of(file)
    test = re.search(r"_(test|bench)\.(cpp|h)$", file)
    for number, line in enumerate(lines, 1):
        if not (found := INCLUDE.match(line)):
            continue
        target = found[1]
        if "/" not in target or target.split("/")[0] not in LAYER_PAGES:
            # A generated or foreign header stands in no layer; ours is named with its directory.
            if os.path.isfile(os.path.join(os.path.dirname(file), target)):
                violation(file, number, f'includes "{target}" without its directory: write '
                                        f'"{os.path.dirname(file)}/{target}"')
        elif rule and not allowed(rule, target):
            top, wanted = rule.split("/")[0], target.split("/")[0]
            if test and (wanted in ("base", "links", "topologies") or top == wanted or wanted == "network"
                         and top == "testbenches"):
                continue
            violation(file, number, f'{rule}/ includes "{target}", but may include: '
                                    f'{LAYERS[rule] or "no other directory"}')


def raw_lines(lines):
    """The numbers of the lines in raw literals."""
    text, numbers = "\n".join(lines), set()
    for found in re.finditer(r'R"(\w*)\([\s\S]*?\)\1"', text):
        numbers.update(range(text.count("\n", 0, found.start()) + 1, text.count("\n", 0, found.end()) + 2))
    return numbers


def check_columns(file, lines):
    raw = raw_lines(lines) if file.endswith((".h", ".cpp")) else ()
    for number, line in enumerate(lines, 1):
        if len(line) > 120 and number not in raw:
            violation(file, number, f"has {len(line)} columns: 120 at most outside raw literals")


def check_names(file, lines):
    """Headers are included under `using namespace` by those who also use POSIX and SystemC."""
    if "namespace toriscope" not in "\n".join(lines) and file not in NO_NAMESPACE:
        violation(file, 1, "declares nothing in namespace toriscope, or lists its reason in scripts/checks/layering.py")
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*using namespace", line):
            violation(file, number, "opens a namespace for all who include it: name what is used")
        elif (found := re.match(r"\s*#\s*define\s+(\w+)", line)) and not found[1].startswith("TORISCOPE_") \
                and file not in NO_NAMESPACE:
            violation(file, number, f"defines {found[1]}: macros begin with TORISCOPE_")


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../.."))
    check_table()
    sources = 0
    for directory, folders, files in os.walk("."):
        folders[:] = sorted(f for f in folders if f not in ("build", ".git", "node_modules"))
        for name in sorted(files):
            file = os.path.normpath(os.path.join(directory, name))
            licensed = name.endswith((".h", ".cpp", ".sv", ".v", ".vlt", ".sh", ".cmake", ".py")) \
                or name == "CMakeLists.txt" or file.startswith(".ci/")
            if not licensed:
                continue
            with open(file, encoding="utf-8") as text:
                lines = text.read().splitlines()
            if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
                violation(file, 1, "no SPDX-License-Identifier: Apache-2.0 in the first lines")
            if not name.endswith((".sv", ".v", ".vlt")):
                check_columns(file, lines)
            if not name.endswith((".h", ".cpp")) or file.split("/")[0] not in LAYER_PAGES:
                continue
            sources += 1
            check_includes(file, lines)
            if name.endswith(".h"):
                check_names(file, lines)
            if file.startswith(PLAIN):
                for number, line in enumerate(lines, 1):
                    if SYSTEMC.search(line) and not line.lstrip().startswith("//"):
                        violation(file, number, f"mentions SystemC ({line.strip()}): base/, topologies/, router/ and "
                                                "the flit format do without")
            if len(lines) > 500 and file not in LONG_FILES:
                violation(file, 501, f"has {len(lines)} lines: split it, or list it with its reason in "
                                     "scripts/checks/layering.py")
            for number, line in enumerate(lines, 1):
                if re.search(r"\b(TO" r"DO|FIX" r"ME)\b", line):
                    violation(file, number, f"unfinished: {line.strip()}")
    for layer in LAYER_PAGES:
        if os.path.isdir(layer) and not os.path.isfile(f"{layer}/README.md"):
            violation(f"{layer}/README.md", 1, "missing: what the directory contains, how to change it, the flit walk")
    print("\n".join(violations), end="\n" if violations else "")
    if violations:
        sys.exit(f"layering.py: {len(violations)} violations")
    print(f"layering.py: {sources} sources, no violation")


if __name__ == "__main__":
    main()
