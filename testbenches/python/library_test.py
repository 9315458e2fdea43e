#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/python/library_test.py: what `import toriscope` takes from the library and the program, and how it says
that something is wrong with them, with a package or with a network. The environment is that of python_test.py."""
import ctypes
import gc
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import weakref

import toriscope
from python_test import CYCLIC, has
from toriscope import _library

ROOT = pathlib.Path(__file__).resolve().parents[2]


def raise_error(*_):
    raise ZeroDivisionError


class HeaderTest(unittest.TestCase):
    """The package against <toriscope/c_api.h>."""

    def setUp(self):
        text = (ROOT / "include/toriscope/c_api.h").read_text(encoding="utf-8")
        self.header = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)

    def test_structs_have_the_fields_of_the_header(self):
        types = {"uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64}
        for name, ours, fields in (("packet", _library.PACKET_FIELDS, toriscope.Packet._fields),
                                   ("statistics", _library.STATISTICS_FIELDS, toriscope.Statistics._fields)):
            body = re.search(rf"struct toriscope_{name} {{(.*?)}}", self.header, re.DOTALL)[1]
            declared = [(field, types[kind]) for kind, field in re.findall(r"(\w+) (\w+);", body)]
            self.assertEqual(ours, declared)
            self.assertEqual(list(fields), [field for field, _ in declared])

    def test_functions_have_the_types_of_the_header(self):
        types = {"unsigned": ctypes.c_uint, "int": ctypes.c_int, "uint32_t": ctypes.c_uint32, "size_t": ctypes.c_size_t,
                 "uint64_t": ctypes.c_uint64, "char *": ctypes.c_char_p, "void": None, "void *": ctypes.c_void_p,
                 "toriscope_network *": ctypes.c_void_p, "toriscope_signal *": ctypes.c_void_p,
                 "toriscope_watcher": _library.WATCHER, "uint64_t *": ctypes.POINTER(ctypes.c_uint64),
                 "uint32_t *": ctypes.POINTER(ctypes.c_uint32), "toriscope_packet *": ctypes.POINTER(_library.CPacket),
                 "toriscope_statistics *": ctypes.POINTER(_library.CStatistics)}
        declared = {}
        for result, name, arguments in re.findall(r"TORISCOPE_API ([\w *]+?)toriscope_(\w+)\((.*?)\);", self.header,
                                                  re.DOTALL):
            kinds = [re.sub(r"const |\w+$", "", " ".join(each.split())).strip() for each in arguments.split(",")]
            declared[name] = (types[result.replace("const ", "").strip()],
                              [] if arguments == "void" else [types[kind] for kind in kinds])
        declared["wire_flits"][1][1] = ctypes.c_void_p  # the data of a NumPy array
        self.assertGreater(len(declared), 35)
        self.assertEqual(_library.FUNCTIONS, {name: declared[name] for name in _library.FUNCTIONS})

    def test_constants_are_those_of_the_header(self):
        values = dict(re.findall(r"TORISCOPE_(\w+) = (\d+)u?", self.header))
        for name in ("OK", "FAILED", "BAD_INPUT", "WITH_TRAFFIC", "ALLOW_DEADLOCK"):
            self.assertEqual(getattr(_library, name), int(values[name]), name)
        self.assertEqual(toriscope.abi(), int(re.search(r"TORISCOPE_ABI (\d+)u", self.header)[1]))


class LibraryTest(unittest.TestCase):
    def test_the_version_is_that_of_the_program(self):
        printed = subprocess.run([os.environ["TORISCOPE_PROGRAM"], "--version"], capture_output=True, text=True,
                                 check=True)
        self.assertEqual(printed.stdout.split()[1], toriscope.version())
        self.assertEqual(toriscope.__version__, toriscope.version())

    def test_a_library_of_another_abi_is_an_import_error(self):
        with unittest.mock.patch.object(_library, "ABI", 2):
            self.assertRaisesRegex(ImportError, "has ABI 1; expected 2", _library.load)

    def test_what_is_not_there_is_named(self):
        with unittest.mock.patch.dict(os.environ, TORISCOPE_LIBRARY="/nowhere/libtoriscope.so"):
            self.assertRaisesRegex(ImportError, "/nowhere/libtoriscope.so cannot be loaded", _library.load)
        with unittest.mock.patch.dict(os.environ, TORISCOPE_PROGRAM="/nowhere/toriscope"):
            self.assertRaisesRegex(toriscope.Error, "/nowhere/toriscope cannot be run", toriscope.analyze, "mesh:2x2")
        with unittest.mock.patch.dict(os.environ, TORISCOPE_PROGRAM="false"):
            self.assertRaisesRegex(toriscope.Error, "analyze left with status 1", toriscope.analyze, "mesh:2x2")
        net = toriscope.Network("mesh:2x2")
        for package, call in (("numpy", net.wire_flits), ("pandas", net.receive_frame),
                              ("networkx", lambda: net.graph)):
            with unittest.mock.patch.dict(sys.modules, {package: None}):  # as if it were not installed
                self.assertRaisesRegex(toriscope.Error, f"needs {package}, .* install python3-{package}", call)

    def test_options_that_are_false_or_none_are_not_given(self):
        expected = toriscope.analyze("mesh:2x2")
        self.assertEqual(toriscope.analyze("mesh:2x2", zero_load=False, traffic=None), expected)
        self.assertNotEqual(toriscope.analyze("mesh:2x2", zero_load=True), expected)


class ConfigurationTest(unittest.TestCase):
    def test_parameters_beside_a_result_count(self):
        """It names all parameters: one beside it is unknown, or given twice."""
        results = toriscope.run("mesh:4x4", rate=0.1, cycles=300)
        for given in (results.text, json.loads(results.text)):
            self.assertEqual(toriscope.Network(given).config, results.config)
            for call in (toriscope.Network, toriscope.run):
                self.assertRaisesRegex(toriscope.Error, "'traffic.rate_flits_per_node_cycle' and 'rate' set the same",
                                       call, given, rate=0.3)
            self.assertRaisesRegex(toriscope.Error, "nonsense", toriscope.Network, given, nonsense=3)
            self.assertRaisesRegex(toriscope.Error, "set the same", toriscope.sweep, given, vcs=[1, 2])
            for tree in (json.loads(results.text)["config"], given):
                self.assertRaisesRegex(toriscope.Error, "'traffic.pattern' and the parameter 'traffic' set the same "
                                       "parameter; keep one of them", toriscope.Network, tree, traffic="transpose")
        self.assertRaisesRegex(toriscope.Error, "config: expected an object", toriscope.Network,
                               {"config": 3, "results": {}})

    def test_sections_are_merged(self):
        config = {"topology": "mesh:4x4", "traffic": {"rate_flits_per_node_cycle": 0.3},
                  "router": {"vcs": 1, "depth_flits": 2}}
        net = toriscope.Network(config, router={"pipeline": "single_cycle"}, traffic="transpose")
        self.assertEqual([net.config["router"][key] for key in ("vcs", "depth_flits", "pipeline")],
                         [1, 2, "single_cycle"])
        self.assertEqual([net.config["traffic"][key] for key in ("pattern", "rate_flits_per_node_cycle")],
                         ["transpose", 0.3])
        self.assertEqual(config["router"], {"vcs": 1, "depth_flits": 2})
        text = toriscope.Network({"topology": "mesh:4x4", "traffic": "transpose"}, rate=0.1,
                                 traffic={"packet_flits": 3}).config["traffic"]
        self.assertEqual((text["pattern"], text["packet_flits"]), ("transpose", "3"))
        found = toriscope.sweep(config, traffic=["transpose", "uniform"], jobs=1, cycles=100)
        self.assertEqual([(each.config["traffic"]["pattern"], each.config["router"]["vcs"], each["offered"] > 0.1)
                          for each in found], [("transpose", 1, True), ("uniform", 1, True)])
        for parameters, words in (({"router": {"vcs": 2}}, "^configuration: 'router.vcs' and the parameter 'router' "),
                                  ({"router": 2}, "^configuration: router: expected an object"),
                                  ({"vcs": 2}, "'router.vcs' and 'vcs' set the same parameter")):
            self.assertRaisesRegex(toriscope.Error, words, toriscope.Network, config, **parameters)
            self.assertRaisesRegex(toriscope.Error, words, toriscope.sweep, config, rate=[.1], **parameters)
        self.assertEqual(toriscope.Network({"topology": "ring:4", "vcs": 2}, vcs=3).config["router"]["vcs"], 3)

    def test_json_may_begin_with_blanks(self):
        self.assertEqual(toriscope.Network('\n {"topology": "ring:4"}').terminals, 4)

    def test_numbers_may_have_64_bits(self):
        self.assertEqual(toriscope.Network("ring:4", seed=2**64 - 1).config["traffic"]["seed"], 2**64 - 1)

    def test_numbers_of_many_digits_are_errors(self):
        long = 10**5000
        net = toriscope.Network("mesh:2x2")
        for call in (lambda: toriscope.Network("mesh:2x2", seed=long), lambda: toriscope.prove("mesh:2x2", vcs=long),
                     lambda: net.step(long), lambda: net.inject(0, long)):
            self.assertRaisesRegex(toriscope.Error, "a number of 16610 bits; |16610 bits cycles|0, a number of 16610",
                                   call)


class NetworkTest(unittest.TestCase):
    def test_a_closed_network_raises(self):
        net = toriscope.Network("mesh:2x2")
        queue = net.signal("mesh.node_0_0.ni.queue")
        net.close()
        net.close()
        for call in (lambda: queue.value, lambda: queue.width, lambda: net.config, lambda: net.wiring,
                     lambda: net.terminals, lambda: net.cycle, lambda: net.idle, lambda: net.statistics, net.receive,
                     net.clear_statistics, net.run, net.signals, net.unwatch, net.wave_off,
                     lambda: net.inject(0, 1), lambda: net.signal("mesh.node_0_0.ni.queue"),
                     lambda: net.watch("*", print), lambda: net.wave_on("*", "x.vcd"), lambda: net.step(100)):
            self.assertRaisesRegex(toriscope.Error, "^the network is closed$", call)
        self.assertEqual(repr(net), "Network(closed)")

    def test_numbers_that_a_packet_cannot_have(self):
        net = toriscope.Network("mesh:2x2", message_classes=2, vcs=2)
        for given in ((0, 2**32 + 1), (0, 1, 1, 2**32), (0, 1, 1, -1)):
            self.assertRaisesRegex(toriscope.Error, r"expected numbers from 0 to 2\^32 - 1", net.inject, *given)
        self.assertTrue(net.idle)
        self.assertEqual([net.inject(0, 1, message_class=each) for each in (1, 0)], [0, 1])
        net.step_until_idle()
        self.assertEqual({packet.number: packet.message_class for packet in net.receive()}, {0: 1, 1: 0})

    def test_a_run_needs_a_network_that_has_done_no_cycle(self):
        net = toriscope.Network("mesh:2x2")
        net.step()
        self.assertRaisesRegex(toriscope.Error, "done no cycle", net.run)

    def test_what_a_watcher_raises(self):
        net = toriscope.Network("mesh:2x2", rate=0.2, cycles=200)
        net.watch("*.ni.queue", lambda cycle, *_: raise_error() if cycle else None)
        self.assertRaises(ZeroDivisionError, net.run)

        net = toriscope.Network("mesh:2x2")  # the step goes on to its last cycle
        net.watch("*.ni.queue", lambda cycle, *_: raise_error() if cycle else None)
        net.inject(0, 3, 3)
        self.assertRaises(ZeroDivisionError, net.step, 200)
        self.assertEqual(net.cycle, 200)

        def interrupt(*_):
            raise KeyboardInterrupt
        for first, second, expected in ((raise_error, interrupt, KeyboardInterrupt),  # Ctrl-C goes before others
                                        (interrupt, raise_error, KeyboardInterrupt)):
            net = toriscope.Network("mesh:2x2")
            for watcher in (first, second):
                net.watch("*.ni.queue", lambda cycle, *_, watcher=watcher: watcher() if cycle else None)
            net.inject(0, 3, 3)
            self.assertRaises(expected, net.step, 10_000)
            self.assertLess(net.cycle, 10_000)  # it ends the step

    def test_ctrl_c_in_a_watcher_is_raised(self):
        """Wherever it falls: most of the time is spent where C calls a watcher."""
        before = signal.signal(signal.SIGPROF, signal.default_int_handler)
        hook = sys.unraisablehook
        try:
            for _ in range(3):
                net = toriscope.Network("mesh:4x4", rate=0.2, cycles=5_000)
                net.watch("*", lambda *_: None)
                signal.setitimer(signal.ITIMER_PROF, 0.05)
                self.assertRaises(KeyboardInterrupt, net.run)
                self.assertGreater(net.cycle, 5_000)
                net = toriscope.Network("mesh:8x8")
                signal.setitimer(signal.ITIMER_PROF, 0.02)
                with self.assertRaises(KeyboardInterrupt):
                    for _ in range(200):
                        net.watch("*.vc*.occupancy", lambda *_: None)
                self.assertIs(sys.unraisablehook, hook)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def test_ctrl_c_goes_before_what_a_watcher_has_raised(self):
        """Between two slices of a step. What the watcher raised is not raised by a later call."""
        net = toriscope.Network("mesh:2x2")
        net.watch("mesh.node_0_0.ni.queue", lambda cycle, *_: raise_error() if cycle else None)
        net.inject(0, 3, 3)
        with unittest.mock.patch("toriscope._network.time.monotonic", side_effect=[0, 0, KeyboardInterrupt]):
            self.assertRaises(KeyboardInterrupt, net.step, 10_000)
        self.assertEqual(net.inject(0, 1), 1)

    def test_a_watched_network_goes_with_its_last_reference(self):
        net = toriscope.Network("mesh:2x2")
        net.watch("*.ni.queue", lambda *_: None)
        net.step(100)
        reference = weakref.ref(net)
        gc.disable()
        try:
            del net
            self.assertIsNone(reference())
        finally:
            gc.enable()

    def test_a_waveform_of_a_network_that_has_failed(self):
        net = toriscope.Network(CYCLIC, traffic=True, allow_deadlock=True)
        self.assertRaises(toriscope.NetworkFailure, net.step, 5000)
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "failed.vcd")
            with net.wave("*", path):
                self.assertRaises(toriscope.NetworkFailure, net.step)
            self.assertGreater(os.path.getsize(path), 0)

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "no /proc")
    def test_waveforms_that_have_ended_take_little_memory(self):
        """A tenth of the 2.5 MB that each takes while it is written."""
        def megabytes():
            return int(pathlib.Path("/proc/self/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf(
                "SC_PAGE_SIZE") / 1e6
        net = toriscope.Network("mesh:8x8", rate=0.1, traffic=True)
        with tempfile.TemporaryDirectory() as directory:
            for count in range(21):
                with net.wave("*", os.path.join(directory, "chip.vcd")):
                    net.step(100)
                first = first if count else megabytes()
        self.assertLess(megabytes() - first, 20)

    @unittest.skipUnless(has("numpy"), "no numpy")
    def test_packets_have_numbers_of_numpy(self):
        import numpy
        net = toriscope.Network("mesh:2x2")
        for number, kind in enumerate((numpy.uint64, numpy.uint32, numpy.int8, int)):
            self.assertEqual(net.inject(kind(0), 1, kind(2)), number)

    def test_traffic_is_created_whatever_its_section_says(self):
        given = [{}, True, "uniform"]
        if has("numpy"):
            import numpy
            given.append(numpy.bool_(True))
        for traffic, creates in [(each, True) for each in given] + [(False, False)]:
            net = toriscope.Network("mesh:4x4", traffic=traffic)
            net.step(500)
            self.assertEqual(net.statistics.packets_created > 0, creates, traffic)

    def test_a_watch_that_has_ended_keeps_nothing(self):
        seen = ResultsTest()
        reference = weakref.ref(seen)
        net = toriscope.Network("mesh:2x2")
        net.watch("*.ni.queue", lambda *_, seen=seen: seen)
        net.unwatch()
        del seen
        self.assertIsNone(reference())

    def test_what_is_refused_leaves_nothing(self):
        net = toriscope.Network("mesh:2x2")
        self.assertRaises(toriscope.Error, net.watch, "no.such.*", print)
        self.assertRaises(toriscope.Error, net.watch, 3, print)
        self.assertEqual(net._watchers, [])
        self.assertRaisesRegex(toriscope.Error, "step_until_idle: 'x'; expected a whole", net.step_until_idle, "x")

    @unittest.skipUnless(has("networkx"), "no networkx")
    def test_a_graph_has_what_the_wiring_has(self):
        net = toriscope.Network("mesh:2x2", link_delay=3)
        graph, wiring = net.graph, net.wiring
        self.assertEqual([graph.nodes[number] for number in range(4)], wiring["nodes"])
        edges = sorted(graph.edges(data=True), key=lambda edge: edge[2]["number"])
        self.assertEqual([{"from": source, "to": to, **data} for source, to, data in edges],
                         [{**link, "number": number} for number, link in enumerate(wiring["links"])])

    @unittest.skipUnless(has("numpy"), "no numpy")
    def test_an_array_of_packets_has_numbers_of_64_or_32_bits_as_the_header_has(self):
        kinds = toriscope.Network("mesh:2x2").receive_array().dtype
        self.assertEqual([(name, kinds[name].itemsize) for name in kinds.names],
                         [(name, ctypes.sizeof(kind)) for name, kind in _library.PACKET_FIELDS])

    def test_a_waveform_in_which_something_is_raised_is_complete(self):
        net = toriscope.Network("mesh:2x2")
        with tempfile.TemporaryDirectory() as directory:
            for name in ("first.vcd", "second.vcd"):
                with self.assertRaises(KeyError):
                    with net.wave("*", os.path.join(directory, name)):
                        net.step(5)
                        raise KeyError
                self.assertIn(name, os.listdir(directory))

    @unittest.skipUnless(has("networkx"), "no networkx")
    def test_the_file_of_a_graph_is_whole_or_not_there(self):
        import networkx
        graph = networkx.path_graph(7)
        full = OSError(28, "No space left on device")
        with unittest.mock.patch("os.replace", side_effect=full):
            self.assertRaisesRegex(toriscope.Error, "the file of a graph: .*No space left", toriscope.Network, graph)
        self.assertEqual(toriscope.Network(graph).terminals, 7)

    def test_the_hook_of_others_stays(self):
        class Fails:
            __del__ = raise_error
        lost = []
        with unittest.mock.patch.object(sys, "unraisablehook", lambda what: lost.append(what.exc_type)):
            ours = sys.unraisablehook
            net = toriscope.Network("mesh:2x2")
            net.watch("mesh.node_0_0.ni.queue", lambda cycle, *_: Fails() if cycle else None)
            net.inject(0, 3, 3)
            net.step(100)  # the queue is filled and emptied
            self.assertIs(sys.unraisablehook, ours)
        self.assertEqual(lost, 2 * [ZeroDivisionError])

    def test_a_waveform_whose_window_has_not_begun(self):
        net = toriscope.Network("mesh:2x2")
        net.wave_on("*@100:200", os.devnull)
        self.assertRaisesRegex(toriscope.Error, "the window of the waveform has not begun", net.wave_off)

    def test_a_failure_is_told_by_every_way_to_run(self):
        net = toriscope.Network(CYCLIC, traffic=True, allow_deadlock=True)
        with self.assertRaises(toriscope.NetworkFailure) as raised:
            net.step(5000)
        self.assertGreater(net.statistics.packets_created, 0)
        net.wave_off()
        copied = pickle.loads(pickle.dumps(raised.exception))
        self.assertEqual((str(copied), copied.details), (str(raised.exception), raised.exception.details))
        self.assertNotEqual(copied.details, [])
        self.assertIn("deadlock", toriscope.run(CYCLIC, allow_deadlock=True).failure)
        for jobs in (1, 2):
            found = toriscope.sweep(CYCLIC, rate=[0.3, 0.4], allow_deadlock=True, jobs=jobs)
            self.assertEqual([results.failure is None for results in found], [False, False])
            self.assertRegex(repr(found.results[0]), r"^Results\('ttn:2,2,0', failed, ")


class ResultsTest(unittest.TestCase):
    def test_a_sweep_has_as_many_processes_as_there_are_processors(self):
        """And not more than runs."""
        with unittest.mock.patch("concurrent.futures.ProcessPoolExecutor") as pool, \
                unittest.mock.patch("os.sched_getaffinity", lambda _: {0, 1, 2}):
            pool.return_value.__enter__.return_value.map = map
            for seeds, expected in ((5, 3), (2, 2)):
                found = toriscope.sweep("mesh:2x2", rate=0.1, cycles=50, seed=range(seeds))
                self.assertEqual((len(found), pool.call_args[0][0]), (seeds, expected))

    def test_units_are_of_figures(self):
        results = toriscope.run("mesh:2x2", rate=0.1, cycles=200, clock=2)
        self.assertLessEqual(set(results.units), set(results.figures))
        self.assertEqual([results.units[name] for name in ("latency.mean_ns", "cycles")], ["ns", "cycles"])

    def of(self, stable, mean):
        figures = {"offered": 0.1, "accepted": 0.05, "stable": stable, "latency": {"mean": mean}}
        return toriscope.Results(json.dumps({"results": figures, "config": {"topology": {"spec": "x"}}}), "{}")

    def test_a_curve_has_what_its_runs_have(self):
        """The load is that which was offered where it does not vary; a run without a mean does not count."""
        runs = [self.of(True, 10), self.of(True, None), self.of(True, 20)]
        sweep = toriscope.Sweep([{"seed": seed} for seed in range(3)], runs)
        self.assertEqual(sweep.curves(), {"latency": [(0.1, 15, True)]})
        sweep = toriscope.Sweep([{"vcs": 2, "seed": 1, "depth": 4, "rate": 0.3}], [self.of(False, None)])
        self.assertEqual(sweep.curves(), {"2, 4": [(0.3, None, False)]})
        self.assertEqual([repr(self.of(stable, 1)) for stable in (True, False)],
                         ["Results('x', stable, accepted 0.05)", "Results('x', not stable, accepted 0.05)"])

    def test_seeds_are_one_point_whatever_each_has_offered(self):
        figures = [{"offered": offered, "stable": True, "latency": {"mean": 10}} for offered in (0.25, None, 0.75)]
        runs = [toriscope.Results(json.dumps({"results": each}), "{}") for each in figures]
        sweep = toriscope.Sweep([{"traffic.seed": seed} for seed in range(3)], runs)
        self.assertEqual(sweep.curves(), {"latency": [(0.5, 10, True)]})
        sweep = toriscope.Sweep([{"traffic.rate_flits_per_node_cycle": rate} for rate in (0.1, 0.3, 0.1)], runs)
        self.assertEqual(sweep.curves(), {"latency": [(0.1, 10, True), (0.3, 10, True)]})

    @unittest.skipUnless(has("matplotlib"), "no matplotlib")
    def test_a_picture_leaves_out_what_has_no_load(self):
        lines = {"latency": [(0.2, 20, True), (None, None, False), (0.1, 10, True)]}
        axes = toriscope._plots.curves(lines)
        self.assertEqual(axes.lines[0].get_xydata().tolist(), [[0.1, 10], [0.2, 20]])

    def test_graphs_without_a_name_are_curves_of_their_own(self):
        class Graph:
            nodes = edges = ()

            def __str__(self):
                return "Graph of 10 nodes"
        first, second = Graph(), Graph()
        points = [{"topology": graph, "seed": seed, "rate": 0.1} for graph in (first, second) for seed in (1, 2)]
        curves = toriscope.Sweep(points, [self.of(True, mean) for mean in (10, 20, 30, 40)]).curves()
        self.assertEqual(curves, {"Graph of 10 nodes": [(0.1, 15, True)], "Graph of 10 nodes (2)": [(0.1, 35, True)]})

    @unittest.skipUnless(has("pandas", "numpy"), "no pandas")
    def test_what_varies_and_a_figure_of_its_name_are_two_columns(self):
        found = toriscope.sweep("mesh:2x2", rate=0.1, warmup=50, cycles=[100, 200], jobs=1)
        frame = found.frame()
        self.assertEqual(frame["cycles"].tolist(), [100, 200])
        self.assertEqual(frame["results.cycles"].tolist(), [results["cycles"] for results in found])

    @unittest.skipUnless(has("pandas", "numpy"), "no pandas")
    def test_frames_have_no_histogram(self):
        found = toriscope.sweep("mesh:2x2", rate=[0.1, 0.2], cycles=100, jobs=1)
        for frame in (found.frame(), found.results[0].frame()):
            self.assertNotIn("latency.histogram.counts", frame.columns)
            self.assertIn("latency.histogram.bin_width", frame.columns)

    @unittest.skipUnless(has("matplotlib", "numpy"), "no matplotlib")
    def test_lines_of_links_stand_beside_each_other(self):
        """Both ways of a link, shifted to either side by less than a tenth of their length, have the places of the
        nodes between them; a bent one is a parabola, in whose middle the control point counts half."""
        results = toriscope.run("torus:4x4", rate=0.1, warmup=0, cycles=100)
        axes = results.plot_links()
        drawn = axes.collections[0]
        self.assertEqual(drawn.get_clim(), (0, results.links_busy.max()))
        wiring = results.wiring
        places = [node["position"] for node in wiring["nodes"]]
        ends, bent = {}, 0
        for link, points in zip(wiring["links"], drawn.get_segments()):
            start, end = points[0], points[-1]
            ends[link["from"], link["to"]] = start, end
            shift = [start - places[link["from"]], end - places[link["to"]]]
            self.assertLess(abs(shift[0] - shift[1]).max(), 1e-9)
            self.assertTrue(0 < (shift[0] ** 2).sum() < 3 ** 2)  # neighbours are 30 apart
            self.assertAlmostEqual((shift[0] * (end - start)).sum(), 0)
            if link["bend"]:
                bent += 1
                self.assertGreater(len(points), 2)
                away = points[len(points) // 2] - (start + end) / 4 - [each / 2 for each in link["bend"]]
                self.assertLess(abs(away).max(), 1e-9)
        self.assertEqual(bent, 4 * 4)
        for (source, to), (start, _) in ends.items():
            self.assertLess(abs((start + ends[to, source][1]) / 2 - places[source]).max(), 1e-9)
        self.assertTrue(axes.yaxis_inverted())  # rows of a network go down the page
        self.assertEqual((axes.get_aspect(), axes.axison), (1, False))
        nodes = axes.collections[1].get_offsets().tolist()
        self.assertEqual(nodes, [[float(each) for each in at] for at in places])
        self.assertEqual(drawn.colorbar.ax.get_ylabel(), "share of cycles in use")

    @unittest.skipUnless(has("matplotlib", "numpy"), "no matplotlib")
    def test_axes_that_are_given_are_drawn_in_and_say_what_they_show(self):
        import matplotlib.pyplot
        found = toriscope.sweep(["ring:4", "mesh:2x2"], rate=[0.1, 0.2], warmup=50, cycles=200, jobs=1)
        results = found.results[0]
        given = matplotlib.pyplot.subplots(3)[1]
        ways = (results.plot_histogram, found.plot_latency, results.plot_links)
        self.assertEqual([plot(axes) is axes for plot, axes in zip(ways, given)], 3 * [True])
        histogram, curves, _ = given
        steps = histogram.lines[0]
        self.assertEqual(steps.get_xydata().tolist(), [list(pair) for pair in zip(*results.histogram)])
        self.assertEqual(steps.get_drawstyle(), "steps-post")  # a latency is the least of its bin
        self.assertEqual((histogram.get_xlabel(), histogram.get_ylabel()), ("latency in cycles", "packets"))
        self.assertEqual((curves.get_xlabel(), curves.get_ylabel()),
                         ("offered load in flits per node and cycle", "mean latency in cycles"))
        labels = [text.get_text() for text in curves.get_legend().get_texts()]
        self.assertEqual(labels, ["ring:4", "mesh:2x2"])


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    unittest.main()
