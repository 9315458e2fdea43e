# SPDX-License-Identifier: Apache-2.0
"""A network: stepped cycle by cycle, or run as a whole."""
import collections
import contextlib
import ctypes
import functools
import json
import operator
import os
import sys
import threading
import time
import weakref

from . import _library
from ._configuration import config_of, without_files
from ._errors import Error, NetworkFailure, needed, shown, whole
from ._library import CPacket, CStatistics, lib
from ._results import Results


class Packet(collections.namedtuple("Packet", "number created head_sent ended source destination flits hops "
                                              "message_class fate")):
    """A packet that has ended; fate 0: received, 1: discarded at a dead link, 2: refused, for it had no way.

    >>> from toriscope import Packet
    >>> Packet(0, 5, 5, 17, 0, 1, 4, 1, 0, 0).latency
    12
    """
    __slots__ = ()

    @property
    def latency(self):
        """From creation to the arrival of the tail, in cycles."""
        return self.ended - self.created


class Statistics(collections.namedtuple("Statistics", (
        "cycles packets_created packets_received packets_discarded packets_refused flits_created flits_injected "
        "flits_ejected flits_discarded latency_sum latency_least latency_most network_latency_sum hops_sum under_way "
        "packet_hash"))):
    """Counts of the cycles since creation, or since clear_statistics()."""
    __slots__ = ()

    @property
    def latency_mean(self):
        """NaN where no packet was received."""
        return self.latency_sum / self.packets_received if self.packets_received else float("nan")

    @property
    def hops_mean(self):
        """Likewise."""
        return self.hops_sum / self.packets_received if self.packets_received else float("nan")


class Signal:
    """A signal of a network, by its name in waveforms."""

    def __init__(self, network, handle, name):
        self._network, self._handle, self.name = network, handle, name  # the network must live as long

    @property
    def value(self):
        """What the next cycle finds; None: there is nothing (no flit, no owner)."""
        self._network._alive()
        return _or_none(lib.toriscope_value(self._handle))

    @property
    def width(self):
        """In bits."""
        self._network._alive()
        return lib.toriscope_width(self._handle)

    def __repr__(self):
        return f"Signal({self.name!r})"


def _or_none(value):
    return None if value == _library.NONE else value


_FEW = 32  # cycles that are one call of C
_WATCHER_NAME = "Network.watch.<locals>.call"


def _bytes(text, what, encode=str.encode):
    try:
        found = encode(text)
    except (TypeError, UnicodeEncodeError):
        found = b"\0"
    if b"\0" in found:
        raise Error(f"{what}: {text!r}; expected a text")
    return found


class Network:
    """A network of routers.

    topology: a text as `toriscope run --topology` takes it, a configuration as a dict or as JSON, or a graph of
    networkx.
    traffic: True, or the pattern or section of the configuration's traffic: step() also creates its packets.
    allow_deadlock: routing may be cyclic.
    parameters: those of `toriscope list parameters` by option or path; a tuple is a list of values.

    >>> from toriscope import Network
    >>> Network("torus:4x4", vcs=2, depth=8)
    Network('torus:4x4', 16 terminals, cycle 0)
    >>> Network({"topology": "mesh:2x2", "router": {"vcs": 1}}).config["router"]["vcs"]
    1
    """

    _net = None
    _in_watcher = False

    def __init__(self, topology=None, *, traffic=False, allow_deadlock=False, **parameters):
        if hasattr(traffic, "tolist"):  # of NumPy
            traffic = traffic.tolist()
        if not isinstance(traffic, bool):
            parameters["traffic"] = traffic
        flags = _library.WITH_TRAFFIC if traffic is not False else 0
        flags |= _library.ALLOW_DEADLOCK if allow_deadlock else 0
        self._net = lib.toriscope_create(json.dumps(config_of(topology, parameters)).encode(), flags)
        if not self._net:
            raise Error(without_files(_library.last_error()))
        self._step = lib.toriscope_step
        self._watchers = []
        self._raised = None

    def __del__(self):
        self.close()

    def __reduce__(self):  # for copy, too
        raise Error("a network cannot be copied or pickled; create another one from its config")

    def close(self):
        """Frees the network, whose methods then raise. The last reference that goes frees it, too; where a watcher
        refers to it, Python's garbage collector does, some time later. Not from a watcher."""
        self._not_in_watcher("close()")
        if self._net:
            lib.toriscope_destroy(self._net)
            self._net = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        if not self._net:
            return "Network(closed)"
        return f"Network({self.config['topology']['spec']!r}, {self.terminals} terminals, cycle {self.cycle})"

    def _alive(self):
        if not self._net:
            raise Error("the network is closed")
        return self._net

    def _not_in_watcher(self, what):
        if self._in_watcher:
            raise Error(f"{what}: a watcher may not call it for the network that it watches; call it after step()")

    def _check(self, status):
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        if status == _library.FAILED:
            message, *details = lib.toriscope_failure(self._net).decode().split("\n")
            raise NetworkFailure(message, details)
        if status != _library.OK:
            self._alive()
            raise Error(_library.last_error())

    # --- what it is ---

    @property
    def config(self):
        """The effective configuration, as a tree of dicts."""
        return json.loads(lib.toriscope_config(self._alive()))

    @property
    def wiring(self):
        """Nodes, terminals and links by number, as a tree: {"name", "nodes", "terminals", "links"}.

        >>> from toriscope import Network
        >>> Network("mesh:2x2").wiring["links"][0]["port"]
        'x+'
        """
        return json.loads(lib.toriscope_wiring(self._alive()))

    @property
    def graph(self):
        """The routers as a networkx.MultiDiGraph, an edge for each link."""
        graph = needed("networkx", "networkx", "Network.graph").MultiDiGraph()
        wiring = self.wiring
        for number, node in enumerate(wiring["nodes"]):
            graph.add_node(number, **node)
        for number, link in enumerate(wiring["links"]):
            graph.add_edge(link["from"], link["to"], number=number,
                           **{key: value for key, value in link.items() if key not in ("from", "to")})
        return graph

    @property
    def terminals(self):
        """How many sources and destinations there are."""
        return lib.toriscope_terminals(self._alive())

    # --- step by step ---

    @property
    def cycle(self):
        """The cycles done, which is the number of the next one."""
        return lib.toriscope_cycle(self._alive())

    @property
    def idle(self):
        """No packet is under way or waits for the next cycle."""
        return bool(lib.toriscope_idle(self._alive()))

    def inject(self, source, destination, flits=1, message_class=0):
        """A packet that is created in the next cycle. Returns its number."""
        number = ctypes.c_uint64()
        try:
            given = [operator.index(each) for each in (source, destination, flits, message_class)]
        except TypeError as error:
            raise Error(f"inject: {error}; expected whole numbers") from None
        if any(each >> 32 for each in given):  # ctypes would cut them off
            raise Error(f"inject: {', '.join(map(shown, given))}; expected numbers from 0 to 2^32 - 1")
        self._check(lib.toriscope_inject(self._alive(), *given, ctypes.byref(number)))
        return number.value

    def step(self, cycles=1, traffic=None, received=None):
        """Does this many cycles. Ctrl-C is raised within some milliseconds, after a whole cycle; the network may go on.
        With traffic or received the cycle in which Ctrl-C falls may have been asked for, some of its packets injected,
        and not done.

        traffic(cycle): is asked before each cycle for the packets created in it, tuples (source, destination, flits)
        or (source, destination, flits, message_class); None: for none. received(packet): is told of each packet that
        has ended. If it raises, receive() has those that it was not told of.

        >>> from toriscope import Network
        >>> net = Network("mesh:2x2")
        >>> net.step(40, traffic=lambda cycle: [(0, 3, 4)] if cycle % 10 == 0 else [],
        ...          received=lambda packet: print(packet.number, packet.latency))
        0 16
        1 16
        2 16
        """
        cycles = whole(cycles, "step")
        if not 0 <= cycles < 2**64:
            raise Error(f"step: {shown(cycles)} cycles; expected a whole number from 0 to 2^64 - 1")
        if traffic is None and received is None:
            if cycles > _FEW or self._watchers:
                self._advance(cycles)
            else:
                status = self._step(self._net, cycles)
                if status:
                    self._check(status)
            return
        for _ in range(cycles):
            created = traffic(self.cycle) if traffic else None
            for packet in () if created is None else created:
                self.inject(*packet)
            self.step()
            if received:
                for packet in self._ended():
                    received(packet)

    def _advance(self, cycles):
        """In slices of some milliseconds: signals, such as Ctrl-C, reach Python between calls of C only."""
        most = _FEW
        with self._calling_watchers():
            while True:
                begun = time.monotonic()
                status = self._step(self._net, min(cycles, most))
                cycles -= most
                if cycles <= 0 or status or self._raised is not None and not isinstance(self._raised, Exception):
                    break
                most = most * 2 if time.monotonic() - begun < 0.005 else max(1, most // 2)
            self._check(status)

    @contextlib.contextmanager
    def _calling_watchers(self):
        """Around calls of C that call watchers. A handler of a signal that raises there raises before the watcher's
        first line: only the hook sees that. Handlers run in the main thread. What one raises between calls of C goes
        before what a watcher has raised."""
        if not self._watchers or threading.get_ident() != threading.main_thread().ident:
            yield
            return
        hook = sys.unraisablehook
        sys.unraisablehook = functools.partial(self._lost, hook)
        try:
            yield
        except BaseException:
            self._raised = None
            raise
        finally:
            sys.unraisablehook = hook

    def _lost(self, hook, lost):
        if _WATCHER_NAME in f"{lost.err_msg} {lost.object}":
            self._keep(lost.exc_value)
        else:
            hook(lost)

    def _keep(self, raised):
        """For _check(). Ctrl-C goes before what a watcher raised."""
        if self._raised is None or not isinstance(raised, Exception):
            self._raised = raised

    def step_until_idle(self, most=1_000_000):
        """Steps until no packet is under way. Raises where that takes more than `most` cycles."""
        end = self.cycle + whole(most, "step_until_idle")
        while not self.idle:
            if self.cycle >= end:
                raise Error(f"packets are still under way after {most} cycles")
            self.step()

    def _ended(self):
        packet = CPacket()
        while lib.toriscope_receive(self._alive(), packet):
            yield Packet(*(getattr(packet, name) for name in Packet._fields))

    def receive(self):
        """The injected packets that have ended since the last call, a list of Packet in the order of their ends."""
        return list(self._ended())

    def receive_array(self):
        """The same as a structured NumPy array with the fields of Packet."""
        numpy = needed("numpy", "numpy", "Network.receive_array()")
        fields = [(name, "u8" if kind is ctypes.c_uint64 else "u4") for name, kind in _library.PACKET_FIELDS]
        return numpy.array(self.receive(), dtype=fields)

    def receive_frame(self):
        """The same as a pandas.DataFrame, with a column `latency`."""
        frame = needed("pandas", "pandas", "Network.receive_frame()").DataFrame(self.receive(), columns=Packet._fields)
        return frame.assign(latency=frame["ended"] - frame["created"])

    # --- statistics ---

    @property
    def statistics(self):
        """Counts of the cycles since creation, or since clear_statistics()."""
        counts = CStatistics()
        if lib.toriscope_get_statistics(self._alive(), counts) == _library.BAD_INPUT:
            raise Error(_library.last_error())
        return Statistics(*(getattr(counts, name) for name in Statistics._fields))

    def clear_statistics(self):
        """Counts from now on."""
        lib.toriscope_clear_statistics(self._alive())

    def wire_flits(self):
        """Flits sent since cycle 0 over each wire, a NumPy array: links, injection ports, ejection ports."""
        numpy = needed("numpy", "numpy", "Network.wire_flits()")
        flits = numpy.zeros(lib.toriscope_wire_flits(self._alive(), None, 0), dtype=numpy.uint64)
        lib.toriscope_wire_flits(self._net, flits.ctypes.data, len(flits))
        return flits

    # --- a whole run ---

    def run(self):
        """Warm-up, measured cycles and drain with the traffic of the configuration. Returns Results, also of a run
        that has failed; see Results.failure. Ctrl-C is raised after the run."""
        with self._calling_watchers():
            status = lib.toriscope_run(self._alive())
            if status == _library.BAD_INPUT or self._raised is not None:
                self._check(status)
        return Results(lib.toriscope_results(self._net).decode(), lib.toriscope_wiring(self._net).decode())

    # --- signals and waves ---

    def signals(self, pattern="*"):
        """The names of the signals that a pattern selects.

        >>> from toriscope import Network
        >>> Network("mesh:2x2").signals("*.node_0_0.ni")
        ['mesh.node_0_0.ni.queue', 'mesh.node_0_0.ni.sending', 'mesh.node_0_0.ni.sending_vc']
        """
        names = lib.toriscope_signals(self._alive(), _bytes(pattern, "pattern"))
        if names is None:
            raise Error(_library.last_error())
        return names.decode().splitlines()

    def signal(self, name):
        """A signal by its whole name.

        >>> from toriscope import Network
        >>> net = Network("mesh:2x2", vcs=1, depth=4)
        >>> net.signal("mesh.node_0_0.out_x+.vc0.credits").value
        4
        """
        handle = lib.toriscope_find_signal(self._alive(), _bytes(name, "name"))
        if not handle:
            raise Error(_library.last_error())
        return Signal(self, handle, name)

    def watch(self, pattern, watcher):
        """Calls watcher(cycle, name, value) for each selected signal now, and after each cycle that changes it; value
        None: nothing there. What it raises is raised by step(), after its last cycle."""

        reference = weakref.ref(self)  # or the network would refer to itself

        @_library.WATCHER
        def call(_, cycle, name, value):
            net = reference()
            outer, net._in_watcher = net._in_watcher, True
            try:
                watcher(cycle, name.decode(), _or_none(value))
            except BaseException as raised:  # no exception may pass through C
                net._keep(raised)
            finally:
                net._in_watcher = outer

        network, selected = self._alive(), _bytes(pattern, "pattern")
        self._watchers.append(call)  # which C keeps
        with self._calling_watchers():
            status = lib.toriscope_watch(network, selected, call, None)
            if status == _library.BAD_INPUT:
                self._watchers.remove(call)
            self._check(status)

    def unwatch(self):
        """Ends all watches. Not from a watcher."""
        self._not_in_watcher("unwatch()")
        lib.toriscope_unwatch(self._alive())
        self._watchers.clear()

    def wave_on(self, pattern, file):
        """Writes a waveform from now on. pattern: as for `toriscope run --wave`, "GLOB@FROM:TO". Not from a watcher."""
        if lib.toriscope_wave_on(self._alive(), _bytes(pattern, "pattern"),
                                 _bytes(file, "file", os.fsencode)) == _library.BAD_INPUT:
            raise Error(_library.last_error())

    def wave_off(self):
        """Ends the waveform: its files are complete."""
        if lib.toriscope_wave_off(self._alive()) == _library.BAD_INPUT:
            raise Error(_library.last_error())

    @contextlib.contextmanager
    def wave(self, pattern, file):
        """`with net.wave("torus.*", "chip.vcd"): net.step(100)`"""
        self.wave_on(pattern, file)
        try:
            yield self
        except BaseException:
            with contextlib.suppress(Error):  # what was raised says more
                self.wave_off()
            raise
        self.wave_off()
