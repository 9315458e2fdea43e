# SPDX-License-Identifier: Apache-2.0
"""The runs that scripts/record_runs.py records: cases(), wrong_cases(), resumed_case() and the commands whose
instructions are counted. A case is a name, the commands that follow one another in one directory (the words behind
`toriscope`), the files that they find there, and the number of MPI ranks."""
import dataclasses
import itertools
import json
import re


@dataclasses.dataclass
class Case:
    name: str
    commands: list
    files: dict = dataclasses.field(default_factory=dict)
    ranks: int = 1


PIPELINES = {"single_cycle": "--depth 4", "four_stage": "--depth 4", "paper2009": "--depth 1",
             "staged": "--stages rc=2,va=1,sa=1,st=2"}
FAMILIES = {"mesh": "mesh:4x4", "torus": "torus:4x4", "cube": "cube:4,2", "ucube": "ucube:4,2",
            "hypercube": "hypercube:4", "ccc": "ccc:3", "ttn": "ttn:2,2,0", "tesh": "tesh:2,2,0",
            "sttn": "sttn:2,2,0", "htn": "htn:2,2,2,0", "mh3dt": "mh3dt:4,2,2,2", "h3dt": "h3dt:4,2,2,0",
            "rdt": "rdt:alpha,16", "file": "file:net.json", "cmesh": "cmesh:3x3,2", "ctorus": "ctorus:4x4,2",
            "ring": "ring:8", "crossbar": "crossbar:8", "fattree": "fattree:2,3", "butterfly": "butterfly:2,3",
            "flatfly": "flatfly:3,2,2", "dragonfly": "dragonfly:2,2,1", "chiplets": "chiplets:mesh:2x1+torus:3x3",
            "switches": "file:switches.json"}
TO_ANALYSE_ONLY = {"debruijn": "debruijn:2,5", "kautz": "kautz:2,4", "star": "star:4", "crossed": "crossed:5",
                   "midimew": "midimew:32"}
PATTERNS = ["uniform", "hotspot", "local", "transpose", "bit_reversal", "complement", "bit_flip", "shuffle",
            "bit_rotation", "tornado", "neighbour"]
WINDOW = "--warmup 50 --cycles 200 --drain 1000"
RANK_WINDOW = "--warmup 20 --cycles 60 --drain 300"

# A ring of six and a server that two links of different delay and width reach.
NETWORK = json.dumps({
    "name": "ring_and_server",
    "nodes": [{"name": f"a{i}", "position": [i % 3, i // 3]} for i in range(6)]
    + [{"name": "server", "position": [1, 4], "level": 2}],
    "links": [{"from": f"a{i}", "to": f"a{(i + 1) % 6}", "from_port": "ring+", "to_port": "ring-"} for i in range(6)]
    + [{"from": "a2", "to": "server", "delay": 3, "width": 16, "level": 2},
       {"from": "server", "to": "a4", "duplex": False, "delay": 2}]}, indent=1)
PACKETS = "".join(f"{2 * i} {i % 7} {(i + 1 + i % 6) % 7} {1 + i % 9}"
                  + (f" after={i - 3} delay=5" if i % 3 == 0 and i > 0 else "") + "\n" for i in range(60))
ROUTES = json.dumps({
    "name": "routed_ring", "nodes": ["a", "b", "c"],
    "links": [{"from": "abc"[i], "to": "bca"[i], "from_port": "up", "to_port": "down"} for i in range(3)],
    "routes": {node: {"abc"[i - 1]: {"port": "down", "vcs": [1]}, "*": {"port": "up", "vcs": [0]}}
               for i, node in enumerate("abc")}}, indent=1)
# Two spines over three leaves of several terminals, with names and groups; and with routers of their own.
SWITCHES = json.dumps({
    "name": "switches",
    "nodes": [{"name": f"spine{i}", "terminals": 0, "position": [i, 0]} for i in range(2)]
    + [{"name": f"leaf{i}", "terminals": 1 + i % 3, "group": f"rack{i % 2}", "position": [i, 1]} for i in range(2)]
    + [{"name": "memory", "terminals": 2, "position": [2, 1]}],
    "links": [{"from": leaf, "to": f"spine{i}", "width": 32 if i else 64}
              for leaf in ("leaf0", "leaf1", "memory") for i in range(2)]}, indent=1)
OWN_ROUTERS = SWITCHES.replace('"terminals": 0', '"terminals": 0, "depth": 4').replace(
    '"name": "memory"', '"name": "memory", "vcs": 3, "pipeline": "single_cycle"')
EXPORTED = json.dumps({
    "nodes": ["a", {"name": "b", "vcs": 1, "depth": 2, "pipeline": "single_cycle"}, {"name": "c", "terminals": 2},
              {"name": "hub", "terminals": 0, "vcs": 2, "depth": 7}, {"name": "d", "depth": 1}],
    "links": [{"from": "a", "to": "hub"}, {"from": "hub", "to": "b", "delay": 2}, {"from": "hub", "to": "c"},
              {"from": "c", "to": "d"}]}, indent=1)
FLOWS = json.dumps({"groups": {"racks": ["rack*"]}, "flows": [
    {"name": "reads", "from": "racks", "to": "memory", "rate": 0.05, "packet": 1, "latency_bound": 60},
    {"name": "fills", "from": "memory", "to": "racks", "rate": 0.2, "packet": "4:1,8:1", "latency_bound": 30},
    {"name": "bursts", "from": "rack0.leaf0", "to": "rack1.leaf1.t1", "rate": 0.1, "arrivals": "on_off",
     "burst": 3}]})
MATRIX = "".join(",".join([str(i)] + ["0.02" if (i * 5 + j * 3) % 4 == 1 and i != j else "0" for j in range(16)])
                 + "\n" for i in range(16))
MATRIX = ",".join(["from"] + [str(j) for j in range(16)]) + "\n" + MATRIX
FILES = {"net.json": NETWORK, "routes.json": ROUTES, "packets.txt": PACKETS, "switches.json": SWITCHES,
         "own.json": OWN_ROUTERS, "flows.json": FLOWS, "matrix.csv": MATRIX}

MODES = {"open": f"--rate 0.3 {WINDOW}",
         "request_reply": f"--traffic-mode request_reply --rate 0.3 {WINDOW}",
         "batch": "--traffic-mode batch --batch 3 --cycles 3000",
         "file_as_timed": "--traffic-file packets.txt --cycles 500",
         "file_dependencies": "--traffic-file packets.txt --file-timing dependencies --cycles 500"}
RANK_MODES = {"open": f"--rate 0.3 --wire-hash {RANK_WINDOW}", "batch": "--traffic-mode batch --batch 1 --cycles 400",
              "file_as_timed": "--traffic-file packets.txt --cycles 500"}


def every_family():
    """Families x pipelines x traffic modes x fidelities; and x 1, 2, 4 ranks, with one mode after the other."""
    for (family, spec), (pipeline, options) in itertools.product(FAMILIES.items(), PIPELINES.items()):
        network = f"run --topology {spec} --pipeline {pipeline} {options} --vcs 8 --json r.json --no-cache"
        for mode, traffic in MODES.items():
            yield Case(f"cycle/{family}/{pipeline}/{mode}", [f"{network} {traffic} --wire-hash"], FILES)
            if pipeline != "paper2009":  # which the transaction level does not have: wrong_cases()
                yield Case(f"transaction/{family}/{pipeline}/{mode}",
                           [f"{network} {traffic} --fidelity transaction"], FILES)
    modes = itertools.cycle(RANK_MODES.items())
    for (family, spec), (pipeline, options) in itertools.product(FAMILIES.items(), PIPELINES.items()):
        mode, traffic = next(modes)
        for ranks in (1, 2, 4):
            yield Case(f"ranks/{family}/{pipeline}/{mode}/{ranks}",
                       [f"run --topology {spec} --pipeline {pipeline} {options} --vcs 8 --json r.json "
                        f"--link-csv l.csv --no-cache {traffic}"], FILES, ranks)


OPTIONS = {  # of run, each alone
    **{f"traffic_{p}": f"--topology torus:8x8 --traffic {p}" for p in PATTERNS},
    "hot_nodes": "--topology mesh:4x4 --traffic hotspot --hot-node 3,5 --hot-probability 0.3 --self",
    "local_square": "--topology mesh:8x8 --traffic local --local-square 2 --local-probability 0.7",
    **{f"arrivals_{a}": f"--topology mesh:4x4 --arrivals {a}" for a in ("bernoulli", "poisson", "constant", "on_off")},
    "burst": "--topology mesh:4x4 --arrivals on_off --burst 3",
    "packet_mix": "--topology mesh:4x4 --packet 2:0.5,7:0.5",
    "seed": "--topology mesh:4x4 --seed 12345",
    "allocators": "--topology torus:4x4 --va-allocator output_first --sa-allocator output_first --arbiter matrix",
    "islip": "--topology torus:4x4 --va-allocator islip --sa-allocator islip --iterations 3 --arbiter age",
    "speculative": "--topology torus:4x4 --stages rc=1,va=1,sa=1,st=2 --speculative --lookahead",
    "lookahead": "--topology torus:4x4 --lookahead",
    "drained": "--topology torus:4x4 --regrant drained",
    "delays": "--topology torus:4x4 --injection-delay 2 --ejection-delay 3 --credit-delay 2 --link-delay 3",
    "delays_by_level": "--topology ttn:2,2,0 --link-delay 1,4",
    "delays_by_length": "--topology torus:4x4 --link-delay linear:0.5",
    "delays_by_log": "--topology torus:4x4 --link-delay log:2",
    "narrow_links": "--topology torus:4x4 --link-width 16 --flit-bits 48",
    "one_link": "--topology torus:4x4 --link 5.x+:delay=3:width=32 --link 6.y-:delay=2",
    "dead_link": "--topology torus:4x4 --routing adaptive --regrant drained --dead-link 9.x+",
    "dead_link_later": "--topology torus:4x4 --dead-link 9.x+@120",
    "full_check": "--topology torus:4x4 --check full",
    "classes": "--topology mesh:4x4 --message-classes 3 --vcs 6",
    "shared_classes": "--topology mesh:4x4 --message-classes 2 --shared-classes",
    "limited_reception": "--topology mesh:4x4 --limited-reception",
    "request_reply_limits": "--topology torus:4x4 --traffic-mode request_reply --reply-queue 1 --outstanding 2 "
                            "--service-cycles 5 --reply-packet 4",
    "adaptive_mesh": "--topology mesh:4x4 --routing adaptive --regrant drained --adaptive-delay 2",
    "xy": "--topology mesh:4x4 --routing xy",
    "ties_positive": "--topology torus:4x4 --ties positive",
    "ties_nowrap": "--topology torus:4x4 --ties nowrap",
    "full_duplex": "--topology ttn:2,2,1 --links B",
    "htn_cs": "--topology htn:4,2,2,1 --routing cs",
    "htn_ls": "--topology htn:4,2,2,1 --routing ls --gates nearest",
    "htn_ls_cs": "--topology htn:4,2,2,1 --routing ls+cs --gates nearest",
    "rdt_vector": "--topology rdt:perfect,16 --routing vector",
    "rdt_floating4": "--topology rdt:beta,16 --routing floating4",
    "saturated": "--topology mesh:4x4 --rate 0.9 --drain 100 --arbiter age",
    "precision": "--topology mesh:4x4 --precision 10% --max-cycles 20000",
    "watch_links": "--topology torus:4x4 --watch-links",
    "deadlock": "--topology ttn:2,2,0 --vc-rule paper --allow-deadlock --rate 0.8 --watchdog 200 --cycles 3000 "
                "--failure-wave f.vcd",
    "quiet_on_stdout": "--topology mesh:4x4 --quiet --json -",
    "default_window": "--topology mesh:4x4 --warmup 2000 --cycles 10000",
    "csv": "--topology torus:4x4 --csv r.csv --link-csv l.csv --json r.json --json-links",
}


MORE_OPTIONS = {  # of run, each alone, and whether at the transaction level, too
    "clock": ("--topology torus:4x4 --clock 1.5 --pitch 2 --csv r.csv", True),
    **{f"equal_{e}": (f"--topology mesh:4x4 --equal {e}:{bits}", True)
       for e, bits in (("bisection", 512), ("pins", 256), ("wires", 1024))},
    "folded": ("--topology torus:6x4 --layout folded --link-delay linear:0.7", True),
    "gateways": ("--topology htn:4,2,2,1 --gateways nearest --routing ls --vc-reallocation atomic", True),
    "balanced": ("--topology torus:4x4 --tie-break balanced --vcs 3", True),
    "failing": ("--topology mesh:4x4 --routing o1turn --fail-link 5.x+@150 --fail-link 9.y-", False),
    "limited_atomic": ("--topology torus:4x4 --limited-reception --vc-reallocation atomic --depth 2", True),
    "slow_narrow": ("--topology torus:4x4 --depth 2 --link-delay 5 --link-width 16 --rate 0.2", True),
    "one_vc": ("--topology mesh:4x4 --vcs 1 --rate 0.4", True),
    "single_cycle_narrow": ("--topology cmesh:2x2,3 --pipeline single_cycle --link-width 32 --rate 0.2", True),
    "classes_reply": ("--topology torus:4x4 --traffic-mode request_reply --rate 0.2 --service-cycles 3", True),
    "watchful": ("--topology torus:8x8 --rate 0.5 --watchdog 40", True),
    **{f"deadlock_{load}": (f"--topology ttn:2,2,0 --vc-rule paper --vcs 2 --allow-deadlock --rate {load} "
                            "--watchdog 300 --cycles 3000 --failure-wave none", True) for load in (0.05, 0.2, 0.8)},
    "series": ("--topology torus:4x4 --rate 0.3 --time-series t.csv --time-step 70", True),
    "packets": ("--topology torus:4x4 --rate 0.3 --packet-stats p.csv", True),
    "transactions": ("--topology torus:4x4 --rate 0.3 --transactions t.ftr --transaction-detail relations", False),
    "packets_waits": ("--topology torus:4x4 --rate 0.3 --packet-stats p.csv.gz --observe", False),
    "observed_switches": ("--topology file:switches.json --rate 0.3 --observe --link-stats l.csv --stalls s.csv "
                          "--events e.csv", False),
    "own_routers": ("--topology file:own.json --rate 0.3 --observe --stalls s.csv --wire-hash", False),
    "flows": ("--topology file:switches.json --flows flows.json", True),
    "matrix": ("--topology mesh:4x4 --flows matrix.csv --packet 4", True),
    "hot_cmesh": ("--topology cmesh:3x3,2 --traffic hotspot --hot-probability 0.2 --include-self", True),
    "poisson_mix": ("--topology ring:9 --arrivals poisson --packet 1:0.2,3:0.3,9:0.5 --rate 0.15", True),
    "starving": ("--topology mesh:1x6 --rate 1 --drain 300", True),
    "batch_hot": ("--topology mesh:4x4 --traffic-mode batch --batch 5 --traffic tornado --cycles 5000", True),
    **{f"routing_{network.split(':')[0]}_{routing}": (f"--topology {network} --routing {routing} --rate 0.2", True)
       for network, routings in (("mesh:4x4", "o1turn valiant"), ("torus:4x4", "o1turn valiant xy"),
                                 ("ctorus:4x4,2", "valiant"), ("fattree:2,3", "random nca"),
                                 ("hypercube:4", "valiant"), ("dragonfly:2,2,1", "valiant"),
                                 ("file:switches.json", "spread random in_turn updown table"))
       for routing in routings.split()},
    **{f"routing_{network.split(':')[0]}_{routing}":
       (f"--topology {network} --routing {routing} --rate 0.2 --vcs 8 --vc-reallocation atomic", False)
       for network, routings in (("mesh:4x4", "ugal adaptive"), ("torus:4x4", "ugal adaptive"),
                                 ("dragonfly:2,2,1", "ugal"), ("flatfly:3,2,2", "ugal"), ("fattree:2,3", "adaptive"),
                                 ("file:switches.json", "adaptive"))
       for routing in routings.split()},
}


def more_options():
    for name, (given, both) in MORE_OPTIONS.items():
        more = "" if "--rate" in given or "--flows" in given or "--batch" in given else " --rate 0.1"
        if "--cycles" not in given:
            more += " --warmup 50 --cycles 300"
        if "--drain" not in given and "--batch" not in given:
            more += " --drain 1000"
        for level in ("cycle", "transaction")[:1 + both]:
            yield Case(f"more/{level}/{name}", [f"run {given}{more} --no-cache --json s.json --fidelity {level}"],
                       FILES)


def options():
    for name, given in OPTIONS.items():
        # What is given comes last: an option given again would be an error, so defaults are left out where named.
        more = "" if "--rate" in given else " --rate 0.1"
        if "--cycles" not in given and "--precision" not in given:
            more += " --warmup 50 --cycles 300"
        if "--drain" not in given:
            more += " --drain 1000"
        yield Case(f"options/{name}", [f"run {given}{more} --no-cache --json s.json"
                                       if "--json" not in given else f"run {given}{more} --no-cache"])


def observations():
    for name, network in (("torus", "torus:4x4 --rate 0.3"), ("ttn", "ttn:2,2,0 --rate 0.02"),
                          ("adaptive", "mesh:4x4 --rate 0.3 --routing adaptive --regrant drained"),
                          ("paper2009", "htn:2,2,2,0 --rate 0.1 --pipeline paper2009 --depth 1"),
                          ("request_reply", "torus:4x4 --rate 0.2 --traffic-mode request_reply")):
        run = f"run --topology {network} {WINDOW}"
        yield Case(f"observe/{name}/csv", [f"{run} --observe --stalls s.csv --events e.csv --link-usage u.csv"])
        yield Case(f"observe/{name}/json", [f"{run} --stalls s.json --events e.json --link-usage u.json --json r.json",
                                            "report r.json u.json -o report.html"])
        yield Case(f"observe/{name}/slowest",
                   [f"explain --topology {network} {WINDOW} --slowest 2 --wave slow.vcd --json slow.json"])
        yield Case(f"observe/{name}/explain", [f"explain --topology {network} {WINDOW} --packet 3 --json story.json"])
    for name, wave in (("all", "torus:4x4 --rate 0.2 --wave *@60:120"),
                       ("module", "ttn:2,2,0 --rate 0.02 --wave ttn.bm_0_0.*@60:120"),
                       ("links", "hypercube:4 --rate 0.2 --wave *@60:120 --wave-groups links,ni"),
                       ("file_network", "file:net.json --rate 0.1 --wave *@60:120")):
        yield Case(f"waves/{name}", [f"run --topology {wave} --wave-file w.vcd {WINDOW}"], FILES)


def traces():
    window = "--warmup 50 --cycles 200"
    for name, options, file in (
            ("text", "--topology ttn:2,2,0 --rate 0.02", "t.txt"),
            ("gz", "--topology torus:6x6 --rate 0.2 --pipeline single_cycle", "t.gz"),
            ("zst", "--topology htn:4,2,2,1 --rate 0.05 --pipeline paper2009 --depth 1", "t.zst"),
            ("text_gz", "--topology mesh:5x5 --message-classes 3 --vcs 6 --packet 2:0.5,7:0.5 --rate 0.2", "t.txt.gz"),
            ("request_reply", "--topology torus:5x5 --traffic-mode request_reply --rate 0.2", "t.zst"),
            ("transaction", "--topology torus:5x5 --fidelity transaction --rate 0.3", "t.zst")):
        yield Case(f"trace/{name}", [f"record -o {file} {options} {window} --json recorded.json",
                                     f"replay {file} --json replayed.json",
                                     f"replay {file} --dependencies --json dependencies.json"])
    yield Case("trace/other_network", [f"record -o t.zst --topology ttn:2,2,0 --rate 0.01 {window}",
                                       "replay t.zst --topology torus:16x16 --json r.json"])


RULES = [  # (network and options, VC rules)
    ("ttn:2,2,0", "paper A C D3 E G K safe"), ("ttn:2,4,0", "F"), ("ttn:2,3,0", "safe"), ("tesh:2,2,1", "G safe"),
    ("sttn:2,2,0", "A C D3 E G S safe"), ("htn:4,2,2,1", "P3 P3w P4 PXd PY paper safe"),
    ("htn:4,2,2,1 --routing adaptive", "duato"), ("mh3dt:4,2,2,2 --vcs 5", "M3 M5 safe"),
    ("torus:4x4", "balanced dateline wrapping safe"), ("torus:4x4 --routing adaptive", "duato"), ("mesh:4x4", "single"),
    ("mesh:4x4 --routing adaptive", "duato"), ("ucube:4,2", "balanced dateline"), ("rdt:alpha,16", "floating3"),
    ("rdt:alpha,16 --routing floating4 --vcs 4", "floating4"), ("rdt:alpha,16 --routing floating", "safe"),
    ("file:net.json", "layers"), ("file:routes.json", "given"), ("ccc:3", "dateline")]

def proofs():
    for family, spec in FAMILIES.items():
        yield Case(f"prove/{family}", [f"prove --topology {spec} --vcs 8 --json p.json --certificate c.txt",
                                       "prove --check c.txt"], FILES)
    for network, rules in RULES:
        for rule in rules.split():
            yield Case(f"prove/rule/{re.sub('[^a-z0-9]+', '-', network)}/{rule}",
                       [f"prove --topology {network} --vc-rule {rule} --no-witness --json p.json"], FILES)
    for method in ("exhaustive", "symmetric", "sampled"):
        yield Case(f"prove/method/{method}", [f"prove --topology ttn:2,2,0 --method {method} --json -"])
    yield Case("prove/witness", ["prove --vc-rule paper --witness w.txt --wave w.vcd --json p.json",
                                 "run --vc-rule paper --allow-deadlock --traffic-file w.txt --failure-wave none"])


def pictures():
    for family, spec in {**FAMILIES, **TO_ANALYSE_ONLY}.items():
        commands = [f"analyze --topology {spec} --json a.json", f"draw --topology {spec} --output d.svg"]
        if family in FAMILIES:
            commands += [f"analyze --topology {spec}",
                         f"analyze --topology {spec} --traffic uniform --load-csv l.csv --zero-load"]
        yield Case(f"analyze/{family}", commands, FILES)
    yield Case("analyze/compare", ["analyze --compare mesh:8x8 torus:8x8 hypercube:6",
                                   "analyze --compare ttn:2,2,0 rdt:alpha,16 --json a.json"])
    yield Case("analyze/options", ["analyze --topology torus:8x8 --layout folded --pitch 1.5 --json a.json",
                                   "analyze --topology mesh:4x4 --flows matrix.csv --json f.json",
                                   "prove --topology mesh:4x4 --flows matrix.csv --json p.json",
                                   "analyze --topology file:switches.json --flows flows.json",
                                   "run --topology mesh:4x4 --json r.json --json-links --warmup 50 --cycles 200",
                                   "draw --use r.json --output use.svg"], FILES)
    for name in ("mesh:2x2", "torus:4x4", "ttn:2,2,0", "hypercube:3"):
        yield Case(f"export/{name.split(':')[0]}", [f"export --topology {name} --sv sv",
                                                    f"export --topology {name} --routes routes"])
    yield Case("export/single_cycle", ["export --topology torus:3x3 --pipeline single_cycle --depth 2 --sv sv"])
    yield Case("export/shared_classes", ["export --topology mesh:2x2 --vcs 4 --message-classes 2 --shared-classes "
                                         "--credit-delay 1 --injection-delay 2 --sv sv"])
    own = "export --topology file:own.json --vcs 3 --depth 4 --sv sv"
    yield Case("export/own_routers", [f"{own} --scoreboard"], {"own.json": EXPORTED})
    yield Case("export/own_routers_limited", [f"{own} --limited-reception"], {"own.json": EXPORTED})
    yield Case("export/in_turn", ["export --topology file:switches.json --routing in_turn --vcs 2 --sv sv"],
               {"switches.json": SWITCHES})


RTL = "--topology mesh:2x2 --rate 0.2 --warmup 20 --cycles 200 --drain 1000"
RTL_CASES = [Case("rtl/run", [f"run {RTL} --rtl * --json r.json --wire-hash", f"cosim {RTL} --rtl * --json c.json"]),
             Case("rtl/single_cycle", [f"cosim {RTL} --rtl 1 --pipeline single_cycle --json c.json",
                                       f"cosim {RTL} --rtl 1 --pipeline single_cycle --inject-fault 1@60"])]

SWEEP = ("sweep --topology torus:4x4,mesh:4x4 --traffic uniform,transpose --rates 0.1,0.2,0.3 --seeds 1:2 "
         "--warmup 50 --cycles 200 --drain 500 --jobs 1 --out out")
SEARCH = ("sweep --topology torus:4x4,mesh:4x4 --tolerance 0.1 --seeds 1 --observe --warmup 50 --cycles 400 "
          "--drain 400 --jobs 1 --out out")
BEGUN = {"fixed": (SWEEP, [0, 3, 7, 11, 20]), "search": (SEARCH, [1])}
PLAN = {"traffic": ["uniform", "transpose"], "packet": 4, "rates": "0.1:0.3:0.1", "seeds": [4], "warmup": 50,
        "cycles": 200, "configurations": [{"topology": ["torus:4x4", "mesh:4x4"], "vcs": 2},
                                          {"topology": "ttn:2,2,0", "vc_rule": "safe"}]}


def sweeps():
    for name, (command, points) in BEGUN.items():
        yield Case(f"sweep/{name}/whole", [command])
        yield Case(f"sweep/{name}/begun", [f"{command} --point {k}" for k in points])
    yield Case("sweep/plan", ["sweep --plan plan.json --list", "sweep --plan plan.json --out out --jobs 1",
                              "sweep --plan plan.json --out out --jobs 1", "report out -o report.html"],
               {"plan.json": json.dumps(PLAN)})
    yield Case("sweep/saturation", [
        "sweep --topology torus:4x4,cmesh:2x2,2 --vcs 2,4 --tolerance 0.1 --seeds 2 --warmup 50 --cycles 400 "
        "--drain 400 --jobs 1 --out out --confirm 2",
        "sweep --topology ring:8 --rates 0.1,0.9 --seeds 3 --confidence 0.9 --warmup 50 --cycles 300 --jobs 1 "
        "--out two"])
    yield Case("sweep/slurm", [f"{SWEEP} --slurm"])


def resumed_case(name, begun):
    """The sweep of BEGUN[name], finished from the files that its begun half left."""
    return Case(f"sweep/{name}/resumed", [BEGUN[name][0]], begun)


# The parameters that the first version of the program had, as its result files held them.
OLD_CONFIG = {
    "topology": {"spec": "ttn:2,2,0", "links": "U", "ties": "nowrap", "vc_rule": "K", "link_delay_cycles": [1, 2]},
    "router": {"pipeline": "four_stage", "regrant": "tail", "vcs": 4, "depth_flits": 4},
    "network": {"injection_delay_cycles": 1, "ejection_delay_cycles": 1, "credit_delay_cycles": 0,
                "watchdog_cycles": 5000, "checks": "cheap", "wire_hash": True},
    "traffic": {"pattern": "uniform", "rate_flits_per_node_cycle": 0.02, "packet_flits": "16", "arrivals": "bernoulli",
                "include_self": False, "hot_probability": 0.05, "hot_nodes": [], "file": "", "seed": 1},
    "measurement": {"warmup_cycles": 50, "measure_cycles": 200, "drain_cycles": 1000}}


def configurations():
    yield Case("config/old", ["run --config old.json --json r.json", "run --config r.json --json again.json",
                              "run --config old.json --depth 6 --quiet --json -", "prove --config old.json"],
               {"old.json": json.dumps(OLD_CONFIG, indent=2)})
    yield Case("config/old_result", ["run --config old.json --json r.json"],
               {"old.json": json.dumps({"config": OLD_CONFIG, "results": {}}, indent=2)})
    yield Case("config/options", ["run --config c.json --depth 6 --json r.json"],
               {"c.json": '{"router": {"vcs": 3}, "depth": 5, "traffic": "neighbour", // a comment\n'
                          '"topology": {"spec": "mesh:3x3"}, "packet": 7, "warmup": 10, "cycles": 50}'})
    yield Case("config/plan", ["sweep --plan old.json --list",
                               "sweep --plan old.json --rates 0.01 --seeds 1 --jobs 1 --out out"],
               {"old.json": json.dumps(OLD_CONFIG | {"traffic": {"pattern": "uniform", "packet_flits": "16"}})})


KINDS = {"topology": "topologies", "routing": "routings", "vc_rule": "vc_rules", "pattern": "patterns",
         "arrival": "arrivals", "pipeline": "pipelines", "regrant": "regrants", "allocator": "allocators",
         "arbiter": "arbiters", "figure": "figures", "parameter": "parameters"}
COMMANDS = ["run", "record", "replay", "explain", "cosim", "analyze", "draw", "export", "prove", "sweep", "report",
            "bench", "reproduce", "list", "describe"]


def texts(names_of):
    """names_of(KIND): the names that the program lists."""
    yield Case("texts/help", ["--help", "--version", *(f"{c} --help" for c in COMMANDS)])
    yield Case("texts/list", ["list", *(f"list {k}" for k in KINDS.values())])
    for kind, plural in KINDS.items():
        yield Case(f"texts/describe_{kind}", [f"describe {kind} {name}" for name in names_of(plural)])
    yield Case("papers/list", ["reproduce --list"])
    yield Case("papers/items", [
        "reproduce ttn2009 --item 'Table 1: TTN(2,2,0)'",
        "reproduce ttn2009 --item 'Theorem 1'"])


def cases(names_of):
    for part in (every_family, options, more_options, observations, traces, proofs, pictures, sweeps, configurations):
        yield from part()
    yield from texts(names_of)
    yield from RTL_CASES
    yield from wrong_cases()


WRONG = [
    "--jsn", "runn", "run --rat 0.1", "run --xyzzy", "run --rate", "run fast", "list toplogies",
    "describe pattern unifrom", "describe", "describe colour red", "describe topology nothing",
    "run --topology tttn:2,2,0", "run --topology ttn:2,2", "run --topology ttn:2,3,2", "run --topology mesh:8x0",
    "run --topology torus:99999x99999", "run --topology mesh:", "run --topology file:none.json",
    "run --topology rdt:gamma,16", "run --topology rdt:alpha,17", "run --topology ccc:2",
    "run --topology debruijn:2,4", "run --topology star:4", "run --links X", "run --ties sometimes",
    "run --vc-rule Z9", "run --routing dro", "run --gates far", "run --vc-rule paper",
    "run --topology torus:4x4 --vcs 1", "run --topology mesh:4x4 --routing vector",
    "run --topology torus:4x4 --routing adaptive --vc-rule dateline", "run --pipeline four_stages",
    "run --stages rc=1,va=9", "run --stages sa=0,st=0", "run --pipeline single_cycle --stages rc=2",
    "run --va-allocator slip", "run --arbiter random", "run --iterations 2", "run --speculative --stages va=2",
    "run --adaptive-delay 16", "run --pipeline paper2009 --depth 2", "run --vcs 17", "run --depth 2.5",
    "run --depth 0", "run --cycles 0", "run --packet 0", "run --packet 4:0.5,16", "run --rate 1.01", "run --rate nan",
    "run --seed -1", "run --link-delay 0", "run --link-delay cubic:2", "run --link-delay 1,2,3",
    "run --link-width 1 --flit-bits 256", "run --topology torus:4x4 --link 5.q+:delay=2",
    "run --topology torus:4x4 --dead-link 16.x+", "run --traffic bitreversal",
    "run --topology mesh:6x6 --traffic shuffle", "run --topology mesh:4x8 --traffic transpose",
    "run --traffic hotspot --hot-node 256", "run --hot-node 3", "run --burst 3",
    "run --topology mesh:4x4 --ties nowrap", "run --traffic-mode batch --rate 0.3", "run --traffic-mode batches",
    "run --fidelity transaction --arbiter age", "run --fidelity exact",
    "run --fidelity transaction --pipeline paper2009 --depth 1", "run --precision -1", "run --wave ttn.*@9:2",
    "run --wave tnt.*@0:2", "run --wave *@0:2 --wave-groups links,vc", "run --wave-file a.vcd", "run --json-links",
    "run --json - --link-csv -", "run --json no/such/r.json", "run --stalls - --events -",
    "run --fidelity transaction --observe", "run --config nowhere.json", "run --traffic-file nowhere.txt",
    "run --topology torus:4x4 --rtl 16", "run --topology torus:4x4 --rtl 5 --rtl-seed -1",
    "run --topology torus:4x4 --rtl 5 --pipeline paper2009", "cosim --topology torus:4x4", "cosim --rlt 5", "explain",
    "explain --packet 1st", "explain --packet 1 --stalls s.csv", "draw --vcs 8", "draw --output a.png",
    "analyze --self", "analyze --compare mesh:4x4 --ties nowrap", "prove --rate 0.1", "prove --method magic",
    "prove --topology torus:4x4 --method symmetric", "prove --check none.txt", "export",
    "export --sv rtl --watchdog 9", "record", "replay", "replay nowhere.zst", "report", "report none", "sweep",
    "sweep --topologie torus:4x4 --out d", "sweep --topology torus:4x4 --rates 0.5:0.1:0.1 --out d",
    "sweep --plan none.json --out d", "reproduce nature2009", "reproduce ttn2009 --item 'Table 99'", "bench --sizes 1",
]
WRONG_FILES = [
    ("run --config in.txt", '{"router": {"dept_flits": 4}}'), ("run --config in.txt", '{"ruter": {"vcs": 4}}'),
    ("run --config in.txt", '{"router": {"vcs": "four"}}'), ("run --config in.txt", '{"router": {"vcs": 0}}'),
    ("run --config in.txt", '{\n"rate": 0.1,\n"vcs" 4}\n'), ("run --config in.txt", ""),
    ("run --config in.txt", "[1, 2]"),
    ("run --traffic-file in.txt", "0 0 1 16\n5 1 2\n"), ("run --traffic-file in.txt", "0 x 1 16\n"),
    ("run --traffic-file in.txt", "# c\n0 0 1 16\n5 1 256 4\n"), ("run --traffic-file in.txt", "0 0 1 0\n"),
    ("replay in.txt --topology mesh:4x4", ""), ("run --traffic-file in.txt --seed 2", "0 0 1 16\n"),
    ("prove --check in.txt", "1 2 3\n"), ("report in.txt", "latency 20\n"),
    ("run --topology file:in.txt", "{}"),
    ("run --topology file:in.txt", '{"nodes": 2, "links": [{"from": 0, "to": 9}]}'),
    ("run --topology file:in.txt", "nodes"), ("sweep --plan in.txt --out d", '{"topologie": ["torus:4x4"]}'),
    ("sweep --plan in.txt --out d", '{"rates": "often"}'), ("cosim --rtl 1 --rtl-router in.txt", "{}"),
    ("run --topology mesh:2x2 --rtl 1 --rtl-router in.txt", "{}"),
]
WRONG_RANKS = ["run --observe", "run --rat 0.1", "list", "run --topology mesh:2x1",
               "run --fidelity transaction", "run --traffic-mode request_reply", "run --wave *@0:9"]


def wrong_cases():
    """Named by their place in the list: wrong/001 ..."""
    lone = [Case("", [c]) for c in WRONG] + [Case("", [c], {"in.txt": text}) for c, text in WRONG_FILES]
    found = lone + [Case("", [c], {}, 3) for c in WRONG_RANKS]
    for number, case in enumerate(found, 1):
        case.name = f"wrong/{number:03}"
        yield case


INSTRUCTIONS = {  # six kinds of run
    "four_stage": "run --topology torus:8x8 --rate 0.2 --warmup 50 --cycles 400 --drain 500 --no-cache --quiet",
    "single_cycle": "run --topology hypercube:6 --rate 0.2 --pipeline single_cycle --warmup 50 --cycles 400 "
                    "--drain 500 --no-cache --quiet",
    "paper2009": "run --topology ttn:2,2,0 --rate 0.005 --pipeline paper2009 --depth 1 --warmup 50 --cycles 400 "
                 "--drain 500 --no-cache --quiet",
    "request_reply": "run --topology torus:8x8 --rate 0.1 --traffic-mode request_reply --warmup 50 --cycles 400 "
                     "--drain 500 --no-cache --quiet",
    "transaction": "run --topology torus:8x8 --rate 0.2 --fidelity transaction --warmup 50 --cycles 2000 "
                   "--drain 500 --no-cache --quiet",
    "observed": "run --topology torus:8x8 --rate 0.2 --observe --warmup 50 --cycles 400 --drain 500 --no-cache "
                "--quiet",
}
BYTES_PER_NODE = {"torus": "run --topology torus:128x128", "ttn": "run --topology ttn:2,3,0",
                  "transaction": "run --topology torus:128x128 --fidelity transaction"}
