# SPDX-License-Identifier: Apache-2.0
"""Networks that BookSim2 and toriscope both have: the parameters of each, how BookSim2 numbers the terminals, and the
way of a packet under minimal routing. Imported by peers.py."""
import dataclasses
import functools
import json


def same(number):
    return number


@dataclasses.dataclass(frozen=True)
class Network:
    """One network, in BookSim2's numbers unless said otherwise."""
    title: str
    spec: str  # toriscope's --topology
    booksim: dict  # parameters
    nodes: int  # terminals
    way: callable  # (source, destination) -> (routers passed, kinds of links, "" where all links are alike)
    links_per_node: float  # links between routers for each terminal, each direction counted
    terminal: callable = same  # toriscope's number of a terminal
    routing: tuple = ()  # arguments of toriscope
    vcs: int = 4
    depth: int = 8  # flits of a VC's buffer, where a run does not ask for another one
    link_delay: str = ""  # toriscope's, where BookSim2's channels do not all take one cycle
    # Of the comparison of pairs: (flits of a packet, depth, cycles of credits beyond the delay of their link); a load
    # at which, with a packet of each pair in a run, some are alone; cycles between packets that shall not meet.
    pair_cases: tuple = ((1, 8, 0), (16, 8, 0), (16, 4, 0), (16, 4, 1))
    lone_rate: float = .03
    spacing: int = 400
    own_way: callable = None  # in toriscope's numbers, where toriscope connects the routers otherwise
    # {difference removed: text for `--topology file:`}; the last one has no difference left.
    files: dict = dataclasses.field(default_factory=dict)


def grid(network, k):
    def apart(a, b):
        return min(abs(a - b), k - abs(a - b)) if network == "torus" else abs(a - b)

    def way(source, destination):
        return apart(source % k, destination % k) + apart(source // k, destination // k) + 1, ""
    # use_noc_latency = 1, the default, would make the links of a torus two cycles long.
    parameters = {"topology": network, "routing_function": "dim_order" if network == "torus" else "dor", "k": k, "n": 2}
    return Network(f"{network} {k}x{k}", f"{network}:{k}x{k}", parameters, k * k, way,
                   4 if network == "torus" else 4 * (k - 1) / k, routing=("--routing", "xy"))


def butterfly(k, n=3):
    return Network(f"butterfly:{k},{n}", f"butterfly:{k},{n}",
                   {"topology": "fly", "routing_function": "dest_tag", "k": k, "n": n}, k**n,
                   lambda source, destination: (n, ""), n - 1)


def fat_tree(k, n=3):
    def way(source, destination):
        up = 0
        while source // k**(up + 1) != destination // k**(up + 1):
            up += 1
        return 2 * up + 1, ""
    # BookSim2's nca draws a port at every switch on the way up: `random`.
    return Network(f"fattree:{k},{n}", f"fattree:{k},{n}",
                   {"topology": "fattree", "routing_function": "nca", "k": k, "n": n}, k**n, way, 2 * (n - 1),
                   routing=("--routing", "random"))


def place(number, k):
    """(y, x, index) of BookSim2's router with four terminals: node 0 has 0, 1, 2k, 2k + 1, the next 2, 3 ..."""
    y, x = divmod(number, 2 * k)
    return y // 2, x // 2, y % 2 * 2 + x % 2


SQUARE = {"n": 2, "c": 4, "xr": 2, "yr": 2}  # four terminals at each router, the only number that its cmesh takes


def concentrated_mesh(k):
    def way(source, destination):
        a, b = place(source, k), place(destination, k)
        return abs(a[0] - b[0]) + abs(a[1] - b[1]) + 1, ""

    def terminal(number):
        y, x, index = place(number, k)
        return (y * k + x) * 4 + index
    # Its `dor` takes express channels along the edges, which toriscope's cmesh does not have.
    return Network(f"cmesh:{k}x{k},4", f"cmesh:{k}x{k},4",
                   {"topology": "cmesh", "routing_function": "dor_no_express", "k": k, "x": k, "y": k, **SQUARE},
                   4 * k * k, way, (k - 1) / k, terminal, ("--routing", "xy"), lone_rate=.015)


def flattened_butterfly(k):
    def way(source, destination):
        a, b = place(source, k), place(destination, k)
        return (a[0] != b[0]) + (a[1] != b[1]) + 1, ""

    def terminal(number):
        y, x, index = place(number, k)
        return (x * k + y) * 4 + index  # BookSim2 goes along x first, toriscope along the first digit
    return Network(f"flatfly:{k},2,4", f"flatfly:{k},2,4",
                   {"topology": "flatfly", "routing_function": "ran_min", "k": k, "x": k, "y": k, **SQUARE},
                   4 * k * k, way, (k - 1) / 2, terminal)


class Dragonfly:
    """a = 2p routers in a group, p terminals and p global links at each, 2p^2 + 1 groups: the sizes that BookSim2 has.
    Global link i of group G leads to group i or, from i = G on, i + 1; in toriscope to group G + i + 1."""

    def __init__(self, p):
        self.p, self.a = p, 2 * p
        self.groups = self.a * p + 1

    def link(self, group, aim, toriscope):
        """Number of the global link from a group to another."""
        return (aim - group - 1) % self.groups if toriscope else aim - (aim > group)

    def gateway(self, group, aim, toriscope):
        """The router of that link, within its group."""
        return self.link(group, aim, toriscope) // self.p

    def way(self, source, destination, toriscope=False):
        """l for a local link, g for a global one."""
        (group, a), (aim, b) = divmod(source // self.p, self.a), divmod(destination // self.p, self.a)
        if group == aim:
            kinds = "l" * (a != b)
        else:
            kinds = ("l" * (a != self.gateway(group, aim, toriscope)) + "g"
                     + "l" * (b != self.gateway(aim, group, toriscope)))
        return len(kinds) + 1, kinds

    def file(self, toriscope, global_vcs):
        """A network file (docs/custom_network.md). Local links of the destination's group have VC 1, others VC 0."""
        def name(group, router):
            return f"g{group}_r{router}"
        places = [(group, router) for group in range(self.groups) for router in range(self.a)]
        links, routes = [], {}
        for group in range(self.groups):
            links += [{"from": name(group, i), "to": name(group, j), "from_port": f"to{j}", "to_port": f"to{i}"}
                      for i in range(self.a) for j in range(i)]
            for aim in range(group):
                ends = [(self.gateway(*ends, toriscope), self.link(*ends, toriscope) % self.p)
                        for ends in ((group, aim), (aim, group))]
                links.append({"from": name(group, ends[0][0]), "to": name(aim, ends[1][0]), "level": 2,
                              "from_port": f"global{ends[0][1]}", "to_port": f"global{ends[1][1]}"})
        for group, router in places:
            ports = routes[name(group, router)] = {}
            for aim, target in places:
                toward = target if aim == group else self.gateway(group, aim, toriscope)
                if toward != router:
                    ports[name(aim, target)] = {"port": f"to{toward}", "vcs": [int(aim == group)]}
                elif aim != group:
                    ports[name(aim, target)] = {
                        "port": f"global{self.link(group, aim, toriscope) % self.p}", "vcs": global_vcs}
        return json.dumps({"name": "dragonfly", "routes": routes, "links": links,
                           "nodes": [{"name": name(*node), "terminals": self.p} for node in places]})


def dragonfly(p):
    made = Dragonfly(p)
    spec = f"dragonfly:{made.a},{p},{p}"
    # Its channels take 10 cycles within a group and 100 between groups; it uses VCs 0 and 1 only, however many exist.
    return Network(spec, spec, {"topology": "dragonflynew", "routing_function": "min", "k": p, "n": 1},
                   made.a * p * made.groups, made.way, (made.a - 1 + p) / p, vcs=2, depth=64, link_delay="11,101",
                   pair_cases=((1, 8, 0), (16, 64, 0), (16, 8, 0), (16, 8, 1)), lone_rate=.002, spacing=2000,
                   own_way=functools.partial(made.way, toriscope=True), files={
                       "BookSim2's VCs": made.file(True, [1]), "BookSim2's wiring": made.file(False, [0, 1]),
                       "BookSim2's wiring and VCs": made.file(False, [1])})


# By name: what makes it, and the k that is compared.
MAKERS = {"mesh": (functools.partial(grid, "mesh"), 8), "torus": (functools.partial(grid, "torus"), 8),
          "butterfly": (butterfly, 4), "fattree": (fat_tree, 4), "cmesh": (concentrated_mesh, 4),
          "flatfly": (flattened_butterfly, 4), "dragonfly": (dragonfly, 2)}


@functools.lru_cache(maxsize=None)
def network_of(name, k=None):
    """@param k  routers in a dimension, or ports of a switch in one direction; None: as it is compared"""
    make, usual = MAKERS[name]
    return make(k or usual)
