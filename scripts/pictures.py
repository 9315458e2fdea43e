#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/pictures.py [--program FILE] [NAME...]: makes the pictures of the pages, docs/pictures/; without names, all.

layers, router          drawn here; the layers are those of scripts/checks/layering.py
pipelines               the timing of one packet in three pipelines, from `toriscope explain`
ttn, htn, rdt, chiplets `toriscope draw`
deadlock                the cycle that `toriscope prove` finds, on such a drawing
waveform                the demo's waveform in GTKWave (needs gtkwave, Xvfb, xwd: Debian's gtkwave, xvfb, x11-apps)
report                  a page of `toriscope report` in Chromium"""
import argparse
import importlib.util
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import time
import zlib
from html import escape

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
PICTURES = os.path.join(ROOT, "docs/pictures")
INK, GREY, PALE, FRAME = "#24303c", "#5f6b7a", "#f3f6fa", "#c3ccd6"
RED, BLUE, GREEN, VIOLET, ORANGE = "#d1495b", "#1f77b4", "#2a9d5c", "#8e44ad", "#c77d11"


class drawing:
    """Shapes in SVG, in the colours of `toriscope draw`."""

    def __init__(self, width, height):
        self.size = width, height
        self.parts = []

    def box(self, x, y, width, height, fill="#ffffff", stroke=GREY, dashes="", radius=5):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" '
                          f'stroke="{stroke}" stroke-dasharray="{dashes}"/>')

    def text(self, x, y, words, size=13, anchor="middle", colour=INK, bold=False, mono=False):
        style = (' font-weight="bold"' if bold else "") + (' font-family="DejaVu Sans Mono, monospace"' if mono else "")
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{style}>'
                          f"{escape(words)}</text>")

    def path(self, d, colour=GREY, width=1.5, dashes="", arrow=True):
        end = ' marker-end="url(#arrow)"' if arrow else ""
        self.parts.append(f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" '
                          f'stroke-dasharray="{dashes}"{end}/>')

    def save(self, name):
        width, height = self.size
        with open(os.path.join(PICTURES, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                       f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">\n'
                       '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                       f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{GREY}"/></marker></defs>\n'
                       '<rect width="100%" height="100%" fill="#ffffff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def toriscope(*arguments, status=0, cwd=None):
    done = subprocess.run([PROGRAM, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode != status:
        raise SystemExit(f"pictures.py: toriscope {' '.join(arguments)}: status {done.returncode}\n{done.stdout}")


# --- the layers ---
# From the top: a row of directories, each with its contents.
ROWS = [
    [("testbenches/program", "the program", "run, sweep, prove, draw ..."),
     ("testbenches/examples", "example benches", "plain SystemC, TLM-2.0"),
     ("testbenches/bench", "bench", "CPU time, memory"),
     ("testbenches/fuzz", "fuzz", "parsers, mutated input")],
    [("testbenches/experiments", "experiments", "sweeps, papers, report, peers"),
     ("testbenches/reference", "reference", "model and faults for the tests"),
     ("testbenches/tlm", "tlm", "TLM-2.0 bench"),
     ("testbenches/c_api", "c_api", "C interface; Python on top")],
    [("testbenches/simulation", "simulation", "one run as a library: configuration, traffic, statistics, observation")],
    [("traces", "traces", "VCD waveforms, packet traces"),
     ("rtl_models", "rtl_models", "SystemVerilog routers, yours too")],
    [("network", "network", "modules, clock, watchdog, TLM-2.0 sockets, transaction level")],
    [("router", "router", "buffers, allocators, pipelines, network interface")],
    [("links", "links", "the flit word; the link"),
     ("topologies", "topologies", "wiring, routing, VC rules, analysis, proof")],
    [("base", "base", "processes, files, names, numbers, hashes, memory")],
]
WITHOUT_SYSTEMC = {"base", "router", "topologies"}


def check_rows():
    """Every top directory is shown, and stands above what it may include."""
    spec = importlib.util.spec_from_file_location("layering", os.path.join(ROOT, "scripts/checks/layering.py"))
    layering = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(layering)
    row_of = {name: row for row, boxes in enumerate(ROWS) for name, _, _ in boxes}

    def shown(directory):
        while directory and directory not in row_of:
            directory = os.path.dirname(directory)
        return directory

    for directory, includes in layering.LAYERS.items():
        here = shown(directory)
        if not here:
            raise SystemExit(f"pictures.py: the picture of the layers lacks {directory}")
        for other in includes.split():
            below = shown(other) if other != "*" else ""
            if below and below != here and row_of[below] <= row_of[here]:
                raise SystemExit(f"pictures.py: {directory} includes {other}; the picture has it beside or above")


def layers():
    check_rows()
    width, height, gap, left = 820, 46, 10, 20
    d = drawing(width + 2 * left, len(ROWS) * (height + gap) + 70)
    for row, boxes in enumerate(ROWS):
        y = 16 + row * (height + gap)
        each = (width - (len(boxes) - 1) * gap) / len(boxes)
        for i, (name, title, contents) in enumerate(boxes):
            x = left + i * (each + gap)
            fill = "#e3f1e7" if name in WITHOUT_SYSTEMC else "#e9eff6" if row > 2 else PALE
            d.box(round(x, 1), y, round(each, 1), height, fill, FRAME)
            middle = round(x + each / 2, 1)
            d.text(middle, y + 19, title, 14, bold=True)
            d.text(middle, y + 36, contents, 12, colour=GREY)
    y = 16 + len(ROWS) * (height + gap) + 8
    d.box(left, y, 18, 14, "#e3f1e7", FRAME, radius=2)
    d.text(left + 26, y + 11, "plain C++, without SystemC", 12, "start")
    d.box(left + 230, y, 18, 14, PALE, FRAME, radius=2)
    d.text(left + 256, y + 11, "parts of testbenches/", 12, "start")
    d.text(left + width, y + 11, "A directory includes only directories below it.", 12, "end")
    d.save("layers")


# --- the router ---
def router():
    d = drawing(1000, 560)
    d.box(150, 40, 700, 512, PALE, FRAME)
    d.text(165, 62, "router", 15, "start", bold=True)
    d.text(835, 62, "one step(cycle, arrivals) per cycle", 12, "end", GREY)
    d.text(70, 62, "links in", 13, colour=GREY)
    d.text(930, 62, "links out", 13, colour=GREY)

    for port, (name, y) in enumerate((("x+", 90), ("x-", 190), ("local", 330))):
        d.box(180, y, 190, 84)
        d.text(190, y + 16, f"input unit {name}", 12, "start", bold=True)
        for vc in range(3):
            row = y + 24 + 19 * vc
            d.text(192, row + 12, f"VC {vc}" if vc < 2 else "...", 10, "start", GREY)
            if vc == 2:
                continue
            for slot in range(5):
                d.box(222 + 15 * slot, row, 15, 15, "#cfe0f0" if slot > 1 + port % 2 + vc else "#ffffff", GREY,
                      radius=0)
            d.text(304, row + 12, "state", 10, "start", GREY)
            d.box(334, row, 28, 15, ("#f6d6da", "#d8efdf")[(vc + port) % 2], GREY, radius=2)
            d.text(348, row + 11, ("VA", "active")[(vc + port) % 2], 8)
        d.path(f"M10 {y + 34}H178", BLUE, 2)
        d.text(10, y + 27, "flit, from the interface" if name == "local" else "flit, from a router", 11, "start", BLUE)
        d.path(f"M178 {y + 64}H10", ORANGE, 1.5, "5 3")
        d.text(22, y + 79, "credit back", 11, "start", ORANGE)
        d.path(f"M370 {y + 42}H558", BLUE, 2)

        d.box(700, y, 130, 84)
        d.text(710, y + 16, f"output unit {name}", 12, "start", bold=True)
        d.text(710, y + 38, "owner of each VC", 11, "start", GREY)
        d.text(710, y + 55, "credits of each VC", 11, "start", GREY)
        d.path(f"M640 {y + 70}H698", BLUE, 2)
        d.path(f"M830 {y + 34}H990", BLUE, 2)
        d.text(856, y + 27, "to the interface" if name == "local" else "delay line", 11, "start", BLUE)
        d.path(f"M990 {y + 64}H832", ORANGE, 1.5, "5 3")
        d.text(866, y + 79, "credit", 11, "start", ORANGE)
    d.text(275, 304, "...", 18, colour=GREY)
    d.text(765, 304, "...", 18, colour=GREY)

    d.box(560, 90, 80, 324, "#ffffff", GREY)
    d.text(600, 240, "crossbar", 13, bold=True)
    d.text(600, 258, "ST", 13, colour=GREEN, bold=True)
    stages = [("RC", "route computation", "routing_function: ports, VCs", 180, RED),
              ("VA", "VC allocation", "input VCs to output VCs", 395, VIOLET),
              ("SA", "switch allocation", "input ports to output ports", 610, GREEN)]
    for short, name, what, x, colour in stages:
        d.box(x, 478, 190, 56, "#ffffff", colour)
        d.text(x + 95, 500, f"{short}: {name}", 13, colour=colour, bold=True)
        d.text(x + 95, 520, what, 11, colour=GREY)
    d.path("M275 416V476", RED)
    d.text(288, 450, "a head at the front", 11, "start", GREY)
    d.path("M370 506H393", GREY)
    d.path("M585 506H608", GREY)
    d.path("M625 476V416", GREEN)
    d.text(613, 450, "grants", 11, "end", GREEN)
    d.path("M765 416V476", GREY)
    d.text(752, 450, "free VCs, credits", 11, "end", GREY)
    d.save("router")


# --- timing of pipelines ---
def pipelines():
    with tempfile.TemporaryDirectory() as work:
        traffic = os.path.join(work, "one.txt")
        with open(traffic, "w", encoding="utf-8") as file:
            file.write("0 13 5 1\n")
        stories = {}
        for name, depth in (("single_cycle", 8), ("paper2009", 1), ("four_stage", 8)):
            out = os.path.join(work, name + ".json")
            toriscope("explain", "--topology", "mesh:4x4", "--traffic-file", traffic, "--packet", "0",
                      "--pipeline", name, "--depth", str(depth), "--json", out)
            with open(out, encoding="utf-8") as file:
                stories[name] = json.load(file)
    cell, left, line = 44, 170, 26
    last = max(story["received"] for story in stories.values())
    panels = [(name, story, 3 + len(story["hops"])) for name, story in stories.items()]
    d = drawing(left + (last + 1) * cell + 100, 50 + sum(rows * line + 22 for _, _, rows in panels) + 6)
    d.text(12, 24, "One flit through three routers of mesh:4x4, links of one cycle, no other packet", 14, "start",
           bold=True)
    top = 44
    colours = {"RC": RED, "VA": VIOLET, "SA": GREEN, "SW": GREEN, "ST": BLUE, "LT": BLUE, "sent": ORANGE,
               "received": ORANGE}
    for name, story, rows in panels:
        d.text(12, top + 18, name, 14, "start", bold=True, mono=True)
        d.text(left - 8, top + 18, "cycle", 11, "end", GREY)
        for cycle in range(story["received"] + 1):
            d.text(left + cell * cycle + cell / 2, top + 18, str(cycle), 11, colour=GREY)
        d.text(left + (story["received"] + 1) * cell + 10, top + 18, f"latency {story['latency']}", 12, "start",
               bold=True)
        paper = name == "paper2009"
        steps = [("interface", {story["interface"]["head_sent"]: ["sent"]})]
        for n, hop in enumerate(story["hops"], 1):
            at = {}
            for step, cycle in (("RC", hop["rc"]), ("VA", hop["va"]), ("SW" if paper else "SA", hop["sa"]),
                                ("LT" if paper else "ST", hop["sent"])):
                at.setdefault(cycle, []).append(step)
            steps.append((f"router {n} (node {hop['address']})", at))
        steps.append(("interface", {story["received"]: ["received"]}))
        before = None
        for row, (who, at) in enumerate(steps):
            y = top + line * (row + 1)
            d.text(left - 8, y + 16, who, 12, "end")
            for cycle, labels in sorted(at.items()):
                x = left + cell * cycle
                d.box(x + 1, y + 1, cell - 2, line - 3, "#ffffff", colours[labels[-1]], radius=3)
                for i, label in enumerate(labels):  # several: two in a line
                    words = {"received": "taken"}.get(label, label)
                    if len(labels) == 1:
                        d.text(x + cell / 2, y + 16, words, 11, colour=colours[label], bold=True)
                    else:
                        d.text(x + cell * (0.28 + 0.44 * (i % 2)), y + 11 + 10 * (i // 2), words, 9,
                               colour=colours[label], bold=True)
            if before:
                d.path(f"M{before[0]} {before[1]}V{y + 12}H{left + cell * min(at)}", FRAME, 1.5)
            before = left + cell * max(at) + cell / 2, y + line - 2
        top += rows * line + 22
    d.save("pipelines")


# --- networks ---
def draw(name, spec):
    file = os.path.join(PICTURES, name + ".svg")
    toriscope("draw", "--topology", spec, "--output", file)


def ttn():
    draw("ttn", "ttn:2,2,0")


def htn():
    draw("htn", "htn:2,4,2,0")


def rdt():
    draw("rdt", "rdt:alpha,16")


def chiplets():
    draw("chiplets", "chiplets:mesh:2x2+torus:3x3+gateways=00,22")


def deadlock():
    spec = ["--topology", "ttn:2,2,0", "--vcs", "2"]
    with tempfile.TemporaryDirectory() as work:
        toriscope("prove", *spec, "--vc-rule", "paper", "--json", "proof.json", "--no-witness", status=1, cwd=work)
        with open(os.path.join(work, "proof.json"), encoding="utf-8") as file:
            cycle = json.load(file)["cycle"]
        # A drawing of a result names its links.
        toriscope("run", *spec, "--rate", "0.001", "--cycles", "10", "--json", "r.json", "--json-links", cwd=work)
        toriscope("draw", "--use", "r.json", "--output", "use.svg", cwd=work)
        with open(os.path.join(work, "use.svg"), encoding="utf-8") as file:
            svg = file.read()
    centres = {}  # by digits of the address
    for x, y, title in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"[^>]*><title>([^<]+)</title>', svg):
        centres["".join(re.findall(r"\d+", title.split("\n")[0]))] = float(x), float(y)
    # What is not in the cycle becomes pale.
    svg = re.sub(r"<title>[^<]*</title>", "", svg)
    svg = re.sub(r'(<path d="[^"]+"[^>]*) stroke="#\w+"></path>', rf'\1 stroke="{FRAME}" stroke-width="1"/>', svg)
    svg = re.sub(r' stroke-width="2.5" stroke="#\w+"></circle>', "/>", svg)
    marks, seen = "", set()
    for number, channel in enumerate(cycle, 1):
        (x, y), (to_x, to_y) = (centres[channel[end].replace(".", "")] for end in ("node", "to"))
        far = abs(to_x - x) + abs(to_y - y)
        bend = 0.55 * far if frozenset(((x, y), (to_x, to_y))) not in seen else 1.1 * far
        seen.add(frozenset(((x, y), (to_x, to_y))))
        over = ((x + to_x) / 2, y - bend) if y == to_y else (x - bend, (y + to_y) / 2)  # outwards
        middle = [(a + 2 * b + c) / 4 for a, b, c in zip((x, y), over, (to_x, to_y))]
        marks += (f'<path d="M{x} {y}Q{over[0]} {over[1]} {to_x} {to_y}" fill="none" stroke="{RED}" stroke-width="2.5" '
                  f'marker-end="url(#next)"/><circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="9" fill="{RED}"/>'
                  f'<text x="{middle[0]:.1f}" y="{middle[1] + 4:.1f}" font-size="11" font-weight="bold" '
                  'text-anchor="middle" fill="#ffffff">'
                  f"{number}</text>\n")
    inner = svg[svg.index("<g fill=", svg.index('font-weight="bold"')):svg.rindex("</g>\n</svg>")]
    width, height = max(x for x, _ in centres.values()) + 190, max(y for _, y in centres.values()) + 200
    with open(os.path.join(PICTURES, "deadlock.svg"), "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 '
                   f'{width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif">\n<defs><marker id="next" '
                   'viewBox="0 0 8 8" refX="10" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
                   f'<path d="M0 0L8 4L0 8z" fill="{RED}"/></marker></defs>\n'
                   '<rect width="100%" height="100%" fill="#ffffff"/>\n'
                   f'<g fill="{INK}"><text x="20" y="28" font-size="16" font-weight="bold">A deadlock of ttn:2,2,0 '
                   'with the VC rule "paper" and 2 VCs</text><text x="20" y="48" font-size="13">The packet that holds '
                   f'a channel waits for the next channel; channel {len(cycle)} waits for channel 1.</text></g>\n'
                   f'<g transform="translate(140 170)">\n{inner}{marks}</g>\n</svg>\n')


# --- screenshots ---
def png(width, height, rows):
    """@param rows  of 3 bytes per pixel"""
    colours = sorted({row[i:i + 3] for row in rows for i in range(0, len(row), 3)})
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    if len(colours) <= 256:
        index = {colour: i for i, colour in enumerate(colours)}
        body = b"".join(b"\0" + bytes(index[row[i:i + 3]] for i in range(0, len(row), 3)) for row in rows)
        head, palette = (8, 3), chunk(b"PLTE", b"".join(colours))
    else:
        body, head, palette = b"".join(b"\0" + row for row in rows), (8, 2), b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, *head, 0, 0, 0)) + palette
            + chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b""))


def screenshot_of_x(display, top):
    """@param top  lines of pixels to leave out"""
    dump = subprocess.run(["xwd", "-root", "-silent", "-display", display], stdout=subprocess.PIPE, check=True).stdout
    header = struct.unpack(">25I", dump[:100])
    size, width, height, bits, per_line, colours = header[0], header[4], header[5], header[11], header[12], header[19]
    assert bits == 32, "a screen of 24 bits"
    begin = size + 12 * colours
    rows = []
    for y in range(top, height):
        line = dump[begin + y * per_line:begin + y * per_line + 4 * width]
        row = bytearray(3 * width)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]  # the lowest byte is blue
        rows.append(bytes(row))
    return png(width, height - top, rows)


def waveform():
    width, height, display = 1180, 640, f":{1000 + os.getpid() % 10000}"
    with tempfile.TemporaryDirectory() as work:
        toriscope("run", "--topology", "ttn:2,2,0", "--traffic", "uniform", "--rate", "0.015", "--packet", "16",
                  "--vcs", "4", "--depth", "8", "--pipeline", "four_stage", "--warmup", "2000", "--cycles", "10000",
                  "--seed", "1", "--wave", "ttn.bm_0_0.node_0_0.in_L2_V_in0,ttn.bm_0_0.node_0_0.out_y-@2000:2030",
                  "--wave-file", "ttn.vcd", cwd=work)
        with open(os.path.join(work, "rc"), "w", encoding="utf-8") as file:
            file.write("splash_disable 1\nhide_sst 1\n" f"initial_window_x {width}\ninitial_window_y {height}\n")
        screen = subprocess.Popen(["Xvfb", display, "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
                                  stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)
            viewer = subprocess.Popen(["gtkwave", "--rcfile", "rc", "ttn.gtkw"], cwd=work,
                                      env={**os.environ, "DISPLAY": display}, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            try:
                before = None
                for _ in range(60):  # until nothing changes any more
                    time.sleep(3)
                    image = screenshot_of_x(display, 118)  # below the tool bar
                    if image == before and len(image) > 10000:
                        break
                    before = image
            finally:
                viewer.terminate()
                viewer.wait()
        finally:
            screen.terminate()
            screen.wait()
    with open(os.path.join(PICTURES, "waveform.png"), "wb") as file:
        file.write(image)


def report():
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as work:
        toriscope("sweep", "--topology", "torus:8x8,mesh:8x8,hypercube:6", "--traffic", "uniform,transpose",
                  "--seeds", "1", "--packet", "4", "--warmup", "1000", "--cycles", "3000", "--tolerance", "0.05",
                  "--observe", "--out", "results", cwd=work)
        toriscope("report", "results", "-o", "report.html", cwd=work)
        subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={work}/profile", "--window-size=1400,1500", "--virtual-time-budget=8000",
                        "--screenshot=" + os.path.join(PICTURES, "report.png"), f"file://{work}/report.html"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


PICTURES_BY_NAME = {f.__name__: f for f in (layers, router, pipelines, ttn, htn, rdt, chiplets, deadlock, waveform,
                                            report)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/release/toriscope"))
    parser.add_argument("names", nargs="*", metavar="NAME")
    request = parser.parse_args()
    PROGRAM = os.path.realpath(request.program)
    if unknown := set(request.names) - set(PICTURES_BY_NAME):
        parser.error(f"unknown picture {', '.join(sorted(unknown))}; known: {', '.join(PICTURES_BY_NAME)}")
    os.makedirs(PICTURES, exist_ok=True)
    for name in request.names or PICTURES_BY_NAME:
        PICTURES_BY_NAME[name]()
        print(f"docs/pictures: {name}")
