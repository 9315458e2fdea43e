# SPDX-License-Identifier: Apache-2.0
"""Simulators that can be asked to do a piece of work: the configuration that each needs, and the words in which it
answers. Imported by compare_peers.py and booksim_saturation.py."""
import collections
import dataclasses
import json
import math
import os
import re
import subprocess
import tempfile

from peer_networks import network_of


class Failure(Exception):
    """One line: what is wrong, and where."""


@dataclasses.dataclass(frozen=True)
class Workload:
    """Of a network of peer_networks.py, under minimal routing."""
    network: str = "torus"
    k: int = None  # None: the network's own
    rate: float = 0  # offered, flits/node/cycle
    warmup: int = 0  # cycles
    measured: int = 0
    seed: int = 1
    traffic: str = "uniform"  # by toriscope's name
    flits: int = 16  # of a packet
    depth: int = None  # of a VC's buffer, in flits; None: the network's own
    credit_delay: int = 0  # cycles of credits, beyond the delay of their link

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    @property
    def net(self):
        return network_of(self.network, self.k)

    @property
    def nodes(self):
        return self.net.nodes

    @property
    def buffer(self):
        return self.depth or self.net.depth


@dataclasses.dataclass(frozen=True)
class Outcome:
    cycles: float = 0  # simulated, all of them
    accepted: float = 0  # flits ejected per node and measured cycle
    visits: float = 0  # routers that a flit passes, its source's and destination's included
    latency_mean: float = 0  # cycles; of a packet as the simulator defines it
    latency_min: float = 0
    cpu: float = 0  # seconds of the whole process, user and system


Process = collections.namedtuple("Process", "status cpu out last_words")


def run_process(arguments, directory=None):
    """Runs a program to its end. Its status is 128 + signal when it was killed."""
    program = arguments[0]
    if not os.path.exists(program):
        raise Failure(f"cannot run '{program}': there is no such file")
    if os.path.isdir(program) or not os.access(program, os.X_OK):
        raise Failure(f"cannot run '{program}': it is not a program")
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        try:
            child = subprocess.Popen(arguments, executable=os.path.abspath(program), cwd=directory,
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        except OSError as error:
            raise Failure(f"cannot run '{program}': {error.strerror}") from error
        _, status, used = os.wait4(child.pid, 0)
        code = child.returncode = os.waitstatus_to_exitcode(status)
        texts = [file.seek(0) or file.read() for file in (err, out)]
    words = next((text.strip().splitlines()[-1] for text in texts if text.strip()), "")
    return Process(code if code >= 0 else 128 - code, used.ru_utime + used.ru_stime, texts[1], words)


def last_after(label, text, who, rest=r"\s*(\S*)"):
    """What follows the last such label."""
    found = re.findall(re.escape(label) + rest, text)
    if not found:
        raise Failure(f"{who}: its output has no line with '{label}'; is it the right program?")
    return found[-1]


def number_after(label, text, who):
    try:
        return float(last_after(label, text, who))
    except ValueError:
        raise Failure(f"{who}: no number behind '{label}' in its output") from None


class BookSim:
    """BookSim2 (Jiang et al., ISPASS 2013): iq_router of four stages. Its channel of one cycle is a link delay D = 2 of
    toriscope (docs/model.md): it is written and read in separate cycles. Its uniform traffic includes the own node; its
    latency includes an unbounded source queue."""
    name = "BookSim2"
    PATTERNS = {"bit_reversal": "bitrev", "complement": "bitcomp", "neighbour": "neighbor"}

    def __init__(self, program, directory):
        self.program, self.file = program, os.path.join(directory, "booksim.cfg")

    @classmethod
    def configuration(cls, work, **more):
        """The warm-up is a period of its own length: the measured cycles are rounded up to a multiple of it."""
        period = max(work.warmup, 1)
        values = {
            **work.net.booksim,
            "num_vcs": work.net.vcs, "vc_buf_size": work.buffer, "credit_delay": work.credit_delay, "routing_delay": 1,
            "vc_alloc_delay": 1, "sw_alloc_delay": 1, "st_final_delay": 1, "speculative": 0, "input_speedup": 1,
            "output_speedup": 1, "internal_speedup": "1.0", "vc_allocator": "separable_input_first",
            "sw_allocator": "separable_input_first", "use_noc_latency": 0,
            "traffic": cls.PATTERNS.get(work.traffic, work.traffic), "injection_process": "bernoulli",
            # A rate without a point would be read as another kind of field.
            "injection_rate_uses_flits": 1, "injection_rate": f"{work.rate:.9f}", "packet_size": work.flits,
            "seed": work.seed,
            # A run of exactly N periods: nothing ever converges, and no latency is too high.
            "sim_type": "throughput", "warmup_periods": 1, "sample_period": period,
            "max_samples": 1 + -(-work.measured // period), "acc_stopping_thres": "1e-12", "latency_thres": "1e12"}
        return "".join(f"{key} = {value};\n" for key, value in {**values, **more}.items())

    def parse(self, text):
        def number(label, text=text):
            return number_after(label, text, self.name)
        packets = text[text.rfind("Packet latency average = "):]
        return Outcome(number("Time taken is "), number("Accepted flit rate average = "), number("Hops average = "),
                       number("Packet latency average = "), number("minimum = ", "".join(packets.splitlines()[:2])))

    def row(self, text, name):
        """The numbers of "name(1,:) = [ 1 2 nan ];", the last time it stands there."""
        return [float(value) for value in last_after(name + "(1,:) = [", text, self.name, "([^]]*)").split()]

    def parse_pairs(self, text):
        """Mean packet latency of every pair, infinite where it has sent none."""
        sent, mean = self.row(text, "pair_sent"), self.row(text, "pair_plat")
        if not sent or len(sent) != len(mean):
            raise Failure(f"{self.name}: {len(sent)} numbers of packets and {len(mean)} latencies of pairs")
        return [latency if packets else math.inf for packets, latency in zip(sent, mean)]

    def run_to_end(self, work, **more):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(self.configuration(work, **more))
        process = run_process([self.program, self.file])
        if "Time taken is " not in process.out:  # it leaves with 255 when all went well
            raise Failure(f"{self.name}: '{self.program}' left with status {process.status} and no result; it said: "
                          f"{process.last_words}")
        return process

    def run(self, work):
        process = self.run_to_end(work)
        return dataclasses.replace(self.parse(process.out), cpu=process.cpu)

    def lone_pair_latencies(self, work, runs):
        """Packet latency of every pair (index source * nodes + destination) in an empty network. BookSim2 prints means:
        a pair that no other packet disturbs in at least one of the runs has its zero-load latency as its least mean."""
        means = [self.parse_pairs(self.run_to_end(work.but(seed=work.seed + i), pair_stats=1, stats_out="-").out)
                 for i in range(runs)]
        if len({len(mean) for mean in means}) > 1:
            raise Failure(f"{self.name}: runs of different sizes")
        return [min((value for value in values if not math.isnan(value)), default=math.inf) for values in zip(*means)]


class Noxim:
    """Noxim (Catania et al., TOMACS 2016): a mesh with XY routing. It moves one flit per two cycles over a link
    (alternating-bit handshake), so it saturates at about half our load, and a head that passes H routers takes 2 H
    cycles. A packet keeps the VC that its source drew. Its traffic leaves the own node out; `neighbour` stands for
    packets from the first to the last node only."""
    name = "Noxim"
    RESET = 10  # cycles
    # What it must be given although it plays no part.
    UNUSED = """verbose_mode: VERBOSE_OFF
trace_mode: false
trace_filename: ""
detailed: false
show_buffer_stats: false
max_volume_to_be_drained: 0
dyad_threshold: 0.6
use_winoc: false
use_wirxsleep: false
r2r_link_length: 1.0
r2h_link_length: 2.0
Hubs: {defaults: {rx_radio_channels: [0], tx_radio_channels: [0], attached_nodes: [], to_tile_buffer_size: 4,
  from_tile_buffer_size: 4, rx_buffer_size: 4, tx_buffer_size: 4}}
RadioChannels: {defaults: {data_rate: 16, ber: [0, 0], mac_policy: [TOKEN_PACKET]}}
"""

    def __init__(self, program, power, directory):
        self.program, self.power, self.directory = os.path.abspath(program), power, directory

    @classmethod
    def configuration(cls, work):
        packets, k = f"{work.rate / work.flits:.9f}", math.isqrt(work.nodes)
        values = {
            "topology": "MESH", "mesh_dim_x": k, "mesh_dim_y": k, "buffer_depth": 8, "n_virtual_channels": 4,
            "min_packet_size": work.flits, "max_packet_size": work.flits, "flit_size": 32, "routing_algorithm": "XY",
            "routing_table_filename": '""', "selection_strategy": "RANDOM", "packet_injection_rate": packets,
            # The probability of another packet right after one: the same, or arrivals would not be Bernoulli.
            "probability_of_retransmission": packets,
            "traffic_distribution": "TRAFFIC_TABLE_BASED" if work.traffic == "neighbour" else "TRAFFIC_RANDOM",
            "traffic_table_filename": '"noxim_traffic.txt"', "traffic_hardcoded_filename": '""',
            "reset_time": cls.RESET, "simulation_time": work.warmup + work.measured,
            "stats_warm_up_time": work.warmup, "clock_period_ps": 1000}
        return "".join(f"{key}: {value}\n" for key, value in values.items()) + cls.UNUSED

    def parse(self, text, work):
        flits = number_after("Total received flits: ", text, self.name)
        latency = number_after("Global average delay (cycles): ", text, self.name)
        # Mean distance of two different nodes of a k x k mesh, and one: 2 k / 3 + 1.
        k = math.isqrt(work.nodes)
        visits = 2 * k - 1 if work.traffic == "neighbour" else 2 * k / 3 + 1
        return Outcome(work.warmup + work.measured + self.RESET, flits / (work.nodes * work.measured), visits, latency,
                       latency)

    def run(self, work):
        packets = f"{work.rate / work.flits:.9f}"
        for name, text in (("noxim.yaml", self.configuration(work)),
                           ("noxim_traffic.txt", f"0 {work.nodes - 1} {packets} {packets}\n")):
            with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
                file.write(text)
        process = run_process([self.program, "-config", "noxim.yaml", "-power", self.power, "-seed", str(work.seed)],
                              self.directory)
        if process.status != 0:
            raise Failure(f"{self.name}: '{self.program}' left with status {process.status}; it said: "
                          f"{process.last_words}")
        return dataclasses.replace(self.parse(process.out, work), cpu=process.cpu)


class Toriscope:
    """As shipped: the program as a user would run it, statistics on."""
    name = "toriscope"

    def __init__(self, program, link_delay, include_self, more=()):
        """include_self: uniform traffic includes the own node; more: arguments of `toriscope run` for all work."""
        self.program, self.delay, self.include_self, self.more = program, str(link_delay), include_self, more
        self.file = None  # a network from this file instead of the work's

    def use_file(self, text, directory):
        """A network file that says its routing itself (docs/custom_network.md)."""
        self.file = os.path.join(directory, "network.json")
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(text)

    def network_arguments(self, work):
        return ["run", "--quiet", "--json", "-", "--vcs", str(work.net.vcs), "--depth", str(work.buffer),
                "--credit-delay", str(work.credit_delay), "--pipeline", "four_stage",
                "--link-delay", work.net.link_delay or self.delay,
                "--injection-delay", self.delay, "--ejection-delay", self.delay,
                "--topology", f"file:{self.file}" if self.file else work.net.spec, *self.more]

    def arguments(self, work, drain=0):
        # A permutation draws no destinations: toriscope rejects --include-self there.
        own_node = ["--include-self"] if self.include_self and work.traffic == "uniform" else []
        return [*self.network_arguments(work), "--packet", str(work.flits), "--traffic", work.traffic,
                "--rate", f"{work.rate:.9f}", "--warmup", str(work.warmup), "--cycles", str(work.measured),
                "--drain", str(drain), "--seed", str(work.seed), *own_node]

    def results_of(self, arguments):
        """(results, CPU seconds)."""
        process = run_process([self.program, *arguments])
        if process.status != 0:
            raise Failure(f"toriscope: '{self.program}' left with status {process.status}; it said: "
                          f"{process.last_words}")
        return self.parse(process.out), process.cpu

    @staticmethod
    def parse(text):
        try:
            results = json.loads(text)["results"]
            return {name: results[name] for name in ("cycles", "accepted", "stable", "links", "latency", "packet_hash")}
        except (ValueError, KeyError, TypeError) as error:
            raise Failure(f"toriscope: its output is not the JSON expected: {error!r}") from error

    def run(self, work):
        results, cpu = self.results_of(self.arguments(work))
        # Flits over links per flit ejected, and the router that ejects: exact also where packets are under way.
        accepted, latency = results["accepted"], results["latency"]
        visits = results["links"]["utilisation_mean"] * work.net.links_per_node / accepted + 1 if accepted > 0 else 0
        return Outcome(results["cycles"], accepted, visits, latency["mean"] or 0, float(latency["min"] or 0), cpu)

    def run_packets(self, work, file):
        """(packet_hash, least latency) of a file of packets (`toriscope run --traffic-file`), run to its end."""
        results, _ = self.results_of([*self.network_arguments(work), "--traffic-file", file])
        return results["packet_hash"], results["latency"]["min"]


def bracket(stable, steps, near):
    """(the largest stable load of the grid 1/steps ... 1, the smallest saturated one; above 1 where 1 is stable), by
    bisection after steps of 1, 2, 4 ... away from `near`."""
    good, bad, away = 0, steps + 1, 1

    def try_step(step):
        nonlocal good, bad
        well = stable(step / steps)
        good, bad = (step, bad) if well else (good, step)
        return well
    if try_step(min(max(math.floor(near * steps + .5), 1), steps)):
        while good + away < bad and try_step(good + away):
            away *= 2
    else:
        while bad > good + away and not try_step(bad - away):
            away *= 2
    while bad - good > 1:
        try_step((good + bad) // 2)
    return good / steps, bad / steps
