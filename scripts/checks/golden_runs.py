#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/golden_runs.py PROGRAM [PART ...] | PROGRAM --write

Whether short runs of all kinds still write what they wrote: standard output, messages and files of the cases of
scripts/recorded_cases.py, as digests in scripts/checks/golden_runs.txt. A digest says that something changed, not what
is right: that is for other tests. It notices what these leave out. --write renews the digests: read which ones change
(git diff), and say why in the commit message.

PART   the first directory of the names of cases: cycle, transaction, options ..."""
import hashlib
import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import record_runs  # noqa: E402
import recorded_cases  # noqa: E402

DIGESTS = HERE / "golden_runs.txt"
# Texts have tests of their own; RTL and papers take minutes, ranks a launcher.
ELSEWHERE = ("texts/", "rtl/", "papers/", "ranks/")


def cases():
    for case in recorded_cases.cases(lambda kind: []):
        # The report needs what a build may lack.
        case.commands = [command for command in case.commands if not command.startswith("report")]
        if case.commands and case.ranks == 1 and not case.name.startswith(ELSEWHERE):
            yield case


def digest(case, program, directory):
    record_runs.record(case, program, directory, f"{directory}/rtl")
    kept = pathlib.Path(directory) / case.name
    outputs = json.loads((kept / "outputs.json").read_text())
    if case.name.startswith("wrong/"):  # a message may get other words
        for output in outputs:
            output["stderr"] = len(output["stderr"])
    files = [(str(file.relative_to(kept)), file.read_text())
             for file in sorted(kept.rglob("files/**/*")) if file.is_file()]
    return hashlib.sha256(json.dumps([outputs, files]).encode()).hexdigest()[:12]


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    program, parts = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    write = parts == ["--write"]
    known_cases = list(cases())
    chosen = [case for case in known_cases if write or not parts or case.name.split("/")[0] in parts]
    if not chosen:
        sys.exit(f"golden_runs.py: no case of {' '.join(parts)}")
    with tempfile.TemporaryDirectory(prefix="golden_runs.") as directory:
        found = {case.name: digest(case, program, directory) for case in chosen}
    if write:
        DIGESTS.write_text("".join(f"{name} {value}\n" for name, value in found.items()))
        return
    known = dict(line.split() for line in DIGESTS.read_text().splitlines())
    wrong = [case for case in chosen if known.get(case.name) != found[case.name]]
    for case in wrong:
        print(f"{case.name}: not what {DIGESTS.name} knows: toriscope {'; toriscope '.join(case.commands)}")
    for name in sorted(known.keys() - {case.name for case in known_cases}):
        wrong.append(name)
        print(f"{name}: in {DIGESTS.name}, but not in recorded_cases.py")
    print(f"{len(chosen)} cases, {len(wrong)} differ")
    if wrong:
        print("scripts/record_runs.py shows what differs from an earlier program; if it is meant, "
              "scripts/checks/golden_runs.py PROGRAM --write renews the digests")
        sys.exit(1)


main()
