#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""transactions_test.py PROGRAM: what `run --transactions` writes, read by scripts/transactions.py, is, field by field,
what `--packet-stats` and `explain` say of the same run. In networks of all pipelines, seen by either kind of probe."""
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import transactions  # noqa: E402

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
WARMUP, CYCLES = 50, 400
CAUSES = ["no_output_vc", "lost_vc_allocation", "no_credit", "lost_switch", "link_busy", "output_buffer"]

# Options of the network, and flits of a packet. All waits of packets of one flit are those of their heads.
RUNS = [
    ("--topology torus:4x4 --rate 0.3 --packet 6 --vcs 2", 6),
    ("--topology mesh:4x4 --rate 0.3 --packet 1 --pipeline single_cycle", 1),
    ("--topology mesh:4x4 --rate 0.4 --packet 1 --vcs 1 --depth 2", 1),
    ("--topology ttn:2,2,0 --rate 0.06", 16),
    ("--topology torus:4x4 --rate 0.15 --packet 4 --pipeline paper2009", 4),
    ("--topology torus:4x4 --rate 0.3 --packet 5 --stages rc=1,va=1,sa=1,st=2 --speculative", 5),
    ("--topology cmesh:2x2,3 --rate 0.2 --packet 3 --link-width 32 --message-classes 2", 3),
    ("--topology torus:4x4 --rate 0.3 --packet 6 --vcs 2 --observe", 6),
]
failures = 0


def check(condition, *what):
    global failures
    if not condition:
        failures += 1
        if failures < 20:
            print("transactions_test:", *what, file=sys.stderr)


def toriscope(*arguments, status=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    check(done.returncode == status, arguments, "status", done.returncode, done.stderr)
    return done


def run(options, *more):
    toriscope("run", *options.split(), "--warmup", str(WARMUP), "--cycles", str(CYCLES), "--quiet", *more)


def packets_of(content):
    return {one["id"]: one for one in content.transactions if one["generator"] == "packets"}


def hops_of(content):
    hops = collections.defaultdict(list)
    for one in content.transactions:
        if one["generator"] != "packets":
            hops[one["packet"]].append(one)
    for list_ in hops.values():
        list_.sort(key=lambda one: one["begin"])
    return hops


def check_csv(options, packets, hops, rows):
    """Packets as --packet-stats has them; the waits of their hops add up to its columns."""
    for row in rows:
        one = packets.get(int(row["packet"]))
        if one is None:
            check(False, options, "no transaction of packet", row["packet"])
            continue
        for field, name in (("source", "source"), ("destination", "destination")):
            check(one[field] == row[name], options, one, row)
        for field, name in (("class", "class"), ("flits", "flits"), ("begin", "created"), ("sent", "sent"),
                            ("end", "received"), ("hops", "hops")):
            check(one[field] == int(row[name]), options, one, row)
        check("state" not in one, options, one)
        way = hops[one["id"]]
        check(len(way) == one["hops"] + 1, options, one, way)
        for cause in CAUSES:
            name = "wait_" + cause
            waits = sum(hop.get(name, 0) for hop in way)
            check(waits == int(row[name]), options, name, waits, row)
        check(all("state" not in hop for hop in way), options, way)
        check(all(hop["packet"] == one["id"] for hop in way), options, way)
    received = {int(row["packet"]) for row in rows}
    for number, one in packets.items():
        check((number in received) != ("state" in one), options, "state of", one)


def check_explained(options, path, flits, packets, hops, numbers):
    """Hops as `explain` follows them."""
    compared = 0
    for number in numbers:
        network = options.replace("--packet", "--packet-flits").replace("--observe", "").split()
        toriscope("explain", *network, "--warmup", str(WARMUP), "--cycles", str(CYCLES), "--packet", str(number),
                  "--quiet", "--json", path)
        told = json.loads(pathlib.Path(path).read_text())
        way = hops[number]
        check(len(told["hops"]) == len(way), options, number)
        for one, hop in zip(way, told["hops"]):
            check(one["stream"].endswith(f".in_{hop['in_port']}"), options, one, hop)
            check(one["begin"] == hop["shown"] and one["vc"] == hop["in_vc"] and one["generator"] == f"vc{one['vc']}",
                  options, one, hop)
            check(one["out_port"] == hop["out_port"] and one["out_vc"] == hop["out_vc"], options, one, hop)
            check(one["end"] >= hop["sent"] + flits - 1, options, one, hop)
            if flits == 1:
                check(one["end"] == hop["sent"], options, one, hop)
                waits = collections.Counter()
                for wait in hop["waits"]:
                    if wait["reason"] != "behind":
                        waits["wait_" + wait["reason"]] += wait["cycles"]
                found = {name: value for name, value in one.items() if name.startswith("wait_")}
                check(found == dict(waits), options, one, hop)
            compared += 1
        last = told["hops"][-1]
        check(way[-1]["end"] + last["link_cycles"] == packets[number]["end"], options, way[-1], last)
        # A tail is shown one link later to the next router, and stays there at least as long as it takes to pass it.
        for before, after, hop in zip(way, way[1:], told["hops"]):
            check(before["end"] + hop["link_cycles"] <= after["end"], options, before, after)
    return compared


def check_run(options, flits, directory):
    file, table = f"{directory}/t.ftr", f"{directory}/p.csv"
    observed = options if "--observe" in options else options + " --observe"
    run(observed, "--packet-stats", table)
    run(options, "--transactions", file, "--transaction-detail", "relations")
    with open(table, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    content = transactions.Ftr(file)
    check(content.timescale == -9, options, content.timescale)
    packets, hops = packets_of(content), hops_of(content)
    check(len({one["id"] for one in content.transactions}) == len(content.transactions), options, "identities")
    check(len(rows) > 50, options, len(rows), "packets")
    interfaces = {one["stream"].rsplit(".", 1)[1] for one in packets.values()}
    check(interfaces == ({"ni0", "ni1", "ni2"} if "cmesh:2x2,3" in options else {"ni"}), options, interfaces)
    check_csv(options, packets, hops, rows)
    waits = sum(hop.get("wait_" + cause, 0) for way in hops.values() for hop in way for cause in CAUSES)
    check(waits > 50, options, "waits", waits)
    # A relation from each packet to each of its hops.
    stream_of = {number: name for number, (name, _) in content.streams.items()}
    by_id = {one["id"]: one for one in content.transactions}
    check(len(content.relations) == sum(map(len, hops.values())), options, "relations", len(content.relations))
    for name, source, sink, source_stream, sink_stream in content.relations:
        hop, packet = by_id[sink], by_id[source]
        check(name == "hop" and hop["packet"] == packet["id"], options, source, sink)
        check(stream_of[source_stream] == packet["stream"] and stream_of[sink_stream] == hop["stream"], options, source)
    received = sorted(int(row["packet"]) for row in rows)
    numbers = [received[len(received) * share // 3] for share in range(3)]
    compared = check_explained(options, f"{directory}/e.json", flits, packets, hops, numbers)
    check(compared > 5, options, "hops compared:", compared)


def check_details(directory):
    """The same run, the same file; with less detail fewer transactions, which are the same."""
    first, second = f"{directory}/1.ftr", f"{directory}/2.ftr"
    for file in (first, second):
        run(RUNS[0][0], "--transactions", file, "--transaction-detail", "relations")
    check(pathlib.Path(first).read_bytes() == pathlib.Path(second).read_bytes(), "two runs, two files")
    content = transactions.Ftr(first)
    run(RUNS[0][0], "--transactions", second)
    plain = transactions.Ftr(second)
    check(plain.transactions == content.transactions and not plain.relations, "without relations")
    run(RUNS[0][0], "--transactions", second, "--transaction-detail", "packets")
    check(packets_of(transactions.Ftr(second)) == packets_of(content), "packets only")


def check_ends(directory):
    """What does not arrive: dead links, a run that is cut off."""
    file = f"{directory}/d.ftr"
    toriscope("run", "--topology", "mesh:3x3", "--rate", "0.3", "--warmup", "0", "--cycles", "500", "--fail-link",
              "1.x+@100", "--quiet", "--json", f"{directory}/d.json", "--transactions", file, "--drain", "0")
    results = json.loads(pathlib.Path(f"{directory}/d.json").read_text())["results"]
    content = transactions.Ftr(file)
    packets, hops = packets_of(content), hops_of(content)
    states = collections.Counter(one.get("state", "received") for one in packets.values())
    ends = collections.Counter(one.get("state", "sent") for way in hops.values() for one in way)
    check(states["refused"] > 3 and states["discarded"] > 0 and states["under way"] > 3, states)
    check(ends["discarded"] > 0 and ends["under way"] > 5, ends)
    check(max(one["end"] for one in content.transactions) == results["cycles"], results["cycles"])
    # At the transaction level there are packets, but no hops.
    level = ["run", "--topology", "torus:4x4", "--quiet", "--cycles", "2000", "--fidelity", "transaction",
             "--transactions", file, "--transaction-detail", "packets"]
    table = f"{directory}/p.csv"
    toriscope(*level, "--packet-stats", table)
    with open(table, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    packets = packets_of(transactions.Ftr(file))
    for row in rows:
        check(packets[int(row["packet"])]["end"] == int(row["received"]), row)
    check(len(rows) > 30, len(rows))


def check_sent(directory):
    """A head that leaves in the cycle in which its packet is created, and one that waits behind it: in cycle 0, too."""
    trace = pathlib.Path(f"{directory}/t.txt")
    trace.write_text("0 0 3 600\n0 0 1 4\n10 1 3 600\n10 1 2 4\n", encoding="utf-8")
    file = f"{directory}/s.ftr"
    toriscope("run", "--topology", "mesh:2x2", "--traffic-file", str(trace), "--cycles", "60", "--drain", "0",
              "--quiet", "--transactions", file)
    content = transactions.Ftr(file)
    packets, hops = packets_of(content), hops_of(content)
    check([packets[i].get("sent") for i in range(4)] == [0, None, 10, None], packets)
    # The run ends before the tails have left: the packets that were sent are in all routers of their ways.
    ends = {(one.get("state"), one["end"]) for one in content.transactions}
    check(ends == {("under way", packets[0]["end"])}, ends)
    check([len(hops[i]) for i in range(4)] == [3, 0, 2, 0], hops)


def check_refusals(directory):
    for arguments, line in (
            (["--transactions", "t.txt"], "does not end in .ftr"),
            (["--transactions", f"{directory}/none/t.ftr"], "cannot write"),
            (["--transactions", "t.ftr", "--transaction-detail", "all"], "expected packets, hops or relations"),
            (["--transaction-detail", "packets"], "has no effect without --transactions FILE.ftr"),
            (["--transactions", "t.ftr", "--fidelity", "transaction"], "add --transaction-detail packets")):
        done = toriscope("run", "--topology", "mesh:2x2", *arguments, status=2)
        check(line in done.stderr and done.stderr.count("\n") == 1, arguments, done.stderr)
        check(done.stdout == "", arguments, done.stdout)


def check_abandoned(directory):
    """A run that ends with an error leaves no file."""
    trace = pathlib.Path(directory, "wrong.txt")
    trace.write_text("0 0 3 4\n" * 2000 + "40 0 99 4\n", encoding="utf-8")
    file = pathlib.Path(directory, "a.ftr")
    done = toriscope("run", "--topology", "mesh:2x2", "--traffic-file", str(trace), "--transactions", str(file),
                     status=2)
    check("wrong.txt:2001" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    check(not file.exists(), "a file of a run that ended with an error")


def check_damaged(directory):
    """The script says in one line what is wrong with a file that is none, is cut off or altered."""
    file = pathlib.Path(directory, "t.ftr")
    toriscope("run", "--topology", "mesh:2x2", "--cycles", "60", "--quiet", "--transactions", str(file))
    whole = file.read_bytes()
    altered = bytearray(whole)
    altered[len(whole) // 2] ^= 8
    for content in (None, b"", b"no transactions\n", whole[:len(whole) // 2], bytes(altered)):
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
        done = subprocess.run([sys.executable, str(ROOT / "scripts/transactions.py"), str(file)], text=True,
                              capture_output=True)
        if content != bytes(altered):  # that byte may be one of a text
            check(done.returncode == 1 and str(file) in done.stderr, done.stderr)
        check(done.stderr.count("\n") == (done.returncode != 0), done.stderr)


def main():
    with tempfile.TemporaryDirectory() as directory:
        for options, flits in RUNS:
            check_run(options, flits, directory)
        check_details(directory)
        check_ends(directory)
        check_sent(directory)
        check_refusals(directory)
        check_abandoned(directory)
        check_damaged(directory)
    if failures:
        sys.exit(f"transactions_test: {failures} failures")
    print("transactions_test: all fields agree")


if __name__ == "__main__":
    main()
