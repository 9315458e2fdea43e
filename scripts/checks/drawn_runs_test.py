#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/drawn_runs_test.py TORISCOPE: a few drawn runs agree in all ways; and a program that is wrong in one
way only - a figure, a file, a waveform, its words, its status - is noticed in this way."""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())

# Runs the program; where its command line (and the rank) match, a file of it is changed. The file `times` counts runs.
STAND_IN = """#!/usr/bin/env python3
import os, pathlib, re, subprocess, sys
line = " ".join(sys.argv[1:]) + (" RANK" if "OMPI_COMM_WORLD_RANK" in os.environ else "")
times = pathlib.Path({times!r})
times.write_text(times.read_text() + "." if times.exists() else ".")
done = subprocess.run([{program!r}, *sys.argv[1:]])
if re.search({which!r}, line) and len(times.read_text()) % {every} == 0:
    for name in pathlib.Path(".").glob({name!r}):
        if name.is_file():
            name.write_bytes(re.sub({old!r}, {new!r}, name.read_bytes(), count=1))
    sys.stderr.write({words!r})
    sys.exit({status} or done.returncode)
sys.exit(done.returncode)
"""


def drawn(program, *arguments):
    return subprocess.run([SCRIPTS / "drawn_runs.py", "--program", program, *arguments], capture_output=True, text=True)


class DrawnRuns(unittest.TestCase):
    def spoilt(self, way, which, every=1, name="r.json", old=rb'"packet_hash": "', new=rb'"packet_hash": "0',
               words="", status=0, number="2"):
        with tempfile.TemporaryDirectory() as place:
            program = pathlib.Path(place, "program")
            program.write_text(STAND_IN.format(times=place + "/times", program=PROGRAM, which=which, every=every,
                                               name=name, old=old, new=new, words=words, status=status))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            return drawn(str(program), "--number", number, "--way", way)

    def test_agree(self):
        done = drawn(PROGRAM, "--number", "5")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        compared = dict(re.findall(r"(\w+) (\d+)[,;]", done.stdout))
        for way in ("threads", "outputs", "state", "config", "stages", "replay", "window", "sweep", "again"):
            self.assertGreater(int(compared[way]), 0, done.stdout)

    def test_a_wrong_way_is_noticed(self):
        for way, which, more in [("threads", "--threads", {}), ("outputs", "--check full", {}),
                                 ("state", "--from-state", {}), ("state", "--save-state", {}),
                                 ("config", "--config", {}), ("stages", "--stages rc=1,va=1,sa=1,st=1", {}),
                                 ("replay", "^record", {}), ("replay", "^replay", {"number": "6"}),
                                 ("window", r"\*@", {"name": "w.vcd", "old": rb"\nb1", "new": rb"\nb0"}),
                                 ("sweep", "^sweep", {"name": "d/points/*"}),
                                 ("again", "--json r.json", {"every": 2}),
                                 *([("ranks", " RANK$", {})] if shutil.which("mpirun") else [])]:
            with self.subTest(way=way, which=which):
                done = self.spoilt(way, which, **more)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^\d+, {way}: .*\n    toriscope run --topology")

    def test_words_and_status_count(self):
        self.assertRegex(self.spoilt("threads", "--threads", words="two\n").stdout, r"threads: words: .*two")
        self.assertRegex(self.spoilt("threads", "--threads", status=3).stdout, r"threads: status \d and 3")
        self.assertRegex(self.spoilt("again", "", status=3, number="1").stdout, "^0: status 3")
        self.assertRegex(self.spoilt("again", "", status=2, words="a\nb\n", number="1").stdout, "^0: not one line")


if __name__ == "__main__":
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    unittest.main(argv=sys.argv[:1])
