#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""testbenches/systemverilog/systemverilog_test.py: toriscope networks in SystemVerilog testbenches, as installed.

The oracle of hashes and figures is the program. TORISCOPE_BUILD is the build directory that is installed,
TORISCOPE_SOURCE the source directory; VERILATOR and IVERILOG name the simulators, and are empty where there is none."""
import glob
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = os.environ["TORISCOPE_SOURCE"]
PAGE = os.path.join(SOURCE, "docs", "systemverilog.md")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def blocks(language):
    """Of the page, each code block in that language: its name, if it has one, and its text."""
    return [(found[1], found[2]) for found in
            re.finditer(rf"^```{language} ?(\S*)\n(.*?)^```$", read(PAGE), re.MULTILINE | re.DOTALL)]


def commands(word):
    """The first block of commands of the page that has this word in it."""
    return "set -e\n" + next(text for _, text in blocks("sh") if word in text)


class Installed(unittest.TestCase):
    """A directory with the installed tree, and the environment that the page sets up."""
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.prefix = os.path.join(cls.directory, "prefix")
        subprocess.run([os.environ.get("CMAKE", "cmake"), "--install", os.environ["TORISCOPE_BUILD"],
                        "--prefix", cls.prefix], check=True, stdout=subprocess.DEVNULL)
        cls.sv = os.path.join(cls.prefix, "share", "toriscope", "sv")
        found = glob.glob(cls.prefix + "/lib*/**/toriscope_c.pc", recursive=True)[0]
        library = os.path.dirname(os.path.dirname(found))
        cls.environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(library, "pkgconfig"), LD_LIBRARY_PATH=library,
                               PATH=os.path.join(cls.prefix, "bin") + os.pathsep + os.environ["PATH"],
                               SC_COPYRIGHT_MESSAGE="DISABLE", OBJCACHE=shutil.which("ccache") or "")

        for language in ("systemverilog", "text", "json"):
            for name, text in blocks(language):
                with open(os.path.join(cls.directory, name), "w", encoding="utf-8") as file:
                    file.write(text)

    def shell(self, command, status=0):
        """What the command prints, both streams."""
        done = subprocess.run(["bash", "-c", command], cwd=self.directory, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode != 0, status != 0, command + "\n" + done.stdout[-3000:])
        return done.stdout

    def write(self, name, text):
        with open(os.path.join(self.directory, name), "w", encoding="utf-8") as file:
            file.write(text)

    def results(self, options):
        """Of `toriscope run`."""
        return json.loads(self.shell(f"toriscope run {options} --quiet --json -"))["results"]

    def verilate(self, top, *sources):
        """As the page does it, but with less time for the compiler."""
        self.shell(f"$VERILATOR --binary -CFLAGS -O0 --Mdir {top} --top-module {top} {' '.join(sources)} "
                   '-LDFLAGS "$(pkg-config --libs toriscope_c)"')
        return f"{top}/V{top}"


HASH = re.compile(r"packets (\d+) cycles (\d+) latency_sum (\d+) packet_hash ([0-9a-f]{16})")


@unittest.skipUnless(os.environ.get("VERILATOR"), "no Verilator")
class Packets(Installed):
    """The first testbench of the page, and the values that pass: in one program, as each takes long to build."""
    def test_the_commands_of_the_page(self):
        bench = read(self.directory, "packets_bench.sv")
        self.assertEqual(bench.count("  initial begin\n"), 1)
        self.write("packets_bench.sv", VALUES_BENCH + bench.replace(
            "  initial begin\n", '  values_bench values();\n  initial if ($test$plusargs("values") == 0) begin\n'))
        said = self.shell(commands("packets_bench"))
        count, _, latency, packet_hash = HASH.search(said).groups()
        results = json.loads(said[said.index("\n{") + 1:])["results"]
        self.assertEqual((packet_hash, int(count)), (results["packet_hash"], 4))
        self.assertEqual(int(latency), round(4 * results["latency"]["mean"]))
        many = random.Random(3)
        lines = sorted((many.randrange(500), many.randrange(256), many.randrange(256), many.randint(1, 9))
                       for _ in range(1500))
        self.write("packets.txt", "".join(" ".join(map(str, line)) + "\n" for line in lines))
        again = HASH.search(self.shell("obj_dir/Vpackets_bench"))
        results = self.results("--topology ttn:2,2,0 --traffic-file packets.txt")
        self.assertEqual((again[4], int(again[1])), (results["packet_hash"], 1500))
        self.write("packets.txt", "0 0 256 1\n")
        said = self.shell("obj_dir/Vpackets_bench", status=1)
        self.assertRegex(said, r"toriscope: .*256")
        self.check_values("obj_dir/Vpackets_bench +values")

    def test_the_package_has_no_warnings(self):
        self.assertEqual(self.shell(f"$VERILATOR --lint-only -Wall {self.sv}/toriscope_pkg.sv"), "")

    def check_values(self, program):
        said = self.shell(program)
        # Zero-load latency of a packet of one flit over h links: 4 h + 5.
        self.assertIn("packet 1: 0 -> 15, 1 flits, 6 hops, class 1, created 10, sent 10, ended 39, fate 0\n", said)
        self.assertIn("statistics: 29 most, 29 least, 1 ejected, 29 cycles, 0 under way\n", said)
        self.assertIn("signal 32 bits\n", said)
        self.assertIn("version 0.", said)
        self.assertIn("status 2: packet from node 0 to node 16: ", said)
        self.assertIn("null: configuration: ", said)
        self.assertNotIn("wrong", said)
        said = self.shell(program + " +deadlock", status=1)
        self.assertIn("toriscope: deadlock since cycle ", said)


class Boundary(Installed):
    """The second testbench of the page, in both simulators, and what it says when something is wrong."""
    RUN = "--topology torus:4x4 --vcs 2 --depth 4 --pipeline four_stage --rate 0.3 --warmup 0 --cycles 500 --drain 0"

    def check(self, said):
        """That the hash is the program's."""
        results = self.results(self.RUN)
        got = HASH.search(said)
        self.assertTrue(got, said)
        self.assertGreater(int(got[1]), 100)
        self.assertEqual((got[4], int(got[1]), got[2]), (results["packet_hash"], results["packets_arrived"], "500"))

    @unittest.skipUnless(os.environ.get("VERILATOR"), "no Verilator")
    def test_verilator(self):
        said = self.shell(commands("Vboundary_bench"))
        self.check(said)
        self.assertEqual(json.loads(said[said.index("\n{") + 1:])["results"]["packet_hash"], HASH.search(said)[4])
        torus = read(self.directory, "torus.json")
        self.addCleanup(self.write, "torus.json", torus)
        for text, expected in (
                (torus.replace('"depth": 4', '"depth": 3'),
                 r"toriscope: broken invariant in cycle \d+: torus.node_1_[12]: port .*credit"),
                ('{"topology": "torus:4y4"}', "toriscope: topology 'torus:4y4': ")):
            self.write("torus.json", text)
            self.assertRegex(self.shell("obj_dir/Vboundary_bench", status=1), expected)
        for parameters in ("", "-GROUTERS=256 -GPORTS=7"):
            self.assertEqual(self.shell(f"$VERILATOR --lint-only -Wall {parameters} +incdir+{self.sv} "
                                        f"{self.sv}/toriscope_pkg.sv {self.sv}/toriscope_boundary.sv"), "")

    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_icarus(self):
        self.check(self.shell(commands("vvp")))

    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_narrow_links(self):
        """A flit takes 3 cycles on each link, and 1 between router and interface; a router that does not know fails."""
        self.shell(commands("vvp"))
        config = json.loads(read(self.directory, "torus.json")) | {"topology.link_width_bits": [24]}
        self.write("narrow.json", json.dumps(config))
        results = self.results("--config narrow.json --warmup 0 --cycles 500 --drain 0")
        bench = read(self.directory, "boundary_bench.sv")
        for old, new in ((r"@torus.json", "@narrow.json"), (r"\.FOUR_STAGE\(1\)", ".FOUR_STAGE(1), .NARROW(1)"),
                         (r"40'd0", "{8'd1, {4{8'd3}}}")):
            bench, count = re.subn(old, new, bench)
            self.assertEqual(count, 1, old)
        self.write("narrow_bench.sv", bench)
        run = commands("vvp").replace("boundary_bench.sv", "narrow_bench.sv")
        got = HASH.search(self.shell(run))
        self.assertEqual((got[4], int(got[1])), (results["packet_hash"], results["packets_arrived"]))
        self.assertGreater(int(got[1]), 50)
        self.write("narrow_bench.sv", bench.replace("{4{8'd3}}", "{4{8'd2}}"))
        said = self.shell(run, status=1)
        self.assertRegex(said, r"toriscope: broken invariant in cycle \d+: torus.node_1_[12]: port ")

    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_routers_with_more_ports_than_their_nodes(self):
        """Nodes of a file with 2 to 4 ports, of which 0 to 2 are local, around routers that fit all of them."""
        network = "--topology file:n.json --vcs 2 --depth 3 --limited-reception --pipeline single_cycle"
        self.write("n.json", json.dumps({"name": "net", "nodes": [
            "n_a", {"name": "n_b", "terminals": 2}, {"name": "hub", "terminals": 0}, "n_c"], "links": [
                {"from": "n_a", "to": "hub"}, {"from": "hub", "to": "n_b"}, {"from": "hub", "to": "n_c", "delay": 2},
                {"from": "n_b", "to": "n_c"}]}))
        config = {"topology": "file:n.json", "vcs": 2, "depth": 3, "pipeline": "single_cycle",
                  "limited_reception": True, "rate": 0.5}
        self.shell(f"toriscope export {network} --sv net")
        parameters = re.search(r"router #\((.*?)\)\n", read(self.directory, "net/rtl/net.sv"))[1]
        parameters = parameters.split(", .ROUTE_TABLE")[0].replace(".FLIT_BITS(FLIT_BITS), ", "")
        ports = int(re.search(r"\.PORTS\((\d+)\)", parameters)[1])
        self.assertIn(".LOCAL_PORTS(2)", parameters)
        bench = read(self.directory, "boundary_bench.sv")
        for old, new in ((r"Ports = 5", f"Ports = {ports}"), (r"\[2\*Ports", "[4*Ports"), (r"r < 2;", "r < 4;"),
                         (r"\.ROUTERS\(2\)", ".ROUTERS(4), .LOCAL_PORTS(2)"), (r'"torus\.node.*?"', '"*"'),
                         (r"70'd0", "'0"),
                         (r'"@torus.json"', json.dumps(json.dumps(config))),
                         (r"\.PORTS\(Ports\), .*\n.*ROUTE_TABLE.*",
                          parameters + ', .ROUTE_TABLE(r == 0 ? "net/routes/n_a.hex" : r == 1 ? "net/routes/n_b.hex" : '
                          'r == 2 ? "net/routes/hub.hex" : "net/routes/n_c.hex")')):
            bench, count = re.subn(old, lambda _, new=new: new, bench)
            self.assertGreater(count, 0, old)
        self.write("file_bench.sv", bench)
        said = self.shell(commands("vvp").replace("boundary_bench.sv", "file_bench.sv"))
        results = self.results(network + " --rate 0.5 --warmup 0 --cycles 500 --drain 0")
        self.assertEqual(HASH.search(said)[4], results["packet_hash"], said)
        # Of 4 or 5 ports, the last 2 local: node 0 has port 0 and the first local one, the hub 2 has no local ones.
        for old, wrong, expected in (
                (".flit_i(sent)", "sent | 640'd2 << 64", "the router of node 0 sends at its port 1, which the node"),
                (".flit_i(sent)", f"sent | 2048'd1 << 64*{3 * ports - 1}",
                 f"the router of node 2 sends at its port {ports - 1}, which the node does not have"),
                (".credit_i(credits_sent)", "credits_sent | 40'd2 << 2", "the router of node 0 sends at its port 1, "),
                (".credit_i(credits_sent)", "credits_sent ^ (40'bx << 2 & 40'd4)",
                 "the router of node 0 drives unknown bits at its port 1")):
            self.assertEqual(bench.count(old), 1, old)
            self.write("file_bench.sv", bench.replace(old, old.split("(")[0] + f"({wrong})"))
            said = self.shell(commands("vvp").replace("boundary_bench.sv", "file_bench.sv"), status=1)
            self.assertIn("toriscope: " + expected, said)
            self.assertEqual(len(re.findall("^FATAL", said, re.MULTILINE)), 1, said)

    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_what_is_wrong_is_one_line(self):
        page = read(self.directory, "boundary_bench.sv")
        for old, new, expected in (
                (".DEPTH(4)", ".DEPTH(5)", r"toriscope: broken invariant in cycle \d+: torus.node_1_[12]: port .*cred"),
                ("[r*Ports*64+:Ports*64]), .credit_o", "[0+:Ports*64]), .credit_o", "unknown bits at its port"),
                ("node_1_2.hex", "node_1_1.hex", "toriscope: .*node_1_2"),
                (".ROUTERS(2)", ".ROUTERS(3)", "toriscope: ROUTERS is 3, and NODES names 2 nodes"),
                (".ROUTERS(2)", ".ROUTERS(1)", "NODES names more than 1 nodes"),
                ("Ports = 5", "Ports = 4",
                 "toriscope: node 5 has 5 ports, 1 of them local; PORTS is 4, LOCAL_PORTS 1"),  # row 1, column 1 of 4
                (".PORTS  (Ports)", ".PORTS  (Ports), .LOCAL_PORTS(0)",
                 "toriscope: node 5 has 5 ports, 1 of them local; PORTS is 5, LOCAL_PORTS 0"),
                (".VCS    (Vcs)", ".VCS    (1)", "toriscope: VCS is 1, and the network has 2 VCs"),
                (".VCS    (Vcs)", ".VCS    (20)", "toriscope: VCS is 20, and the network has 2 VCs"),
                (",torus.node_1_2", ",torus.nod_1_2", "toriscope: no node of torus matches 'torus.nod_1_2'; "),
                ("@torus.json", r'{\"topology\": \"torus:4y4\"}', "toriscope: topology 'torus:4y4': "),
                ("@torus.json", "@nowhere.json", "toriscope: nowhere.json")):
            self.assertEqual(page.count(old), 1, old)
            self.write("boundary_bench.sv", page.replace(old, new))
            said = self.shell(commands("vvp"), status=1)
            self.assertRegex(said, expected)
            self.assertEqual(len(re.findall("^FATAL.*toriscope: ", said, re.MULTILINE)), 1, said)


@unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
class Vpi(Installed):
    """All functions of the module, without a router."""
    def run_bench(self, text, status=0):
        self.write("vpi_bench.sv", text)
        return self.shell("set -e; SV=$(pkg-config --variable=sv toriscope_c); iverilog -g2012 -DTORISCOPE_VPI -I $SV "
                          "-s vpi_bench -o vpi_bench.vvp $SV/toriscope_pkg.sv vpi_bench.sv; "
                          "vvp -M $(pkg-config --variable=vpi toriscope_c) -m toriscope vpi_bench.vvp", status)

    def test_values(self):
        said = self.run_bench(read(SOURCE, "testbenches/systemverilog/vpi_bench.sv"))
        # Zero-load latency of a packet of one flit over h links: 4 h + 5.
        self.assertIn("packet 1: 0 -> 15, 1 flits, 6 hops, class 1, created 10, sent 10, ended 39, fate 0\n", said)
        self.assertIn("statistics: 29 most, 1 ejected, 29 cycles, hash 0 0\n", said)
        self.assertIn("error 2: packet from node 0 to node 16: ", said)
        self.assertIn("begins <packet fro>\n", said)
        self.assertEqual(said.count("error 2: the network is NULL\n"), 3, "destroyed, never created")
        self.assertNotIn("wrong", said)
        self.assertIn("sent 263 to port 1 of 3, 1 local; different 3: cycle 1, mesh.node_0_0, port y+, ", said)
        self.assertIn("end\n", said)
        self.assertIn("$enddefinitions", read(self.directory, "vpi.vcd"))

    def test_wrong_calls(self):
        said = self.run_bench("module vpi_bench; int i; initial i = $toriscope_step(1); endmodule", status=1)
        self.assertIn("toriscope: $toriscope_step has 1 arguments; expected 2\n", said)


class Exported(Installed):
    """Exported networks with a scoreboard."""
    NETWORKS = {
        "torus": "--topology torus:3x3 --vcs 2 --depth 3 --pipeline four_stage",
        "adaptive": "--topology mesh:2x3 --routing adaptive --vcs 3 --depth 3 --pipeline single_cycle "
                    "--limited-reception --vc-reallocation atomic",
        "cmesh": "--topology cmesh:2x2,2 --vcs 2 --depth 3 --pipeline four_stage",
        "ugal": "--topology ring:5 --routing ugal --vcs 4 --depth 3 --pipeline four_stage",
        "hashed": "--topology ring:17 --routing ugal --vcs 4 --depth 2 --pipeline single_cycle",
        "narrow": "--topology mesh:3x2 --vcs 2 --depth 3 --pipeline single_cycle --link-width 16",
        "own": "--topology file:own.json --vcs 3 --depth 4 --pipeline four_stage",
    }
    # The network that shows a mutant; of all others "torus" does.
    SHOWN_BY = {"01": "own", "03": "cmesh", "11": "adaptive", "12": "adaptive", "13": "adaptive", "14": "ugal",
                "17": "adaptive", "18": "hashed", "19": "ugal", "20": "cmesh", "21": "own", "22": "ugal",
                "23": "narrow"}
    DIFFERENCE = re.compile(r"toriscope: first difference: cycle (\d+), (\w+\.\w+), port (\S+), (flit_o|credit_o): "
                            r"the model sends (.*); the RTL (.*)")

    def export(self, name):
        self.write("own.json", json.dumps({
            "nodes": ["a", {"name": "b", "vcs": 1, "depth": 2, "pipeline": "single_cycle"},
                      {"name": "c", "terminals": 2}, {"name": "hub", "terminals": 0, "vcs": 2, "depth": 7},
                      {"name": "d", "depth": 1}],
            "links": [{"from": "a", "to": "hub"}, {"from": "hub", "to": "b", "delay": 2}, {"from": "hub", "to": "c"},
                      {"from": "c", "to": "d"}]}))
        if not os.path.exists(os.path.join(self.directory, name)):
            self.shell(f"toriscope export {self.NETWORKS[name]} --sv {name} --scoreboard")

    def mutated(self, number):
        """The name of the file of this mutant of the RTL router, and what it holds without and with the mutation."""
        (mutant,) = glob.glob(f"{SOURCE}/rtl_models/mutants/{number}_*.mutant")
        text = read(mutant)
        name = os.path.basename(re.search(r"^file +(\S+)", text, re.MULTILINE)[1])
        right = read(SOURCE, "rtl_models", "sv", name)
        old, new = (re.search(rf"^[{sign}] (.*)", text, re.MULTILINE)[1] for sign in "-+")
        self.assertEqual(right.count(old), 1, mutant)
        return name, right, right.replace(old, new)

    def check_mutant(self, number):
        network = self.SHOWN_BY.get(number, "torus")
        with self.subTest(mutant=number, network=network):
            self.export(network)
            name, right, wrong = self.mutated(number)
            self.write(f"{network}/rtl/{name}", wrong)
            said = self.shell(f"make -C {network} scoreboard_icarus CYCLES=400", status=1)
            self.write(f"{network}/rtl/{name}", right)
            found = self.DIFFERENCE.search(said)
            self.assertTrue(found, said[-1000:])
            self.assertLess(int(found[1]), 400)
            self.assertNotEqual(found[5], found[6])
            self.assertRegex(found[5] + found[6], r"VC \d")


@unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
class Mutants(Exported):
    """Each wrong line of rtl_models/mutants, and none."""
    def test_each_is_found(self):
        names = glob.glob(SOURCE + "/rtl_models/mutants/*.mutant")
        self.assertGreater(len(names), 20)
        for name in sorted(names):
            self.check_mutant(os.path.basename(name)[:2])

    def test_the_router_is_the_model(self):
        for name in self.NETWORKS:
            self.export(name)
            said = self.shell(f"make -C {name} scoreboard_icarus CYCLES=400")
            self.assertRegex(said, r"scoreboard: no difference, \d+ routers, cycles 400, flits \d{3,}\n")


class Scoreboard(Exported):
    """The same, as far as it takes little time, and in Verilator with a router from elsewhere."""
    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_icarus(self):
        self.export("cmesh")
        said = self.shell("make -C cmesh scoreboard_icarus CYCLES=300")
        self.assertRegex(said, r"scoreboard: no difference, 4 routers, cycles 300, flits \d{3,}\n")
        for cycles in ("abc", "-5", "0", "1e3", ""):
            said = self.shell(f"make -C cmesh scoreboard_icarus CYCLES={cycles}", status=1)
            self.assertIn(f"+cycles={cycles}: expected a number of cycles, at least 1\n", said)
        for number in ("04", "08", "20"):
            self.check_mutant(number)
        # Routers with ports that their nodes do not have.
        self.export("own")
        said = self.shell("make -C own scoreboard_icarus CYCLES=100")
        self.assertRegex(said, r"scoreboard: no difference, 5 routers, cycles 100, flits \d{2,}\n")

    @unittest.skipUnless(os.environ.get("IVERILOG"), "no Icarus Verilog")
    def test_unknown_credits(self):
        """All routers have them at port 1; that of node 0 is looked at first, before the model sends a credit."""
        self.export("cmesh")
        right = read(self.directory, "cmesh/rtl/router.sv")
        wrong = right
        for old, new in (("(credit_o[p*VCS+:VCS])", "(given[p*VCS+:VCS])"),
                         ("  localparam int InputVcs", "  logic [PORTS*VCS-1:0] given;\n  assign credit_o = "
                          "{given[PORTS*VCS-1:2*VCS], {VCS{1'bx}}, given[VCS-1:0]};\n  localparam int InputVcs")):
            self.assertEqual(wrong.count(old), 1, old)
            wrong = wrong.replace(old, new)
        self.write("cmesh/rtl/router.sv", wrong)
        self.addCleanup(self.write, "cmesh/rtl/router.sv", right)
        said = self.shell("make -C cmesh scoreboard_icarus CYCLES=300", status=1)
        self.assertIn("toriscope: the router of node 0 drives unknown bits at its port 1\n", said)

    @unittest.skipUnless(os.environ.get("VERILATOR"), "no Verilator")
    def test_the_commands_of_the_page(self):
        said = self.shell(commands("--scoreboard"))
        found = re.search(r"scoreboard: no difference, 9 routers, cycles 2000, flits (\d+)\n", said)
        self.assertTrue(found, said)
        self.assertIn(f"    {found[0]}", read(PAGE))
        # The flits of the program under the same traffic.
        results = self.results("--config net/scoreboard.json --warmup 0 --cycles 2000 --drain 0")
        self.assertAlmostEqual(int(found[1]) / 2000 / 9, results["accepted"], places=5)
        shutil.copytree(os.path.join(SOURCE, "rtl_models", "sv"), os.path.join(self.directory, "mine"))
        name, _, wrong = self.mutated("05")
        self.write("mine/" + name, wrong)
        said = self.shell('make -C net scoreboard ROUTER="$(ls -d $PWD/mine/*.sv | tr \'\\n\' \' \')"', status=1)
        found = self.DIFFERENCE.search(said)
        self.assertTrue(found, said[-2000:])
        self.assertIn(f"    {found[0]}\n", read(PAGE))
        said = self.shell("PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere make -s -C net -B scoreboard 2>&1", status=1)
        self.assertIn("no libtoriscope.so: PKG_CONFIG_PATH must name", said)


VALUES_BENCH = r"""
module values_bench;
  import toriscope_pkg::*;
  network mesh, other;
  packet_t p;
  statistics_t s;
  longint unsigned number;
  chandle none;
  int status;
  initial if ($test$plusargs("values") != 0) begin
    mesh = new("{\"topology\": \"mesh:4x4\", \"vcs\": 4, \"message_classes\": 2}");
    other = new("{\"topology\": \"mesh:2x2\"}");
    mesh.step(10);
    void'(other.send(1, 2, 3));
    number = other.send(2, 3, 4);
    if (number != 1 || other.terminals() != 4 || mesh.cycle() != 10) $display("wrong");
    void'(mesh.send(0, 15, 1, 1));
    mesh.step();
    toriscope_clear_statistics(mesh.net);
    while (!mesh.receive(p)) mesh.step();
    $display("packet %0d: %0d -> %0d, %0d flits, %0d hops, class %0d, created %0d, sent %0d, ended %0d, fate %0d",
             p.number + 1, p.source, p.destination, p.flits, p.hops, p.message_class, p.created, p.head_sent, p.ended,
             p.fate);
    mesh.get_statistics(s);
    $display("statistics: %0d most, %0d least, %0d ejected, %0d cycles, %0d under way", s.latency_most,
             s.latency_least, s.flits_ejected, s.cycles, s.under_way);
    $display("signal %0d bits", toriscope_width(toriscope_find_signal(mesh.net, "mesh.node_0_0.ni.queue")));
    $display("version %s", toriscope_version());
    other.destroy();
    status = toriscope_inject(mesh.net, 0, 16, 1, 0, number);
    $display("status %0d: %s", status, toriscope_error());
    none = toriscope_create("{\"topology\": 5}", 0);
    if (none == null) $display("null: %s", toriscope_error());
    if ($test$plusargs("deadlock") != 0) begin
      other = new("{\"topology\": \"ttn:2,2,0\", \"vc_rule\": \"paper\", \"rate\": 0.8, \"watchdog\": 200}",
                  WITH_TRAFFIC | ALLOW_DEADLOCK);
      other.step(3000);
    end
    $finish;
  end
endmodule
"""


class Package(unittest.TestCase):
    """The package says what the header says."""
    TYPES = {"chandle": r"(const )?toriscope_(network|signal) \*", "string": r"const char \*",
             "int": "int ", "int unsigned": "(unsigned|uint32_t) ", "longint unsigned": "uint64_t ", "void": "void "}

    def test_imports_constants_and_members_are_those_of_the_header(self):
        package = read(SOURCE, "testbenches/systemverilog/toriscope_pkg.sv")
        declared = read(SOURCE, "testbenches/c_api/abi.txt")
        imports = re.findall(r'import "DPI-C" function (.*?) (toriscope_\w+)\((.*?)\);', package, re.DOTALL)
        self.assertGreater(len(imports), 20)
        for result, name, arguments in imports:
            c_result, c_arguments = re.search(rf"TORISCOPE_API (.*?){name}\((.*?)\);", declared).groups()
            self.assertRegex(c_result, f"^{self.TYPES[result]}$", name)
            parts = [" ".join(part.split()) for part in arguments.split(",") if part.strip()]
            c_parts = [part for part in c_arguments.split(", ") if part != "void"]
            self.assertEqual(len(parts), len(c_parts), name)
            for part, c_part in zip(parts, c_parts):
                direction, kind, argument = re.fullmatch(r"(input|output) (.*) (\w+)", part).groups()
                wanted = self.TYPES.get(kind, "toriscope_" + kind.removesuffix("_t") + " ")
                self.assertRegex(c_part, f"^{wanted}{'[*]' if direction == 'output' else ''}{argument}$", name)
        for name, value in re.findall(r"localparam int.*? (\w+) = (\d+);", package):
            self.assertRegex(declared, rf"(?m)^(enum TORISCOPE_{name} = |TORISCOPE_{name} ){value}u?$")
        for name, members in re.findall(r"toriscope_(\w+)\.\s+typedef struct packed {(.*?)}", package, re.DOTALL):
            listed = re.findall(r"(longint|int) unsigned +(\w+);", members)
            c_members = re.search(rf"typedef struct toriscope_{name} {{(.*?)}}", declared)[1]
            c_listed = re.findall(r"uint(64|32)_t (\w+);", c_members)
            self.assertEqual([({"int": "32", "longint": "64"}[kind], member) for kind, member in reversed(listed)],
                             c_listed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
