#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/drawn_runs.py [--program FILE] [--number N] [--seed N] [--way NAME ...] [--only N ...]

Draws command lines of `toriscope run` from about half of its options, and runs each in several ways that must agree
to the byte, but for `performance` (and for what docs/ says of the way):

  threads   by 2 to 4 threads                      ranks    by 2 to 4 ranks of MPI, if there is mpirun
  outputs   with all outputs at once, checked      state    saved in a drawn cycle, and gone on with
  config    from the configuration in its result   stages   four_stage by the configurable pipeline
  replay    recorded, and replayed as timed        window   a waveform of some cycles, and one of all
  sweep     as the only point of a sweep           again    a second time

A run that is rejected (status 2) has to say so in one line, and to be rejected in each way. Prints each difference
with the shortest command line that shows it, and how many runs were compared in each way; leaves with 1 when there is
one. What is drawn depends on the seed only."""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the tree
from record_runs import RANKS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 120  # seconds for a run

# Small networks of most families, each with routings and VC rules of its own.
NETWORKS = [
    ("torus:4x4", ["dor", "xy", "adaptive", "o1turn", "valiant", "ugal"], ["balanced", "dateline", "wrapping"]),
    ("torus:5x3", ["dor", "adaptive"], ["balanced", "dateline", "wrapping"]), ("torus:3x3x3", ["dor"], ["dateline"]),
    ("mesh:4x4", ["dor", "xy", "adaptive", "o1turn", "valiant", "ugal"], ["single", "duato"]), ("ring:7", ["dor"], []),
    ("cmesh:4x3,2", ["dor", "o1turn"], ["single"]), ("ctorus:3x4,3", ["dor"], ["dateline"]), ("cube:3,3", ["dor"], []),
    ("ucube:4,2", ["dor"], ["dateline"]), ("hypercube:4", ["dor", "adaptive", "valiant"], []), ("ccc:3", [], []),
    ("ttn:2,2,0", ["dor"], ["module_dateline", "ring_dateline", "ring_axis"]), ("tesh:2,2,0", ["dor"], ["ring_axis"]),
    ("sttn:2,2,0", [], []), ("htn:2,2,2,1", ["dor", "ls", "cs", "ls+cs", "adaptive"], []), ("crossbar:6", [], []),
    ("rdt:alpha,16", ["vector", "floating3", "floating4"], []), ("fattree:2,3", ["nca", "random", "spread"], []),
    ("butterfly:2,3", ["digits"], []), ("flatfly:3,2,2", ["dor", "valiant"], []),
    ("chiplets:mesh:2x2+mesh:2x2", [], []), ("dragonfly:2,2,1", ["minimal", "valiant", "ugal"], ["groups"]),
    (f"file:{ROOT}/docs/custom_network.json", ["updown", "table", "spread", "random", "in_turn"], ["layers", "given"]),
]


def draw(rnd):
    """Options of a run: a list of lists of words."""
    network, routings, rules = rnd.choice(NETWORKS)
    options = [["--topology", network]]

    def often(probability, *option):
        if rnd.random() < probability:
            options.append([str(word() if callable(word) else word) for word in option])

    def of(*values):
        return lambda: rnd.choice(values)

    if routings:
        often(.4, "--routing", of(*routings))
    if rules:
        often(.3, "--vc-rule", of(*rules))
    often(.1, "--tie-break", of("nowrap", "positive", "balanced"))
    often(.4, "--link-delay", of("1", "2", "3", "7", "1,3", "1,4,2", "linear:1.5"))
    often(.2, "--link-width", of("32", "16", "64,32", "24"))
    often(.1, "--flit-bits", of("32", "128"))
    often(.15, "--fail-link", lambda: f"{rnd.randrange(12)}.{rnd.choice(['x+', 'y-', '0', '1', 'up0', 'dim0'])}"
                                      f"@{rnd.choice([0, 40, 90, 160])}")
    often(.3, "--pipeline", of("single_cycle", "four_stage", "paper2009"))
    often(.2, "--stages", of("rc=1,va=1,sa=1,st=1", "rc=0,va=1,sa=1,st=1", "rc=2,va=1,sa=1,st=2",
                             "rc=0,va=0,sa=0,st=0"))
    often(.2, "--vc-reallocation", of("atomic", "non_atomic"))
    often(.3, "--vcs", of(1, 2, 3, 4, 5, 8, 16))
    often(.4, "--depth", of(1, 2, 3, 4, 16))
    often(.1, "--va-allocator", of("output_first", "islip"))
    often(.1, "--sa-allocator", of("output_first", "islip"))
    often(.1, "--arbiter", of("matrix", "age"))
    often(.05, "--iterations", of(2, 3))
    often(.05, "--lookahead")
    often(.05, "--speculative")
    often(.05, "--adaptive-delay", of(1, 3))
    often(.1, "--injection-delay", of(2, 5))
    often(.1, "--ejection-delay", of(2, 5))
    often(.1, "--credit-delay", of(1, 4))
    often(.1, "--watchdog", of(50, 200))
    often(.1, "--fidelity", "transaction")
    often(.15, "--message-classes", of(2, 3))
    often(.05, "--shared-classes")
    often(.15, "--limited-reception")
    often(.15, "--traffic-mode", of("request_reply", "batch"))
    often(.3, "--traffic", of("hotspot", "local", "transpose", "bit_reversal", "complement", "tornado", "neighbour"))
    often(.6, "--packet", of("1", "2", "5", "16", "1:0.5,8:0.5"))
    often(.2, "--arrivals", of("poisson", "constant", "on_off"))
    often(.1, "--include-self")
    often(.1, "--outstanding", of(1, 8))
    often(.1, "--service-cycles", of(1, 70))
    often(.1, "--reply-packet", of("1", "4"))
    often(.1, "--reply-queue", of(1, 3))
    options.append(["--batch", str(rnd.choice([1, 3, 10]))])
    options.append(["--seed", str(rnd.randrange(1000))])
    # What follows is in every run: a run rejected loses others.
    options.append(["--rate", str(rnd.choice([.02, .05, .1, .2, .4, .9]))])
    options.append(["--warmup", str(rnd.choice([0, 37, 100]))])
    options.append(["--cycles", str(rnd.choice([50, 150, 300]))])
    options.append(["--drain", str(rnd.choice([0, 100, 5000]))])
    return options


RESULT = ["--json", "r.json"]
OUTPUTS = [RESULT, ["--csv", "r.csv"], ["--link-stats", "links.csv"], ["--packet-stats", "packets.csv"],
           ["--time-series", "series.csv"], ["--stalls", "stalls.csv"], ["--events", "events.csv"], ["--observe"],
           ["--transactions", "t.ftr"], ["--wave", "*", "--wave-file", "w.vcd"], ["--json-links"], ["--wire-hash"]]
OF_RANKS = ("--json", "--csv", "--link-stats", "--wave", "--json-links", "--wire-hash")


class Unsupported(Exception):
    """What the way needs is documented not to go together with an option of the run."""


class Outcome:
    def __init__(self, status, said, files):
        self.status, self.said, self.files = status, said, files

    def result(self):
        return json.loads(self.files.get("r.json", "{}"))


def without_performance(name, text):
    if name.endswith(".json") and text:
        result = json.loads(text)
        result.pop("performance", None)
        for unit in [u for u in result.get("units", {}) if u.startswith("performance")]:
            del result["units"][unit]
        return json.dumps(result, indent=1)
    if name == "r.csv":
        names, values = text.splitlines()
        last = names.count(b"performance.")  # values may hold commas in quotes; performance comes last
        return names.rsplit(b",", last)[0] + b"\n" + values.rsplit(b",", last)[0]
    return text


class Runs:
    """Runs of one draw, in a directory of their own."""

    def __init__(self, program):
        self.program = program
        self.mpirun = shutil.which("mpirun")

    def run(self, options, *more, command="run", before=(), files=()):
        """@param files  from an earlier outcome, which the run finds"""
        words = [str(w) for option in (*options, *more) for w in option]
        with tempfile.TemporaryDirectory() as place:
            environment = dict(os.environ, SC_COPYRIGHT_MESSAGE="DISABLE", TORISCOPE_SHARED_NODES="1",
                               OMPI_MCA_odls_base_sigkill_timeout="0", OMPI_MCA_orte_tmpdir_base=place)
            for name, text in files:
                pathlib.Path(place, name).write_bytes(text)
            try:
                failure = [] if command == "sweep" else ["--failure-wave", "none"]
                done = subprocess.run([*before, self.program, command, "--quiet", *failure, *words],
                                      cwd=place, env=environment, capture_output=True, timeout=PATIENCE)
                status, said = done.returncode, done.stderr.decode(errors="replace")
            except subprocess.TimeoutExpired:
                status, said = "timeout", ""
            found = {str(p.relative_to(place)): without_performance(p.name, p.read_bytes().replace(place.encode(), b""))
                     for p in pathlib.Path(place).rglob("*") if p.is_file()}
        return Outcome(status, said, found)


def differences(a, b, names=None):
    """Where two outcomes differ, as text; names: of the files that count. @raises Unsupported"""
    if b.status == 2 and re.search("is not supported under MPI|cannot be cut|fidelity transaction", b.said):
        raise Unsupported
    found = []
    if a.status != b.status:
        found.append(f"status {a.status} and {b.status}: {a.said[:200]!r}, {b.said[:200]!r}")
    elif a.said != b.said:
        found.append(f"words: {a.said[:300]!r}, {b.said[:300]!r}")
    for name in sorted({*a.files, *b.files} if names is None else names):
        one, other = a.files.get(name), b.files.get(name)
        if one == other:
            continue
        where = "is missing" if one is None or other is None else ""
        if name == "r.json" and one and other:
            where = ", ".join(different_keys(json.loads(one), json.loads(other)))
        found.append(f"{name} {where}")
    return "; ".join(found)


def different_keys(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        return [key for k in sorted({*a, *b}) for key in different_keys(a.get(k), b.get(k), f"{path}.{k}")]
    return [] if a == b else [f"{path[1:]} {a!r:.40} {b!r:.40}"]


# --- the ways: each is given the runs, options, outputs and a generator; returns a difference, "", or None: no run ---

def by_threads(runs, options, outputs, rnd):
    return differences(runs.run(options, *outputs), runs.run(options, *outputs, ["--threads", rnd.choice([2, 3, 4])]))


def by_ranks(runs, options, outputs, rnd):
    if not runs.mpirun:
        return None
    outputs = [o for o in outputs if o[0] in OF_RANKS]
    alone = runs.run(options, *outputs)
    return differences(alone, runs.run(options, *outputs, before=[*RANKS, str(rnd.choice([2, 3, 4]))]))


def by_outputs(runs, options, _, rnd):
    alone = runs.run(options, RESULT)
    all_of_them = runs.run(options, *OUTPUTS, ["--check", "full"], ["--observe-links"])
    if alone.status not in (0, 1) or all_of_them.status not in (0, 1):
        return differences(alone, all_of_them, ()) if alone.status != all_of_them.status else ""
    return ", ".join(f"results.{d}" for d in
                     different_keys(alone.result().get("results"),
                                    {k: v for k, v in all_of_them.result().get("results", {}).items()
                                     if k in alone.result().get("results", {})}))


def by_state(runs, options, outputs, rnd):
    outputs = [o for o in outputs if o[0] in ("--json", "--csv", "--link-stats", "--wire-hash", "--time-series")]
    whole = runs.run(options, *outputs)
    if whole.status not in (0, 1) or "r.json" not in whole.files:
        return None
    cycle = rnd.randint(1, max(whole.result()["results"]["cycles"], 1))
    saving = runs.run(options, *outputs, ["--save-state", f"{cycle}:s"], ["--threads", rnd.choice([1, 3])])
    names = [name for name in saving.files if name != "s"]
    difference = differences(whole, saving, names)
    if difference:
        return f"saving in {cycle}: {difference}"
    rest = runs.run(options, *outputs, ["--from-state", "s"], ["--threads", rnd.choice([1, 3])],
                    files=[("s", saving.files["s"])])
    difference = differences(whole, rest, names)
    return difference and f"from {cycle}: {difference}"


def by_config(runs, options, outputs, rnd):
    first = runs.run(options, *outputs)
    if first.status not in (0, 1) or "r.json" not in first.files:
        return None
    return differences(first, runs.run([["--config", "c.json"]], *outputs,
                                       files=[("c.json", first.files["r.json"].encode())]), [*first.files])


def by_stages(runs, options, outputs, rnd):
    if any(o[0] in ("--pipeline", "--stages", "--lookahead", "--speculative") for o in options):
        return None
    outputs = [o for o in outputs if o[0] != "--csv"]
    plain = runs.run(options, *outputs)
    stages = runs.run(options, *outputs, ["--stages", "rc=1,va=1,sa=1,st=1"])
    if plain.status != stages.status or plain.status == 2:
        return differences(plain, stages, ())
    found = different_keys(plain.result().get("results"), stages.result().get("results"))
    return "; ".join([*found, *([d] if (d := differences(plain, stages, {*plain.files} - {"r.json"})) else [])])


def by_replay(runs, options, outputs, rnd):
    if any(o[:2] == ["--traffic-mode", "batch"] for o in options):
        return None
    first = runs.run(options, RESULT)
    recorded = runs.run(options, ["--output", "t.txt"], RESULT, command="record")
    if first.status not in (0, 1) or not first.result().get("results"):
        return None
    difference = differences(first, recorded, ["r.json"])
    if difference:
        return f"recorded: {difference}"
    if not any(o[0] == "--traffic-mode" for o in options) and first.result()["results"]["packets"]:
        replayed = runs.run([["t.txt"]], RESULT, command="replay", files=[("t.txt", recorded.files["t.txt"])])
        if replayed.status != first.status:
            return f"replayed: {differences(first, replayed, ())}"
        if first.result()["results"]["packets_arrived"] == first.result()["results"]["packets"]:
            hashes = [o.result()["results"]["packet_hash"] for o in (first, replayed)]
            return "" if hashes[0] == hashes[1] else f"replayed: hashes {hashes}"
    return ""


def by_window(runs, options, _, rnd):
    whole = runs.run(options, ["--wave", "*", "--wave-file", "w.vcd"], RESULT)
    if whole.status not in (0, 1) or "r.json" not in whole.files:
        return None
    end = whole.result()["results"]["cycles"]
    begin = rnd.randint(0, max(end - 2, 0))
    until = rnd.randint(begin + 1, end + 20)
    some = runs.run(options, ["--wave", f"*@{begin}:{until}", "--wave-file", "w.vcd"], RESULT)
    difference = differences(whole, some, [name for name in whole.files if not name.endswith((".vcd", ".gtkw"))])
    if difference or "w.vcd" not in some.files:
        return difference
    difference = changes_within(whole.files["w.vcd"].decode(), some.files["w.vcd"].decode())
    return difference and f"{begin}:{until}, {difference}"


def changes_of(vcd):
    """Its declarations, and [(time, {signal: value})]."""
    head, _, body = vcd.partition("$enddefinitions")
    found = [(0, {})]
    for line in body.splitlines()[1:]:
        if line.startswith("#"):
            found.append((int(line[1:]), {}))
        elif line.startswith("b"):
            value, signal = line.split()
            found[-1][1][signal] = value
        elif line[:1] in tuple("01xz"):
            found[-1][1][line[1:]] = line[0]
    return re.findall(r"\$(?:scope|var) .*", head), found


def changes_within(whole, some):
    """Where a waveform of some cycles does not show what one of all cycles shows; the last time ends the file."""
    (names, changes), (names_of_some, changes_of_some) = changes_of(whole), changes_of(some)
    if names != names_of_some:
        return "the signals of the window"
    there, seen, position = {}, {}, 0
    for at, changed in changes_of_some[:-1]:
        seen.update(changed)
        signals = set(changed)  # the first time that has any has all
        while position < len(changes) and changes[position][0] <= at:
            there.update(changes[position][1])
            signals.update(changes[position][1] if seen else ())
            position += 1
        if wrong := [s for s in signals if there.get(s) != seen.get(s)]:
            return f"time {at}: {len(wrong)} signals, {wrong[:3]}"
    return ""


def by_sweep(runs, options, outputs, rnd):
    alone = runs.run(options, RESULT)
    seed = [] if any(o[0] == "--seed" for o in options) else [["--seed", "1"]]  # a sweep has three
    swept = runs.run(options, *seed, ["--out", "d"], command="sweep")
    if alone.status != 0 or swept.status == 2:
        return None
    points = [text for name, text in swept.files.items() if name.startswith("d/points/")]
    if len(points) != 1:
        return f"{len(points)} points: {swept.said[:200]!r}"
    return ", ".join(different_keys(alone.result()["results"], json.loads(points[0])["results"]))


def by_repetition(runs, options, outputs, rnd):
    return differences(runs.run(options, *outputs), runs.run(options, *outputs))


WAYS = {"threads": by_threads, "ranks": by_ranks, "outputs": by_outputs, "state": by_state, "config": by_config,
        "stages": by_stages, "replay": by_replay, "window": by_window, "sweep": by_sweep, "again": by_repetition}


def fault(outcome):
    """What is wrong with an outcome on its own; "": nothing."""
    if outcome.status not in (0, 1, 2):
        return f"status {outcome.status}: {outcome.said[:300]!r}"
    if outcome.status == 2 and not re.fullmatch(r"[^\n]+\n", outcome.said):
        return f"not one line: {outcome.said[:300]!r}"
    return ""


def shortened(options, still):
    """What is left of the options when each is left out without which the difference still shows."""
    kept = list(options)
    for option in options:
        if option[0] in ("--topology", "--rate", "--warmup", "--cycles", "--drain"):
            continue
        fewer = [o for o in kept if o is not option]
        if still(fewer):
            kept = fewer
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/toriscope"))
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--way", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--only", nargs="+", type=int)
    asked = parser.parse_args()
    runs = Runs(str(pathlib.Path(asked.program).resolve()))
    compared, rejected, wrong = collections.Counter(), 0, 0
    for number in asked.only or range(asked.number):
        rnd = random.Random(f"{asked.seed} {number}")
        options = draw(rnd)
        outputs = [o for o in OUTPUTS if o is RESULT or rnd.random() < .4]
        found = fault(first := runs.run(options))
        while first.status == 2 and not found and len(options) > 5:
            rejected += 1
            options.pop(rnd.randrange(1, len(options) - 4))
            found = fault(first := runs.run(options))
        if found:
            print(f"{number}: {found}\n    toriscope run {shlex.join(sum(options, []))}", flush=True)
            wrong += 1
            continue
        for way in asked.way:
            def difference(fewer, way=way, seed=f"{asked.seed} {number} {way}"):
                try:
                    return WAYS[way](runs, fewer, outputs, random.Random(seed))
                except Unsupported:
                    return None
            if (found := difference(options)) is None:
                continue
            compared[way] += 1
            if found:
                least = shortened(options, difference)
                found = difference(least) or found
                print(f"{number}, {way}: {found}\n    toriscope run {shlex.join(sum(least + outputs, []))}", flush=True)
                wrong += 1
    print(f"{rejected} rejected; compared: " + ", ".join(f"{way} {compared[way]}" for way in asked.way) +
          f"; {wrong} differences")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
