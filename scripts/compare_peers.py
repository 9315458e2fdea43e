#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a flit-hop costs toriscope and the simulators that you bring: CPU time, user and system, net of start-up, at
equal accepted load, in alternating repeats. Uniform traffic in packets of 16 flits, 4 VCs of 8 flits, dimension order.
A flit-hop is a flit that passes a router: flits ejected times the routers on their paths (links crossed + 1)."""
import argparse
import collections
import dataclasses
import json
import math
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True  # no __pycache__ in the tree
from peer_networks import MAKERS, network_of  # noqa: E402
from peers import BookSim, Failure, Noxim, Toriscope, Workload, bracket  # noqa: E402

EPILOG = """Exit status: 0 all targets met, 1 a target missed or a check failed, 2 bad usage or a simulator that fails.
Examples:
  scripts/compare_peers.py --booksim booksim2/src/booksim --sizes 8
  scripts/compare_peers.py --booksim booksim2/src/booksim --cross-check --json agree.json
  scripts/compare_peers.py --booksim booksim2/src/booksim --noxim noxim/bin/noxim --json ratios.json   (some 20 minutes)
"""
PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build/release/toriscope")


# --- What a flit-hop costs: repeats alternate (A B A B), and every cost is the difference of two run lengths, so that
# start-up and report cancel.

@dataclasses.dataclass(frozen=True)
class Cell:
    """One line of the comparison. saturated: offered more than either accepts, so loads are told, not compared;
    at_peer_load: toriscope is offered what the peer accepted, for a peer that saturates far below it."""
    network: str
    k: int
    rate: float
    period: int  # cycles of the peer: warm-up of one, runs of one and of four periods
    target: float  # least ratio
    saturated: bool = False
    at_peer_load: bool = False

    @property
    def name(self):
        return f"{self.network} {self.k}x{self.k} {'saturated' if self.saturated else format(self.rate, 'g')}"


# The periods cost each peer a second or two a run at 8x8, half a minute at 64x64. Noxim's 64x64 saturates below .02.
CELLS = {
    BookSim: [Cell("torus", 8, .02, 20000, 15.), Cell("torus", 8, .1, 6000, 15.), Cell("torus", 8, .2, 3000, 15.),
              Cell("torus", 8, 1., 1500, 15., saturated=True), Cell("torus", 64, .02, 300, 40.),
              Cell("torus", 64, .05, 300, 40.)],
    Noxim: [Cell("mesh", 8, .02, 10000, 30.), Cell("mesh", 8, .1, 5000, 30.),
            Cell("mesh", 8, 1., 3000, 30., saturated=True, at_peer_load=True), Cell("mesh", 64, .01, 300, 100.)]}
LOADS_WITHIN = .02
OWN_FACTOR = 10  # our runs are longer than the peer's, so that their CPU times are of one order


class Figures:
    """One simulator in one cell, over all repeats."""

    def __init__(self):
        self.runs, self.costs, self.packets = [], [], 0

    def measure(self, simulator, cell, rate, period, seed):
        """A repeat: the short and the long run."""
        work = Workload(cell.network, cell.k, rate, period, period, seed)
        less, more = simulator.run(work), simulator.run(work.but(measured=4 * period))
        cpu = more.cpu - less.cpu
        if cpu <= 0:
            raise Failure(f"{simulator.name}, {cell.name}: a run of {more.cycles:g} cycles took no more CPU time than "
                          f"one of {less.cycles:g}: too short to measure here")
        flits = more.accepted * work.nodes * (more.cycles - less.cycles)
        if not flits > 0:
            raise Failure(f"{simulator.name}, {cell.name}: no flit arrived")
        self.runs.append(more)
        self.costs.append(cpu * 1e9 / (flits * more.visits))
        self.packets += more.accepted * work.nodes * 4 * period / work.flits

    def mean(self, figure):
        return statistics.fmean(getattr(run, figure) for run in self.runs)

    def as_json(self):
        return {"accepted_flits_per_node_cycle": self.mean("accepted"), "routers_per_flit": self.mean("visits"),
                "latency_mean_cycles": self.mean("latency_mean"), "cpu_ns_per_flit_hop": self.costs}


class Comparison:
    """Two simulators in one cell."""
    HEAD = (f"{'peer':<9} {'work':<22} {'accepted':>9} {'ours':>9} {'ns/hop':>10} {'ours':>10} {'ratio':>7} "
            f"{'spread':>12} {'target':>7}  verdict\n")

    def __init__(self, peer, own, cell, repeats, scale=1, tell=lambda line: None):
        self.cell, self.peer, self.theirs, self.ours = cell, peer.name, Figures(), Figures()
        period = max(1, round(cell.period * scale))
        for seed in range(1, repeats + 1):
            tell(f"{peer.name} {cell.name}: repeat {seed} of {repeats}")
            self.theirs.measure(peer, cell, cell.rate, period, seed)
            rate = self.theirs.mean("accepted") if cell.at_peer_load else cell.rate
            self.ours.measure(own, cell, rate, period * OWN_FACTOR, seed)
        self.ratios = [theirs / ours for theirs, ours in zip(self.theirs.costs, self.ours.costs)]
        self.ratio = statistics.median(self.ratios)
        self.met = self.ratio >= cell.target
        self.load_difference = abs(self.theirs.mean("accepted") / self.ours.mean("accepted") - 1)
        # Packets are drawn independently: their number has about its own size as variance.
        self.load_tolerance = max(LOADS_WITHIN, 3 * math.sqrt(1 / self.theirs.packets + 1 / self.ours.packets))
        self.loads_agree = cell.saturated and not cell.at_peer_load or self.load_difference <= self.load_tolerance

    def line(self):
        verdict = (f"loads differ by {100 * self.load_difference:.1f} %" if not self.loads_agree
                   else "ok" if self.met else "MISSED")
        return (f"{self.peer:<9} {self.cell.name:<22} {self.theirs.mean('accepted'):>9.4f} "
                f"{self.ours.mean('accepted'):>9.4f} {statistics.median(self.theirs.costs):>10.1f} "
                f"{statistics.median(self.ours.costs):>10.2f} {self.ratio:>7.1f} "
                f"{f'{min(self.ratios):.1f}-{max(self.ratios):.1f}':>12} {self.cell.target:>7g}  {verdict}\n")

    def as_json(self):
        return {"peer": self.peer, "work": self.cell.name, "topology": self.cell.network, "k": self.cell.k,
                "offered_flits_per_node_cycle": self.cell.rate, "saturated": self.cell.saturated,
                "theirs": self.theirs.as_json(), "toriscope": self.ours.as_json(), "ratio": self.ratio,
                "ratios": self.ratios, "target": self.cell.target, "met": self.met,
                "load_difference": self.load_difference, "load_tolerance": self.load_tolerance,
                "loads_agree": self.loads_agree}


def compare_costs(asked, directory, show, tell):
    """All cells, after a lone packet now and then: what the contracts of time say. Returns (JSON, all is well)."""
    lone = Workload(traffic="neighbour", rate=.002, warmup=500, measured=10000)
    checks, cells, peers = [], [], []

    def check(what, measured, expected):
        agrees = abs(measured - expected) < .01
        checks.append({"what": what, "measured": measured, "expected": expected, "agrees": agrees})
        show(f"{what}: {measured:g} cycles, expected {expected:g}: "
             f"{'the same machine' if agrees else 'DIFFERS: these are other machines'}\n")
    if asked.booksim:
        peer, own = BookSim(asked.booksim, directory), Toriscope(asked.toriscope, 2, True)
        check("BookSim2, torus 8x8, three routers: least packet latency, beside toriscope with D = 2 everywhere",
              peer.run(lone).latency_min, own.run(lone).latency_min)
        peers.append((peer, own))
    if asked.noxim:
        peer = Noxim(asked.noxim, asked.noxim_power, directory)
        check("Noxim, mesh 8x8, corner to corner, 15 routers: delay of a head, two cycles a router by its handshake",
              peer.run(lone.but(network="mesh")).latency_mean, 30.)
        peers.append((peer, Toriscope(asked.toriscope, 1, False)))
    for peer, own in peers:
        for cell in CELLS[type(peer)]:
            if str(cell.k) in asked.sizes:
                repeats = asked.repeats or (1 if asked.quick else 3 if cell.k > 8 else 5)
                cells.append(Comparison(peer, own, cell, repeats, .1 if asked.quick else 1, tell))
                show((Comparison.HEAD if len(cells) == 1 else "") + cells[-1].line())
    well = all(c["agrees"] for c in checks) and all(c.met and c.loads_agree for c in cells)
    return {"zero_load": checks, "comparison": [c.as_json() for c in cells]}, well


# --- The cross-check, pair by pair. toriscope prints one hash over source, destination, creation and reception of all
# packets (docs/model.md). A file with a lone packet for each pair says whether all latencies equal the peer's: then the
# hash is the one that the peer's latencies give. Where it is not, halving the file finds the first pair that differs.

SPACING = 400  # cycles between the packets of a file: most networks are empty again
Lone = collections.namedtuple("Lone", "source destination latency")  # cycles, as the peer has it


def lone_packets(latencies, nodes):
    """The pairs of a table of latencies that are whole numbers of cycles: others were disturbed, or have no packet."""
    return [Lone(*divmod(i, nodes), int(cycles)) for i, cycles in enumerate(latencies) if float(cycles).is_integer()]


def packet_file(packets, flits, spacing=SPACING):
    return "# cycle source destination length\n" + "".join(
        f"{i * spacing} {p.source} {p.destination} {flits}\n" for i, p in enumerate(packets))


def mixed(first, *rest):
    """mix() of base/hash.h: the finaliser of SplitMix64, over several values."""
    mask = 2**64 - 1
    x = first + 0x9e3779b97f4a7c15 & mask if rest else first
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & mask
    x = (x ^ x >> 27) * 0x94d049bb133111eb & mask
    x ^= x >> 31
    return mixed(x ^ rest[0], *rest[1:]) if rest else x


def expected_hash(packets, spacing=SPACING):
    """packet_hash of that file if every packet takes its latency."""
    hashes = (mixed(p.source, p.destination, i * spacing, i * spacing + p.latency) for i, p in enumerate(packets))
    return f"{sum(hashes) % 2**64:016x}"


def agreeing_before_first_difference(packets, agree):
    """How many of the packets come before the first one whose latency is another: all, if none is."""
    if agree(packets):
        return len(packets)
    first, length = 0, len(packets)
    while length > 1:
        half = length // 2
        if agree(packets[first:first + half]):
            first, length = first + half, length - half
        else:
            length = half
    return first


def by_way(packets, way):
    """Latencies by the way of the packets, of the peer: how many pairs have each."""
    found = collections.defaultdict(collections.Counter)
    for p in packets:
        found[way(p.source, p.destination)][p.latency] += 1
    return found


def latencies_text(found):
    """By routers passed and kinds of links: "2: 27, 3 lg: 148 (63 pairs) 149 (1 pairs)"; three latencies of each."""
    def text(latencies):
        if len(latencies) == 1:
            return f"{next(iter(latencies))}"
        return " ".join([f"{cycles} ({n} pairs)" for cycles, n in sorted(latencies.items())][:3] + ["..."])
    return ", ".join(f"{routers} {kinds}".strip() + ": " + text(latencies)
                     for (routers, kinds), latencies in sorted(found.items()))


# --- The cross-check, pattern by pattern. A load is stable when the flits accepted in the measured cycles are >= .95 of
# those offered by the nominal load, in the mean of all seeds. (toriscope's own `stable` also needs a drain, which
# BookSim2's fixed periods lack.)

PATTERNS = ("uniform", "transpose", "bit_reversal", "complement", "shuffle", "tornado")  # defined alike in both
NETWORKS = tuple(MAKERS)


def patterns_of(network):
    """The other networks number their terminals in another way: only uniform traffic is the same."""
    return PATTERNS if network in ("mesh", "torus") else ("uniform",)


PARTS = [f"{network}/{part}" for network in NETWORKS for part in ("pairs", *patterns_of(network))]


def bracket_of(simulator, work, steps, seeds, near):
    def stable(load):
        accepted = sum(simulator.run(work.but(rate=load, seed=seed)).accepted for seed in range(1, seeds + 1)) / seeds
        return accepted >= .95 * load
    return bracket(stable, steps, near)


def brackets_agree(a, b, steps):
    """Brackets overlap or touch, or one step of the grid lies between them: what the seeds do."""
    return (max(a[0], b[0]) - min(a[1], b[1])) * steps < 1.5  # whole numbers of steps, but for rounding


def bracket_text(b):
    return f"{b[0]:.3g}-{b[1]:.3g}"


def bracket_json(b):
    return {"stable": b[0], "saturated": b[1]}


def saturation_verdict(theirs, ours, variants, steps):
    if brackets_agree(theirs, ours, steps):
        return "agree"
    for name, found in variants.items():
        if brackets_agree(theirs, found, steps):
            return "explained: " + name
    return f"differ by {100 * abs(sum(ours) / sum(theirs) - 1):.0f} %"


def variants_for(network, traffic):
    """toriscope with one difference to BookSim2 taken away: {name: arguments of CrossCheck.own}."""
    found = {"own node left out": {"include_self": False}} if traffic == "uniform" else {}
    if network == "torus":
        found["VC rule wrapping"] = {"arguments": ["--vc-rule", "wrapping"]}
        for ties in ("nowrap", "positive"):
            found[f"VC rule wrapping, ties {ties}"] = {"arguments": ["--vc-rule", "wrapping", "--tie-break", ties]}
    return found | {name: {"file": name} for name in network_of(network).files}


@dataclasses.dataclass
class CrossCheck:
    """BookSim2 and toriscope on the same work: zero-load latency of every pair, and the load that saturates mesh and
    torus under six patterns, the other networks under uniform traffic. Where brackets lie apart, toriscope with one
    difference less says which is the reason."""
    peer: BookSim
    program: str  # toriscope
    directory: str  # for files of the runs
    only: tuple = ()  # "mesh/pairs" ...; empty: all of it
    show: callable = sys.stdout.write
    tell: callable = lambda line: None
    k: int = None  # None: the network's own
    steps: int = 100  # of the grid of loads, 0 .. 1
    seeds: int = 2  # of every load
    pair_runs: int = 25  # of BookSim2, for the latencies of pairs
    warmup: int = 1000  # cycles, of a load
    measured: int = 3000

    def own(self, network, include_self=True, arguments=(), file=None):
        """@param file  name of a difference removed (Network.files)"""
        # Ejection ports with credits, as BookSim2 has them.
        net = network_of(network, self.k)
        made = Toriscope(self.program, 2, include_self, [*(() if file else net.routing), "--limited-reception",
                                                         *arguments])
        if file:
            made.use_file(net.files[file], self.directory)
        return made

    def equal_packets(self, own, work, packets):
        """(How many of them, from the first one on, have the latency given, the first one that has not in words)."""
        file, spacing = os.path.join(self.directory, "packets.txt"), work.net.spacing

        def run(some):
            with open(file, "w", encoding="utf-8") as out:
                out.write(packet_file(some, work.flits, spacing))
            return own.run_packets(work, file)
        equal = agreeing_before_first_difference(
            packets, lambda some: run(some)[0] == expected_hash(some, spacing))
        if equal == len(packets):
            return equal, ""
        p = packets[equal]
        return equal, f"{p.source} to {p.destination}: BookSim2 {p.latency}, toriscope {run([p])[1]:g} cycles"

    def pairs(self, network, flits, depth=8, credit_delay=0):
        net = network_of(network, self.k)
        pairs = net.nodes * net.nodes
        self.tell(f"{network}: zero-load latency of {pairs} pairs, packets of {flits}")
        measured = int(net.nodes * flits / net.lone_rate)
        work = Workload(network, self.k, net.lone_rate, measured // 10, measured, flits=flits, depth=depth,
                        credit_delay=credit_delay)
        packets = lone_packets(self.peer.lone_pair_latencies(work, self.pair_runs), net.nodes)
        ways = by_way(packets, net.way)
        own = self.own(network, file=next(reversed(net.files), None))
        equal, difference = self.equal_packets(own, work, [
            Lone(net.terminal(p.source), net.terminal(p.destination), p.latency) for p in packets])
        if not difference and len(packets) < pairs:
            difference = f"{pairs - len(packets)} had no undisturbed packet in BookSim2"
        found = {"topology": network, "network": net.title, "packet_flits": flits, "depth_flits": depth,
                 "credit_delay_cycles": credit_delay, "pairs": pairs, "compared": len(packets), "equal": equal,
                 "difference": difference, "agrees": len(packets) == equal == pairs}
        self.show(f"{net.title}, packets of {flits}, depth {depth}, credit delay {credit_delay}: {equal} of {pairs} "
                  f"pairs equal{difference and '; '}{difference}\n  cycles by routers passed: {latencies_text(ways)}\n")
        if net.own_way and found["agrees"]:
            found |= self.pairs_by_way(work, ways)
        return found

    def pairs_by_way(self, work, ways):
        """toriscope connects the routers otherwise: do its pairs have BookSim2's latency of the same kind of way?"""
        net = work.net
        latency = {way: next(iter(latencies)) for way, latencies in ways.items() if len(latencies) == 1}
        equal, difference = self.equal_packets(self.own(work.network), work, [
            Lone(source, destination, latency.get(net.own_way(source, destination), 0))
            for source in range(net.nodes) for destination in range(net.nodes)])
        self.show(f"  {net.spec}: {equal} of {net.nodes**2} pairs have the latency of their kind of way"
                  f"{difference and '; '}{difference}\n")
        return {"equal_by_way": equal, "difference_by_way": difference, "agrees": not difference}

    def saturation(self, network, traffic):
        work = Workload(network, self.k, warmup=self.warmup, measured=self.measured, traffic=traffic)

        def search(simulator, who, near):
            self.tell(f"{network}, {traffic}: saturation, {who}")
            return bracket_of(simulator, work, self.steps, self.seeds, near)
        own, full = self.own(network), work.but(rate=1.)
        ours = search(own, own.name, .3)
        theirs = search(self.peer, self.peer.name, ours[0])
        at_full = {"booksim2": self.peer.run(full).accepted, "toriscope": own.run(full).accepted}
        variants = {name: search(self.own(network, **change), name, ours[0])
                    for name, change in variants_for(network, traffic).items()}
        verdict = saturation_verdict(theirs, ours, variants, self.steps)
        self.show(f"{network:<9} {traffic:<13} {bracket_text(theirs):>11} {bracket_text(ours):>11} "
                  f"{at_full['booksim2']:>9.3f} {at_full['toriscope']:>9.3f}  {verdict}\n"
                  + "".join(f"         {name}: {bracket_text(found)}\n" for name, found in variants.items()))
        return {"topology": network, "traffic": traffic, "booksim2": bracket_json(theirs),
                "toriscope": bracket_json(ours), "accepted_at_load_1": at_full,
                "variants": {name: bracket_json(found) for name, found in variants.items()} or None,
                "verdict": verdict}

    def run(self):
        """All of it, shown as it comes. Returns (JSON, whether nothing is left unexplained)."""
        def parts(*names):
            wanted = self.only or PARTS
            return [(network, part) for network in NETWORKS for part in names if f"{network}/{part}" in wanted]
        lone = [self.pairs(network, *case) for network, _ in parts("pairs")
                for case in network_of(network, self.k).pair_cases]
        self.show(f"\n{'':<9} {'saturation at':<13} {'BookSim2':>11} {'toriscope':>11} {'at load 1':>9} "
                  f"{'toriscope':>9}  verdict\n")
        loads = [self.saturation(*part) for part in parts(*PATTERNS)]
        well = all(p["agrees"] for p in lone) and not any(s["verdict"].startswith("differ") for s in loads)
        return {"zero_load": lone, "saturation": loads}, well


# --- The command line.

class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(message + "; see compare_peers.py --help")


def parse(arguments):
    def some_of(known):
        def values(text):
            for value in text.split(","):
                if value not in known:
                    raise argparse.ArgumentTypeError(f"'{value}' is not one of {', '.join(known)}")
            return text.split(",")
        return values

    def repeats(text):
        if not text.isdecimal() or not 1 <= int(text) <= 1000:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 to 1000")
        return int(text)
    parser = Parser(prog="compare_peers.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter,
                    allow_abbrev=False, epilog=EPILOG)
    add = parser.add_argument
    add("--booksim", metavar="PATH", help="BookSim2's program, built with -O3")
    add("--noxim", metavar="PATH", help="Noxim's program, built with -O3")
    add("--noxim-power", metavar="FILE", help="Noxim's power.yaml [beside its program]")
    add("--toriscope", metavar="PATH", default=PROGRAM, help="the toriscope program [build/release/toriscope]")
    add("--sizes", metavar="K,...", type=some_of(["8", "64"]), nargs="+", default=[["8", "64"]],
        help="8, 64 or both: nodes in a dimension [8,64]")
    add("--repeats", metavar="N", type=repeats, help="of every pair of runs [5; 3 at 64x64; 1 with --quick]")
    add("--json", metavar="FILE", help="all figures as JSON; - is standard output, without the table")
    add("--cross-check", action="store_true",
        help="whether BookSim2 and toriscope agree, instead of what they cost: zero-load latency of every pair,\n"
             "saturation under six patterns, mesh and torus 8x8; butterfly, fattree, cmesh, flatfly and dragonfly\n"
             "under uniform traffic (docs/booksim_cross_check.md)")
    add("--only", metavar="PART,...", type=some_of(PARTS), nargs="+", default=[],
        help="of the cross-check: mesh/pairs, torus/uniform ... [all of it]")
    add("--quick", action="store_true", help="a tenth of the run lengths, once: whether it works, not how fast")
    asked = parser.parse_args(arguments)
    asked.sizes, asked.only = sum(asked.sizes, []), sum(asked.only, [])
    if not asked.booksim and not asked.noxim:
        parser.error("give --booksim PATH or --noxim PATH, or both")
    if asked.cross_check and not asked.booksim:
        parser.error("--cross-check needs --booksim PATH")
    if asked.noxim:
        beside = os.path.join(os.path.dirname(os.path.abspath(asked.noxim)), "power.yaml")
        asked.noxim_power = os.path.abspath(asked.noxim_power or beside)
        if not os.path.exists(asked.noxim_power):
            raise Failure(f"Noxim needs its power.yaml, and there is no {asked.noxim_power}; give --noxim-power FILE")
    return asked


def main(arguments):
    asked = parse(arguments)

    def show(text):
        if asked.json != "-":
            print(text, end="", flush=True)

    def tell(line):
        if sys.stderr.isatty():
            print(line, "...", file=sys.stderr)
    with tempfile.TemporaryDirectory() as directory:  # of the peers' files
        if asked.cross_check:
            settings = {"seeds": asked.repeats} if asked.repeats else {}
            if asked.quick:
                settings = {"steps": 20, "seeds": 1, "pair_runs": 2, "warmup": 1000, "measured": 1000}
            found, well = CrossCheck(BookSim(asked.booksim, directory), asked.toriscope, directory, asked.only, show,
                                     tell, **settings).run()
        else:
            found, well = compare_costs(asked, directory, show, tell)
    if asked.json:
        with open(1 if asked.json == "-" else asked.json, "w", encoding="utf-8", closefd=asked.json != "-") as file:
            file.write(json.dumps(found, indent=2) + "\n")
    return 0 if well else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Failure, OSError) as error:
        print(f"compare_peers.py: {error}", file=sys.stderr)
        sys.exit(2)
