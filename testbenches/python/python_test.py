#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/python/python_test.py: `import toriscope` beside the program, formulas and networkx; the examples of the
docstrings and of docs/python.md; the stubs; the notebook. What needs a package that is missing is skipped.

PYTHONPATH, TORISCOPE_LIBRARY and TORISCOPE_PROGRAM say what is tested."""
import contextlib
import copy
import doctest
import importlib.util
import json
import math
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import toriscope

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL = {"warmup": 200, "cycles": 800}
CYCLIC = {"topology": "ttn:2,2,0", "vc_rule": "paper", "vcs": 2, "rate": 0.3, "watchdog": 300}


def has(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


def by_program(*arguments):
    done = subprocess.run([os.environ["TORISCOPE_PROGRAM"], *arguments, "--json", "-", "--quiet"], capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


class NetworkTest(unittest.TestCase):
    def test_a_run_has_the_results_of_the_program(self):
        expected = by_program("run", "--topology", "torus:4x4", "--rate", "0.2", "--warmup", "200", "--cycles", "800")
        results = toriscope.run("torus:4x4", rate=0.2, **SMALL)
        self.assertEqual(json.loads(results.text)["results"], expected["results"])
        self.assertEqual(results.config, expected["config"])
        self.assertEqual(results["packet_hash"], expected["results"]["packet_hash"])
        self.assertEqual(results.units["latency.mean"], "cycles")

    def test_traffic_is_a_pattern(self):
        expected = by_program("run", "--topology", "mesh:4x4", "--rate", "0.2", "--traffic", "transpose", "--warmup",
                              "200", "--cycles", "800")["results"]["packet_hash"]
        for traffic in ("transpose", {"pattern": "transpose"}):
            self.assertEqual(toriscope.run("mesh:4x4", traffic=traffic, rate=0.2, **SMALL)["packet_hash"], expected)
            net = toriscope.Network("mesh:4x4", traffic=traffic, rate=0.2)
            net.step(100)
            self.assertEqual(net.config["traffic"]["pattern"], "transpose")
            self.assertGreater(net.statistics.packets_created, 10)
        for wrong in ("nope", 1, None):
            for made in (toriscope.Network, toriscope.run):
                self.assertRaisesRegex(toriscope.Error, "traffic: .* uniform, hotspot", made, "mesh:4x4", traffic=wrong)

    def test_a_dict_and_its_json_are_the_same_network(self):
        config = {"topology": "mesh:4x4", "router": {"vcs": 2, "depth_flits": 3}}
        ways = [toriscope.Network(config), toriscope.Network(json.dumps(config)),
                toriscope.Network("mesh:4x4", vcs=2, depth=3)]
        self.assertEqual([net.config for net in ways], 3 * [ways[0].config])
        self.assertEqual(ways[0].config["router"]["depth_flits"], 3)
        self.assertRaisesRegex(toriscope.Error, "configuration: ", toriscope.Network, "{topology}")

    def test_latencies_follow_the_zero_load_formula(self):
        with toriscope.Network("mesh:4x4") as net:
            for to in range(1, 16):
                net.inject(0, to)
                net.step_until_idle()
            for packet in net.receive():
                hops = packet.destination // 4 + packet.destination % 4
                self.assertEqual((packet.hops, packet.latency), (hops, 4 * hops + 5))
            self.assertEqual(net.statistics.packets_received, 15)
            self.assertAlmostEqual(net.statistics.hops_mean, 48 / 15)
        self.assertRaisesRegex(toriscope.Error, "closed", lambda: net.cycle)
        self.assertRaisesRegex(toriscope.Error, "closed", net.step)

    def test_stepping_until_idle_takes_at_most_what_is_allowed(self):
        for most in (29, 30):  # six hops: created in cycle 10, the flit arrives in the 30th cycle from there
            net = toriscope.Network("mesh:4x4")
            net.step(10)
            net.inject(0, 15)
            if most < 30:
                self.assertRaisesRegex(toriscope.Error, "under way after 29 cycles", net.step_until_idle, most)
            else:
                net.step_until_idle(most)
            self.assertEqual((net.cycle, net.idle), (10 + most, most == 30))

    def test_means_of_no_packets_are_not_numbers(self):
        net = toriscope.Network("mesh:2x2")
        net.inject(0, 3)
        net.step()
        self.assertTrue(math.isnan(net.statistics.latency_mean))
        self.assertTrue(math.isnan(net.statistics.hops_mean))

    def test_traffic_by_a_callback_is_the_traffic_of_a_file(self):
        packets = [(cycle, cycle % 16, (7 * cycle + 3) % 16, 1 + cycle % 5) for cycle in range(100)]
        received = []
        net = toriscope.Network("torus:4x4")
        net.step(400, traffic=lambda cycle: [p[1:] for p in packets if p[0] == cycle] or None, received=received.append)
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "packets.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(" ".join(map(str, packet)) + "\n" for packet in packets)
            expected = by_program("run", "--topology", "torus:4x4", "--traffic-file", path)["results"]
        self.assertEqual(f"{net.statistics.packet_hash:016x}", expected["packet_hash"])
        self.assertEqual(len(received), 100)
        self.assertAlmostEqual(net.statistics.latency_mean, expected["latency"]["mean"])

    def test_watchers_may_not_end_their_network(self):
        for end in (toriscope.Network.close, toriscope.Network.unwatch):
            net = toriscope.Network("mesh:2x2")

            def call(cycle, _name, _value, net=net, end=end):
                if cycle > 0:
                    end(net)
            net.watch("*.ni.queue", call)
            net.inject(0, 3, 3)
            self.assertRaisesRegex(toriscope.Error, "a watcher may not", net.step)
            self.assertEqual(net.cycle, 1)
            end(net)

    def test_networks_are_not_copied(self):
        net = toriscope.Network("mesh:2x2")
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            self.assertRaisesRegex(toriscope.Error, "cannot be copied", way, net)
        self.assertEqual(toriscope.Network(net.config).config, net.config)

    def test_packets_stay_where_received_raises(self):
        net = toriscope.Network("mesh:2x2")
        for source, destination in ((0, 1), (3, 2)):
            net.inject(source, destination)
        told = []

        def fail(packet):
            told.append(packet)
            raise ZeroDivisionError
        self.assertRaises(ZeroDivisionError, net.step, 50, received=fail)
        told += net.receive()
        self.assertEqual([(packet.number, packet.ended) for packet in told], [(0, 9), (1, 9)])

    def test_errors(self):
        for wrong, words in ((lambda: toriscope.Network("mesh:4x4", vcz=2), "vcz"),
                             (lambda: toriscope.Network(7), "expected a text"),
                             (lambda: toriscope.Network("mesh:4x4", vcs=object()), "vcs: .* type object is not JSON"),
                             (lambda: toriscope.Network("mesh:4x4", rate=float("nan")), "rate: nan is not JSON"),
                             (lambda: toriscope.Network('{"traffic": {"rate": Infinity}}'), "traffic.rate: inf"),
                             (lambda: toriscope.Network('{"vcs": 2, "topology": "ring:", "vcs": 3}'), "vcs.*twice"),
                             (lambda: toriscope.Network('{"router": {"vcs": 2, "vcs": 2}}'), "'vcs' is given twice"),
                             (lambda: toriscope.Network('{"a":' * 100_000), "recursion"),
                             (lambda: toriscope.Network("mesh:4x4").inject(0, 99), "99"),
                             (lambda: toriscope.Network("mesh:4x4").inject("a", 1), "whole numbers"),
                             (lambda: toriscope.Network("mesh:4x4").inject(2**32, 5), r"from 0 to 2\^32 - 1"),
                             (lambda: toriscope.Network("mesh:4x4").inject(0, 5, 2**32 + 4), r"from 0 to 2\^32 - 1"),
                             (lambda: toriscope.Network("mesh:4x4").inject(0, 5, -1), r"from 0 to 2\^32 - 1"),
                             (lambda: toriscope.Network("mesh:4x4").step(-1), r"from 0 to 2\^64 - 1"),
                             (lambda: toriscope.Network("mesh:4x4").step(2**64 + 3), r"from 0 to 2\^64 - 1"),
                             (lambda: toriscope.sweep("mesh:4x4", rate=[]), "the list of rate is empty"),
                             (lambda: toriscope.Network("mesh:4x4").signal("mesh.x"), "nearest names"),
                             (lambda: toriscope.Network("mesh:4x4").step(1.5), "step: 1.5; expected a whole number"),
                             (lambda: toriscope.Network("mesh:4x4").step("x"), "step: "),
                             (lambda: toriscope.Network("mesh:4x4").step(1.5, received=print), "step: 1.5; expected"),
                             (lambda: toriscope.Network("mesh:4x4").watch(5, print), "pattern: 5; expected a text"),
                             (lambda: toriscope.Network("mesh:4x4").signals("\ud800"), "pattern: '.ud800'; expected"),
                             (lambda: toriscope.Network("mesh:4x4").signal("mesh\0"), "name: .* expected a text"),
                             (lambda: toriscope.Network("mesh:4x4").wave_on("*", 5), "file: 5; expected a text"),
                             (lambda: toriscope.sweep("mesh:4x4", rate=[.1, .2], jobs=-1), "jobs: -1; expected"),
                             (lambda: toriscope.sweep("mesh:4x4", rate=[.1, .2], jobs=0), "jobs: 0; expected"),
                             (lambda: toriscope.sweep("mesh:4x4", rate=[.1, .2], jobs="2"), "jobs: '2'; expected"),
                             (lambda: toriscope.prove("mesh:4x4", json="x.json"), "json: .* expected no such"),
                             (lambda: toriscope.prove("mesh:4x4", help=True), "what is not JSON"),
                             (lambda: toriscope.prove("mesh:4x4\0"), "null byte"),
                             (lambda: toriscope.prove("mesh:4x4", nonsense=3), "--nonsense"),
                             (lambda: toriscope.analyze({"router": {"vcs": 3}}), "section")):
            with self.assertRaisesRegex(toriscope.Error, words) as raised:
                wrong()
            self.assertNotIn("\n", str(raised.exception))

    def test_figures_have_names(self):
        results = toriscope.run("mesh:2x2", rate=0.1, warmup=0, cycles=100)
        with self.assertRaisesRegex(KeyError, "no figure 'latency.men'; did you mean 'latency.mean'"):
            results["latency.men"]

    def test_a_deadlock_is_raised(self):
        self.assertRaisesRegex(toriscope.Error, "not free of deadlock", toriscope.Network, CYCLIC)
        net = toriscope.Network(CYCLIC, traffic=True, allow_deadlock=True)
        with self.assertRaisesRegex(toriscope.NetworkFailure, "deadlock since cycle") as raised:
            net.step(5000)
        self.assertIn("held by packet", raised.exception.details[0])
        results = toriscope.Network(CYCLIC, allow_deadlock=True).run()
        self.assertIn("deadlock", results.failure)
        self.assertFalse(results.stable)

    def test_watchers_see_signals_and_raise_through_step(self):
        net = toriscope.Network("mesh:2x2")
        seen, packets = [], []
        net.watch("mesh.node_0_0.ni.queue", lambda cycle, name, value: seen.append((cycle, value)))
        net.watch("mesh.node_0_0.ni.sending", lambda cycle, name, value: packets.append((cycle, value)))
        queue = net.signal("mesh.node_0_0.ni.queue")
        sending = net.signal("mesh.node_0_0.ni.sending")
        self.assertEqual((queue.value, queue.width, sending.value), (0, 32, None))
        net.inject(0, 3, 3)
        net.step()
        self.assertEqual((queue.value, sending.value), (1, 0))
        net.step_until_idle()
        self.assertEqual(seen, [(0, 0), (1, 1), (3, 0)])  # three flits, sent in cycles 0, 1 and 2
        self.assertEqual(packets, [(0, None), (1, 0), (3, None)])

        def fail(cycle, _name, _value):
            if cycle > 0:
                raise ZeroDivisionError
        other = toriscope.Network("mesh:2x2")
        other.watch("*.ni.queue", fail)
        other.inject(0, 1, 3)
        self.assertRaises(ZeroDivisionError, other.step)
        other.unwatch()
        other.step_until_idle()

    def test_slices_of_a_step_change_nothing(self):
        ways = []
        for parts in ([3000], 3000 * [1], [2999, 1]):
            net = toriscope.Network("mesh:4x4", rate=0.2, traffic=True)
            seen = []
            net.watch("mesh.node_0_*.ni.queue", lambda *change, seen=seen: seen.append(change))
            for cycles in parts:
                net.step(cycles)
            ways.append((net.cycle, net.statistics, seen))
        self.assertEqual(ways, 3 * [ways[0]])

    def test_ctrl_c_ends_a_step(self):
        before = signal.signal(signal.SIGPROF, signal.default_int_handler)
        try:
            for watched in (False, True):
                net = toriscope.Network("mesh:4x4", rate=0.2, traffic=True)
                if watched:
                    net.watch("mesh.node_0_0.ni.queue", lambda *_: None)
                for _ in range(3):
                    begun = net.cycle
                    signal.setitimer(signal.ITIMER_PROF, 0.05)
                    self.assertRaises(KeyboardInterrupt, net.step, 500_000)
                    self.assertLess(net.cycle - begun, 400_000)
                cycle = net.cycle
                net.step(10)
                self.assertEqual(net.cycle, cycle + 10)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def test_ctrl_c_ends_a_sweep(self):
        code = "import toriscope; print('begun', flush=True); " \
               "toriscope.sweep('mesh:4x4', rate=[.2, .3], cycles=10**9, jobs=2)"
        done = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,  # a shell may start tests that ignore Ctrl-C
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        try:
            done.stdout.readline()
            time.sleep(0.5)
            os.killpg(done.pid, signal.SIGINT)
            self.assertIn("KeyboardInterrupt", done.communicate(timeout=20)[1])
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(done.pid, signal.SIGKILL)
            done.communicate()

    def test_waves_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as directory:
            files = [pathlib.Path(directory, name) for name in ("program.vcd", "python.vcd")]
            subprocess.run([os.environ["TORISCOPE_PROGRAM"], "run", "--topology", "mesh:4x4", "--rate", "0.2",
                            "--warmup", "100", "--cycles", "100", "--quiet", "--wave", "mesh.node_1_*@20:90",
                            "--wave-file", files[0]], check=True)
            net = toriscope.Network("mesh:4x4", rate=0.2, traffic=True)
            with net.wave("mesh.node_1_*@20:90", files[1]):
                net.step(100)
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

            with self.assertRaises(KeyError):  # not that the window has not begun
                with toriscope.Network("mesh:4x4").wave("*@100:200", files[1]):
                    raise KeyError

    def test_prove_and_analyze(self):
        self.assertEqual(toriscope.prove("mesh:4x4", vcs=1)["verdict"], "proven")
        self.assertEqual(toriscope.analyze("mesh:4x4", traffic="uniform")["shortest"]["diameter"], 6)

    def test_a_sweep_is_its_runs(self):
        found = toriscope.sweep(topology=["mesh:4x4", "torus:4x4"], rate=[0.05, 0.2], seed=range(1, 3), jobs=2, **SMALL)
        self.assertEqual(len(found), 8)
        for point, results in zip(found.points, found):
            self.assertEqual(results.figures, toriscope.run(**point, **SMALL).figures)
        curves = found.curves()
        self.assertEqual(sorted(curves), ["mesh:4x4", "torus:4x4"])
        alone = [toriscope.run("mesh:4x4", rate=0.2, seed=seed, **SMALL)["latency.mean"] for seed in (1, 2)]
        self.assertAlmostEqual(curves["mesh:4x4"][1][1], sum(alone) / 2)
        self.assertRaisesRegex(toriscope.Error, "'meh'", toriscope.sweep, topology=["mesh:4x4", "meh:4x4"], jobs=2)

    def test_a_point_is_stable_where_all_its_seeds_are(self):
        def of(stable, mean):
            figures = {"offered": 0.1, "stable": stable, "latency": {"mean": mean}}
            return toriscope.Results(json.dumps({"results": figures}), "{}")
        points = [{"rate": 0.1, "seed": seed} for seed in (1, 2)]
        for first, second in ((True, False), (False, True), (True, True)):
            curves = toriscope.Sweep(points, [of(first, 10), of(second, 20)]).curves()
            self.assertEqual(curves, {"latency": [(0.1, 15, first and second)]})

    def test_a_wrong_library_is_an_import_error(self):
        code = "import ctypes.util, os; os.environ['TORISCOPE_LIBRARY'] = ctypes.util.find_library('c')\n" \
               "try: import toriscope\nexcept ImportError as error: print(error)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, "has no function toriscope_abi; set TORISCOPE_LIBRARY .*")
        with unittest.mock.patch.dict(os.environ, TORISCOPE_PROGRAM=sys.executable):
            self.assertRaises(toriscope.Error, toriscope.prove, "mesh:4x4")
        with unittest.mock.patch.dict(os.environ, TORISCOPE_PROGRAM="echo"):
            self.assertRaisesRegex(toriscope.Error, "echo prove .* not JSON", toriscope.prove, "mesh:4x4")


class OptionalTest(unittest.TestCase):
    @unittest.skipUnless(has("numpy"), "no numpy")
    def test_arrays(self):
        import numpy
        results = toriscope.run("mesh:4x4", rate=0.2, link_width=[32], **SMALL)
        latencies, packets = results.histogram
        self.assertEqual(packets.sum(), results["packets_arrived"])
        width, mean = results["latency.histogram.bin_width"], results["latency.mean"]
        self.assertGreater(width, 1)
        self.assertLessEqual(latencies[0], results["latency.min"])
        self.assertGreater(latencies[0], results["latency.min"] - width)
        least_mean = (latencies * packets).sum() / packets.sum()  # as if each took the least latency of its bin
        self.assertLessEqual(least_mean, mean)
        self.assertGreater(least_mean, mean - width)
        self.assertAlmostEqual(results.links.mean(), results["links.utilisation_mean"])
        self.assertAlmostEqual(results.links_busy.max(), results["links.busy_max"])
        # A flit of 64 bits takes two cycles, of which one may be outside the window at either end.
        self.assertLessEqual(abs(results.links_busy - 2 * results.links).max(), 2 / SMALL["cycles"])
        net = toriscope.Network("mesh:4x4")
        net.inject(0, 15, 4)
        net.step(numpy.int64(3))
        net.step_until_idle()
        wires = net.wire_flits()
        self.assertEqual((wires.sum(), len(wires)), (4 * (6 + 2), 48 + 2 * 16))
        packets = net.receive_array()
        self.assertEqual((packets["hops"].tolist(), packets["flits"].tolist()), ([6], [4]))

    @unittest.skipUnless(has("pandas", "numpy"), "no pandas")
    def test_frames(self):
        found = toriscope.sweep("mesh:4x4", rate=[0.05, 0.1], link_width=(32,), **SMALL)
        frame = found.frame()
        self.assertEqual(frame["rate"].tolist(), [0.05, 0.1])
        self.assertEqual(frame["latency.mean"].tolist(), [results["latency.mean"] for results in found])
        links = found.results[0].link_frame()
        self.assertEqual((len(links), links["busy"].max()), (48, found.results[0]["links.busy_max"]))
        self.assertEqual(links["utilisation"].max(), found.results[0]["links.utilisation_max"])
        self.assertLess(links["utilisation"].max(), links["busy"].max())  # a flit takes two cycles
        self.assertEqual(found.results[0].frame()["router.vcs"].tolist(), [4])
        net = toriscope.Network("mesh:4x4")
        net.step(60, traffic=lambda cycle: [(0, 1, 1)] if cycle in (0, 15, 30) else [])
        self.assertEqual(net.receive_frame()["latency"].tolist(), [9, 9, 9])

    @unittest.skipUnless(has("networkx"), "no networkx")
    def test_graphs(self):
        import networkx
        graph = networkx.petersen_graph()
        net = toriscope.Network(graph, vcs=4)
        self.assertEqual(net.terminals, 10)
        ours = net.graph
        self.assertTrue(networkx.is_isomorphic(networkx.Graph(ours), graph))
        for to in range(1, 10):
            net.inject(0, to)
        net.step_until_idle()
        hops = {packet.destination: packet.hops for packet in net.receive()}
        names = [node["address"] for node in net.wiring["nodes"]]
        distances = networkx.shortest_path_length(ours, 0)
        self.assertEqual(hops, {to: distances[to] for to in range(1, 10)}, names)
        self.assertEqual(toriscope.prove(graph)["verdict"], "proven")
        grid = toriscope.sweep(networkx.grid_2d_graph(3, 3), rate=[0.05, 0.1], vcs=4, jobs=2, **SMALL)
        self.assertTrue(all(results.stable for results in grid))
        self.assertRaisesRegex(toriscope.Error, "two nodes of the graph have the same name as text",
                               toriscope.Network, networkx.Graph([(1, 2), (2, "1")]))

    @unittest.skipUnless(has("networkx", "numpy"), "no networkx")
    def test_graphs_with_attributes(self):
        import networkx
        import numpy
        graph = networkx.Graph([(0, 1), (1, 2), (2, 0)])
        networkx.set_node_attributes(graph, {n: numpy.array([2.0 * n, n % 2]) for n in graph}, "pos")
        networkx.set_node_attributes(graph, {0: numpy.int64(2)}, "terminals")
        graph.nodes[1].update(weight=float("nan"), made_by=object(), colours={(0, 1): {"red"}})
        graph.edges[0, 1]["delay"] = numpy.float32(3)
        net = toriscope.Network(graph)
        self.assertEqual((net.terminals, {link["length"] for link in net.wiring["links"]}), (4, {3.0, 4.0}))
        self.assertIn(3, [link["delay_cycles"] for link in net.wiring["links"]])
        for key, value in (("terminals", object()), ("terminals", float("nan")), ("terminal", 2)):
            wrong = networkx.Graph(graph)
            wrong.nodes[2][key] = value
            for call in (toriscope.Network, toriscope.prove):
                with self.assertRaisesRegex(toriscope.Error, r"the graph: nodes\[2\].*" + key) as raised:
                    call(wrong)
                self.assertNotIn("/", str(raised.exception))

    @unittest.skipUnless(has("numpy"), "no numpy")
    def test_arrays_are_lists(self):
        import numpy
        for call, options in ((toriscope.Network, {}), (toriscope.analyze, {"zero_load": True})):
            with self.assertRaisesRegex(toriscope.Error, "2 link delays"):
                call("mesh:4x4", link_delay=numpy.array([1, 2]), **options)
        self.assertEqual(toriscope.Network("mesh:4x4", vcs=numpy.int8(3)).config["router"]["vcs"], 3)
        found = toriscope.sweep("mesh:4x4", rate=numpy.array([0.05, 0.1]), jobs=1, **SMALL)
        self.assertEqual([results.figures for results in found],
                         [toriscope.run("mesh:4x4", rate=rate, **SMALL).figures for rate in (0.05, 0.1)])
        self.assertRaisesRegex(toriscope.Error, "rate: .* is not JSON", toriscope.Network, "mesh:4x4",
                               rate=numpy.longdouble(1))

    @unittest.skipUnless(has("matplotlib", "numpy"), "no matplotlib")
    def test_pictures(self):
        found = toriscope.sweep("mesh:4x4", rate=[0.1, 0.05, 0.99], **SMALL)
        axes = found.plot_latency()
        drawn = axes.lines[0].get_xydata().tolist()
        expected = [[rate, results["latency.mean"]] for rate, results in zip((0.05, 0.1), (found.results[1],
                                                                                          found.results[0]))]
        self.assertEqual(drawn, expected)  # sorted, and only what is stable
        results = found.results[0]
        lines = results.plot_links().collections[0]
        self.assertEqual(lines.get_array().tolist(), results.links_busy.tolist())
        self.assertEqual(len(lines.get_segments()), 48)
        results.plot_histogram()


class PagesTest(unittest.TestCase):
    def test_docstrings(self):
        examples = 0
        for module in ("", "._errors", "._network", "._results", "._sweep", "._program"):
            found = doctest.testmod(importlib.import_module("toriscope" + module))
            self.assertEqual(found.failed, 0, module)
            examples += found.attempted
        self.assertGreater(examples, 30)

    @unittest.skipUnless(has("pandas", "matplotlib", "networkx", "numpy"), "no pandas, matplotlib or networkx")
    def test_the_page(self):
        """The ```python blocks of docs/python.md run one behind the other; lines with >>> are doctests."""
        text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as directory:
            os.chdir(directory)
            try:
                blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
                curve = next(block for block in blocks if "plot_latency" in block)
                self.assertLessEqual(len(curve.splitlines()), 12)
                for block in blocks:
                    if ">>>" in block:
                        test = doctest.DocTestParser().get_doctest(block, {}, "docs/python.md", None, 0)
                        self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)
                    else:
                        exec(compile(block, "docs/python.md", "exec"), {"__name__": "docs"})
                self.assertGreater(os.path.getsize("latency.png"), 5000)
            finally:
                os.chdir(here)

    @unittest.skipUnless(has("mypy"), "no mypy")
    def test_stubs(self):
        place = str(pathlib.Path(toriscope.__file__).resolve().parents[1])
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "--concise", "toriscope"], cwd=directory,
                                  capture_output=True, text=True, check=False,
                                  env={**os.environ, "MYPYPATH": place, "PYTHONPATH": place})
        ours = [line for line in done.stdout.splitlines() if not re.match(r"toriscope\._[a-z]", line)]
        self.assertEqual((ours, done.stderr), ([], ""))
        self.assertIn("toriscope._", done.stdout)  # what is private has no stubs: the check has run

    @unittest.skipUnless(has("pandas", "matplotlib", "numpy"), "no pandas or matplotlib")
    def test_the_notebook(self):
        """Its cells run with fewer loads and cycles; the latencies without load are those of docs/papers_table.md."""
        notebook = json.loads((ROOT / "docs/notebooks/ttn2009_figure_7a.ipynb").read_text(encoding="utf-8"))
        names = {"__name__": "notebook", "LOADS": [0.0005], "WINDOW": {"warmup": 500, "cycles": 3000, "drain": 2000}}
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                source = re.sub(r"^(LOADS|WINDOW) = .*\n", "", source, flags=re.MULTILINE)
                exec(compile(source, "notebook", "exec"), names)
        table = (ROOT / "docs/papers_table.md").read_text(encoding="utf-8")
        item = "| Fig. 7 (a): uniform traffic, latency, mesh:64x64 |"
        row = next(line for line in table.splitlines() if line.startswith(item))
        printed = {name: float(re.search(re.escape(name) + r" ([\d.]+)", row.split("|")[3])[1])
                   for name in ("ttn:2,3,0", "mesh:64x64")}
        frame = names["frame"].set_index("topology")
        for name, latency in printed.items():
            self.assertAlmostEqual(frame.loc[name, "latency.network_mean"] / latency, 1, delta=0.02)


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    unittest.main()
