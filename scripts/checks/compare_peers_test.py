#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/compare_peers_test.py TORISCOPE: compare_peers.py without the peers: their output as they print it,
stand-ins that run as they do, and all that goes wrong."""
import json
import math
import os
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, SCRIPTS)
sys.dont_write_bytecode = True
import compare_peers  # noqa: E402
from compare_peers import Cell, Comparison, CrossCheck, Lone  # noqa: E402
from peer_networks import MAKERS, network_of  # noqa: E402
from peers import BookSim, Failure, Noxim, Outcome, Toriscope, Workload, bracket  # noqa: E402

BOOKSIM_OUTPUT = """Class 0:
Packet latency average = 46.57
	minimum = 21
Accepted flit rate average= 0.0964805
Time taken is 5063 cycles
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 46.5878 (1 samples)
	minimum = 22 (1 samples)
	maximum = 87 (1 samples)
Network latency average = 45.7615 (1 samples)
	minimum = 7 (1 samples)
Accepted flit rate average = 0.0964805 (1 samples)
	minimum = 0.064 (1 samples)
Hops average = 5.04407 (1 samples)
Total run time 0.322722
"""
NOXIM_OUTPUT = """% Total received packets: 3546
% Total received flits: 56707
% Global average delay (cycles): 39.172
% Max delay (cycles): 347
"""
booksim = BookSim("", "")
noxim = Noxim("", "", "")


class Outputs(unittest.TestCase):
    def test_reads_what_booksim_prints(self):
        self.assertEqual(booksim.parse(BOOKSIM_OUTPUT), Outcome(5063, 0.0964805, 5.04407, 46.5878, 22))

    def test_reads_what_noxim_prints(self):
        found = noxim.parse(NOXIM_OUTPUT, Workload("mesh", warmup=1000, measured=9000))
        self.assertAlmostEqual(found.accepted, 0.0984497, delta=1e-7)  # as Noxim's "Average IP throughput" has it
        self.assertAlmostEqual(found.visits, 19 / 3)
        self.assertEqual(found.latency_mean, 39.172)

    def test_says_what_it_misses_in_an_output(self):
        def message_of(parse, *arguments):
            with self.assertRaises(Failure) as caught:
                parse(*arguments)
            return str(caught.exception)
        self.assertEqual(message_of(booksim.parse, BOOKSIM_OUTPUT[:BOOKSIM_OUTPUT.find("Hops average")]),
                         "BookSim2: its output has no line with 'Hops average = '; is it the right program?")
        self.assertEqual(message_of(booksim.parse, "Time taken is long\n"),
                         "BookSim2: no number behind 'Time taken is ' in its output")
        self.assertEqual(message_of(noxim.parse, "% Total received packets: 3\n", Workload()),
                         "Noxim: its output has no line with 'Total received flits: '; is it the right program?")
        for text in ("{}", "nothing", "[]"):
            self.assertIn("not the JSON expected", message_of(Toriscope.parse, text))

    def test_reads_latencies_of_pairs_from_booksim(self):
        mean = booksim.parse_pairs(
            "pair_sent(1,:) = [ 9 9 9 9 ];\nTime taken is 5 cycles\npair_sent(1,:) = [ 2 0 4 1 ];\n"
            "pair_plat(1,:) = [ 7 -nan 12.25 22 ];\npair_nlat(1,:) = [ 7 nan 12 22 ];\n")
        self.assertEqual(mean, [7, math.inf, 12.25, 22])  # nothing was sent by the second
        # Whole numbers only: the others were disturbed.
        self.assertEqual(compare_peers.lone_packets(mean, 2), [Lone(0, 0, 7), Lone(1, 1, 22)])
        for text in ("pair_sent(1,:) = [ 1 ];", "pair_sent(1,:) = [ 1 ];pair_plat(1,:) = [ 1 2 ];"):
            self.assertRaises(Failure, booksim.parse_pairs, text)


class Work(unittest.TestCase):
    def assert_lines(self, text, *lines):
        for line in lines:
            self.assertIn(line + "\n", text)

    def test_asks_booksim_for_the_work(self):
        text = BookSim.configuration(Workload("torus", 64, 1, 300, 1100, 3))
        self.assert_lines(text, "topology = torus;", "routing_function = dim_order;", "k = 64;", "num_vcs = 4;",
                          "vc_buf_size = 8;", "credit_delay = 0;", "packet_size = 16;", "use_noc_latency = 0;",
                          "injection_rate = 1.000000000;", "sample_period = 300;", "max_samples = 5;", "seed = 3;",
                          "traffic = uniform;")

    def test_asks_booksim_for_pairs_and_patterns(self):
        work = Workload(traffic="bit_reversal", flits=1)
        self.assert_lines(BookSim.configuration(work, pair_stats=1, stats_out="-"), "traffic = bitrev;",
                          "packet_size = 1;", "pair_stats = 1;", "stats_out = -;")
        text = BookSim.configuration(work.but(traffic="tornado"))
        self.assert_lines(text, "traffic = tornado;")
        self.assertNotIn("pair_stats", text)

    def test_asks_noxim_for_the_work(self):
        self.assert_lines(Noxim.configuration(Workload("mesh", rate=.16, warmup=100, measured=400)), "mesh_dim_x: 8",
                          "n_virtual_channels: 4", "buffer_depth: 8", "max_packet_size: 16",
                          "packet_injection_rate: 0.010000000", "probability_of_retransmission: 0.010000000",
                          "simulation_time: 500", "stats_warm_up_time: 100", "routing_algorithm: XY")


class Networks(unittest.TestCase):
    """Networks other than mesh and torus: what is asked of both simulators, and how terminals are numbered."""

    def test_asks_booksim_and_toriscope_for_the_same_network(self):
        for name, lines, spec in (
                ("butterfly", ("topology = fly;", "routing_function = dest_tag;", "k = 4;", "n = 3;"), "butterfly:4,3"),
                ("fattree", ("topology = fattree;", "routing_function = nca;", "n = 3;"), "fattree:4,3"),
                ("cmesh", ("topology = cmesh;", "routing_function = dor_no_express;", "c = 4;", "xr = 2;"),
                 "cmesh:4x4,4"),
                ("flatfly", ("topology = flatfly;", "routing_function = ran_min;", "x = 4;"), "flatfly:4,2,4"),
                ("dragonfly", ("topology = dragonflynew;", "routing_function = min;", "k = 2;", "num_vcs = 2;",
                               "vc_buf_size = 64;"), "dragonfly:4,2,2")):
            text = BookSim.configuration(Workload(name))
            for line in lines:
                self.assertIn(line + "\n", text)
            self.assertIn(spec, Toriscope("", 2, True).network_arguments(Workload(name)))
        asked = Toriscope("", 2, True).network_arguments(Workload("dragonfly", depth=8))
        for option, value in (("--vcs", "2"), ("--depth", "8"), ("--link-delay", "11,101"), ("--ejection-delay", "2")):
            self.assertEqual(asked[asked.index(option) + 1], value)

    def test_numbers_terminals_once_each(self):
        for name in MAKERS:
            net = network_of(name)
            self.assertEqual(sorted(map(net.terminal, range(net.nodes))), list(range(net.nodes)), name)
        # BookSim2's node 9 is the fourth of the first router, node 10 the third of the second one in x direction.
        self.assertEqual([network_of("cmesh").terminal(i) for i in (0, 1, 8, 9, 10, 16)], [0, 1, 2, 3, 6, 16])
        self.assertEqual([network_of("flatfly").terminal(i) for i in (0, 9, 10, 16)], [0, 3, 18, 4])

    def test_ways(self):
        for name, source, destination, way in (
                ("mesh", 0, 63, (15, "")), ("torus", 0, 63, (3, "")), ("butterfly", 5, 5, (3, "")),
                ("fattree", 0, 3, (1, "")), ("fattree", 0, 15, (3, "")), ("fattree", 0, 16, (5, "")),
                ("cmesh", 0, 9, (1, "")), ("cmesh", 0, 63, (7, "")), ("flatfly", 0, 63, (3, "")),
                ("flatfly", 0, 48, (2, "")), ("dragonfly", 0, 1, (1, "")), ("dragonfly", 0, 2, (2, "l")),
                ("dragonfly", 0, 8, (2, "g")), ("dragonfly", 2, 10, (4, "lgl"))):
            self.assertEqual(network_of(name).way(source, destination), way, (name, source, destination))
        # toriscope's last global link of group 0 leads to group 8, its first to group 1, where it ends at router 3.
        self.assertEqual(network_of("dragonfly").own_way(0, 14), (2, "g"))

    def test_both_wirings_of_the_dragonfly_have_as_many_ways_of_each_kind(self):
        net = network_of("dragonfly")
        pairs = [(a, b) for a in range(net.nodes) for b in range(net.nodes)]
        self.assertEqual(sorted(net.way(*pair) for pair in pairs), sorted(net.own_way(*pair) for pair in pairs))

    def test_latencies_in_words(self):
        packets = [Lone(0, 1, 22), Lone(1, 0, 22), *(Lone(0, 2, 30 + i) for i in range(5))]
        found = compare_peers.by_way(packets, lambda source, destination: (2, "l") if destination == 2 else (1, ""))
        self.assertEqual(compare_peers.latencies_text(found),
                         "1: 22, 2 l: 30 (1 pairs) 31 (1 pairs) 32 (1 pairs) ...")
        self.assertIn("cmesh/uniform", compare_peers.PARTS)
        self.assertNotIn("cmesh/transpose", compare_peers.PARTS)
        self.assertEqual(list(compare_peers.variants_for("dragonfly", "uniform")),
                         ["own node left out", "BookSim2's VCs", "BookSim2's wiring", "BookSim2's wiring and VCs"])


class StandIn:
    """Costs `start` seconds and then `per_hop` for every flit-hop."""
    name = "stand-in"

    def __init__(self, start, per_hop, share=1):
        self.start, self.per_hop, self.share = start, per_hop, share

    def run(self, work):
        cycles, accepted = work.warmup + work.measured, self.share * work.rate
        return Outcome(cycles, accepted, 5, cpu=self.start + self.per_hop * accepted * work.nodes * cycles * 5)


class Costs(unittest.TestCase):
    def test_start_up_and_run_length_cancel(self):
        told = []
        cell = Cell("torus", 8, .1, 20000, 15)
        found = Comparison(StandIn(3, 2e-6), StandIn(.1, 1e-7), cell, 3, tell=told.append)
        self.assertEqual(len(told), 3)
        self.assertEqual(len(found.ratios), 3)
        for ratio in found.ratios:
            self.assertAlmostEqual(ratio, 20, delta=1e-6)
        self.assertAlmostEqual(found.theirs.costs[0], 2000, delta=1e-3)
        self.assertTrue(found.met)
        self.assertTrue(found.loads_agree)
        self.assertTrue(found.line().endswith(" ok\n"))
        more = Comparison(StandIn(3, 2e-6), StandIn(.1, 1e-7), Cell("torus", 8, .1, 20000, 21), 1)
        self.assertIn("MISSED", more.line())

    def test_loads_that_differ_are_told(self):
        peer, own = StandIn(3, 2e-6, .97), StandIn(.1, 1e-7)
        found = Comparison(peer, own, Cell("torus", 8, .1, 100000, 0), 2)
        self.assertAlmostEqual(found.load_difference, .03, delta=1e-9)
        self.assertEqual(found.load_tolerance, .02)
        self.assertFalse(found.loads_agree)
        self.assertIn("loads differ by 3.0 %", found.line())
        self.assertTrue(Comparison(peer, own, Cell("torus", 8, .1, 100000, 0, at_peer_load=True), 1).loads_agree)

    def test_a_run_too_short_to_measure_is_an_error(self):
        with self.assertRaisesRegex(Failure, "too short to measure"):
            Comparison(StandIn(3, 0), StandIn(.1, 1e-7), Cell("torus", 8, .1, 1000, 0), 1)


class Brackets(unittest.TestCase):
    def test_the_first_pair_that_differs_is_found(self):
        packets = [Lone(*divmod(i, 10), 5) for i in range(100)]
        for wrong in ([], [0], [99], [41], [41, 42, 77], [0, 99], [50, 51]):
            asked = []

            def agree(some):
                asked.append(some)
                return not any(10 * p.source + p.destination in wrong for p in some)
            self.assertEqual(compare_peers.agreeing_before_first_difference(packets, agree), (wrong + [100])[0])
            self.assertLessEqual(len(asked), 8)

    def test_brackets(self):
        def up_to(limit):
            return lambda load: load <= limit
        agree = compare_peers.brackets_agree
        some = bracket(up_to(.375), 100, .3)
        self.assertEqual(some, (.37, .38))
        self.assertEqual(bracket(up_to(0), 100, .3), (0, .01))
        self.assertEqual(bracket(up_to(1), 100, .3), (1, 1.01))
        for limit in range(0, 101, 5):
            for near in (0, .01, .37, .5, 1):
                self.assertEqual(bracket(up_to(limit / 100 + .001), 100, near), (limit / 100, (limit + 1) / 100))
        asked = []
        bracket(lambda load: asked.append(load) or load <= .375, 100, .37)
        self.assertEqual(len(asked), 2, "a good guess")
        self.assertTrue(agree(some, some, 100))
        self.assertTrue(agree(some, (.39, .40), 100), "one step between")
        self.assertTrue(agree((.39, .40), some, 100))
        self.assertFalse(agree(some, (.40, .41), 100))
        self.assertFalse(agree((.40, .41), some, 100))

    def test_verdicts(self):
        verdict = compare_peers.saturation_verdict
        self.assertEqual(verdict((.49, .50), (.48, .49), {}, 100), "agree")
        self.assertEqual(verdict((.49, .50), (.44, .45), {}, 100), "differ by 10 %")
        variants = {"ties": (.45, .46), "VC rule": (.5, .51)}
        self.assertEqual(verdict((.49, .50), (.44, .45), variants, 100), "explained: VC rule")
        self.assertEqual(compare_peers.variants_for("mesh", "shuffle"), {}, "a mesh has no ties and no classes")
        self.assertEqual(len(compare_peers.variants_for("mesh", "uniform")), 1)

    def test_stable_is_the_mean_of_all_seeds(self):
        class Noisy:
            def run(self, work):
                return Outcome(accepted=min(work.rate, .3) + (.1 if work.seed == 1 else -.1))
        # .95 x .31 = .2945 <= .3 < .95 x .32
        self.assertEqual(compare_peers.bracket_of(Noisy(), Workload(), 100, 2, .3)[0], .31)


# Prints the pairs of a 4x4 torus by T0 = 5 H + 2 + (S - 1); one of them may be wrong.
FORMULA_BOOKSIM = """#!/usr/bin/env python3
import re, sys
flits = int(re.search(r"^packet_size = (.*);", open(sys.argv[1]).read(), re.M)[1])
def ring(a, b): return min(abs(a - b), 4 - abs(a - b))
print("Time taken is 1000 cycles")
print("pair_sent(1,:) = [", "4 " * 256, "];")
print("pair_plat(1,:) = [", *(
    5 * (1 + ring(s % 4, t % 4) + ring(s // 4, t // 4)) + 1 + flits + (16 * s + t == WRONG)
    for s in range(16) for t in range(16)), "];")
sys.exit(255)
"""

# Prints the pairs of a dragonfly by the kind of way; links have D = 11 and 101, one flit.
WAY_BOOKSIM = """#!/usr/bin/env python3
import sys
sys.path.insert(0, SCRIPTS)
sys.dont_write_bytecode = True
from peer_networks import network_of
net = network_of("dragonfly", 1)
latencies = [3 * routers + 4 + 11 * kinds.count("l") + 101 * kinds.count("g")
             for routers, kinds in (net.way(s, t) for s in range(net.nodes) for t in range(net.nodes))]
print("Time taken is 1000 cycles")
print("pair_sent(1,:) = [", "4 " * net.nodes**2, "];")
print("pair_plat(1,:) = [", *latencies, "];")
"""

# Reads the configuration file, burns time for every sample and prints as BookSim2 does.
FAKE_BOOKSIM = r"""#!/bin/bash
get() { sed -n "s/^$1 = \(.*\);/\1/p" "$2"; }
samples=$(get max_samples "$1")
for ((i = 0; i < samples * 20000; ++i)); do :; done
least=22
[[ $(get traffic "$1") == neighbor ]] && least=32
rate=$(get injection_rate "$1")
[[ $rate == 1.* ]] && rate=0.47
echo "Time taken is $((samples * $(get sample_period "$1"))) cycles"
echo "Packet latency average = 40.5 (1 samples)"
echo "	minimum = $least (1 samples)"
echo "Accepted flit rate average = $rate (1 samples)"
echo "Hops average = 5 (1 samples)"
exit 255
"""


class Programs(unittest.TestCase):
    toriscope = ""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.place = scratch.name

    def path(self, name):
        return os.path.join(self.place, name)

    def write(self, name, text, executable=True):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        if executable:
            os.chmod(self.path(name), stat.S_IRWXU)

    def compare(self, *arguments):
        return subprocess.run([sys.executable, os.path.join(SCRIPTS, "compare_peers.py"), "--toriscope", self.toriscope,
                               *arguments], capture_output=True, text=True, cwd=self.place)

    def pairs_with(self, wrong):
        self.write("booksim", FORMULA_BOOKSIM.replace("WRONG", str(wrong)))
        shown = []
        check = CrossCheck(BookSim(self.path("booksim"), self.place), self.toriscope, self.place, k=4, pair_runs=1,
                           show=shown.append)
        return check.pairs("torus", 16), "".join(shown)

    def test_pairs_of_a_stand_in_equal_those_of_toriscope(self):
        found, shown = self.pairs_with(-1)
        self.assertEqual(found["difference"], "")
        self.assertTrue(found["agrees"])
        self.assertEqual(found["equal"], 256)
        self.assertTrue(shown.endswith("  cycles by routers passed: 1: 22, 2: 27, 3: 32, 4: 37, 5: 42\n"), shown)

    def test_a_pair_that_differs_is_named(self):
        found, shown = self.pairs_with(5 * 16 + 6)
        self.assertFalse(found["agrees"])
        self.assertEqual(found["equal"], 5 * 16 + 6)
        self.assertEqual(found["difference"], "5 to 6: BookSim2 28, toriscope 27 cycles")
        self.assertIn("2: 27 (63 pairs) 28 (1 pairs)", shown)

    def test_pairs_of_a_dragonfly_by_both_wirings(self):
        self.write("booksim", WAY_BOOKSIM.replace("SCRIPTS", repr(SCRIPTS)))
        shown = []
        found = CrossCheck(BookSim(self.path("booksim"), self.place), self.toriscope, self.place, k=1, pair_runs=1,
                           show=shown.append).pairs("dragonfly", 1)
        self.assertTrue(found["agrees"], found)
        self.assertEqual((found["equal"], found["equal_by_way"]), (36, 36))
        self.assertIn("  dragonfly:2,1,1: 36 of 36 pairs have the latency of their kind of way", "".join(shown))

    def test_a_stand_in_of_booksim_from_end_to_end(self):
        self.write("booksim", FAKE_BOOKSIM)
        done = self.compare("--booksim", "./booksim", "--sizes", "8", "--quick", "--json", "r.json")
        self.assertIn(done.returncode, (0, 1), done.stderr)  # slow or fast, it was measured
        self.assertEqual(done.stderr, "")
        self.assertIn("32 cycles, expected 32: the same machine", done.stdout)
        with open(self.path("r.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(len(found["comparison"]), 4)
        self.assertTrue(found["zero_load"][0]["agrees"])
        for cell in found["comparison"]:
            self.assertEqual(cell["peer"], "BookSim2")
            self.assertTrue(cell["loads_agree"], cell)
            self.assertGreater(cell["ratio"], 0)
            # 8x8, the own node included
            self.assertAlmostEqual(cell["toriscope"]["routers_per_flit"], 5, delta=.25)

    def test_the_cross_check_from_end_to_end(self):
        self.write("booksim", FAKE_BOOKSIM)
        done = self.compare("--booksim", "./booksim", "--cross-check", "--quick", "--only", "mesh/shuffle",
                            "--json", "-")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        found = json.loads(done.stdout)
        self.assertEqual(found["zero_load"], [])
        self.assertEqual(found["saturation"][0]["booksim2"], {"stable": .95, "saturated": 1})
        self.assertTrue(found["saturation"][0]["verdict"].startswith("differ by "))

    def line_of(self, *arguments):
        """What is wrong is one line."""
        done = self.compare(*arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
        return done.stderr

    def test_what_is_wrong_is_one_line(self):
        self.write("text", "no program", executable=False)
        self.write("broken", "#!/bin/sh\necho Parse error : Unknown field: k >&2\nexit 255\n")
        self.write("crash", "#!/bin/sh\nkill -SEGV $$\n")
        self.write("other", "#!/bin/sh\necho hello\n")
        self.write("power.yaml", "Energy:\n", executable=False)
        self.assertEqual(self.line_of(), "compare_peers.py: give --booksim PATH or --noxim PATH, or both; "
                                         "see compare_peers.py --help\n")
        self.assertEqual(self.line_of("--booksim", "nowhere"),
                         "compare_peers.py: cannot run 'nowhere': there is no such file\n")
        self.assertEqual(self.line_of("--booksim", "./text"),
                         "compare_peers.py: cannot run './text': it is not a program\n")
        self.assertIn("status 255 and no result; it said: Parse error : Unknown", self.line_of("--booksim", "./broken"))
        self.assertIn("left with status 139", self.line_of("--booksim", "./crash"))
        self.assertIn("no line with 'Total received flits: '", self.line_of("--noxim", "./other"))
        self.assertIn("left with status 139", self.line_of("--noxim", "./crash"))
        self.assertIn("--sizes", self.line_of("--sizes", "9", "--booksim", "./other"))
        self.assertIn("'0' is not a whole number", self.line_of("--repeats", "0", "--booksim", "./other"))
        self.assertIn("--cross-check needs --booksim", self.line_of("--cross-check", "--noxim", "./other"))
        os.remove(self.path("power.yaml"))
        self.assertIn("give --noxim-power FILE", self.line_of("--noxim", "./other"))

    def test_helps(self):
        done = self.compare("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("A flit-hop is a flit that passes a router", done.stdout)
        self.assertIn("Examples:", done.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Programs.toriscope = os.path.abspath(sys.argv.pop(1))
    unittest.main()
