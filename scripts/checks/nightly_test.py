#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/checks/nightly_test.py: nightly.py in a project of stand-ins, each of which notes that it ran and then says
what a file of its name tells it to."""
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

NIGHTLY = pathlib.Path(__file__).resolve().parent.parent / "nightly.py"
STAND_IN = """#!/bin/bash
name=$(basename "$0")
case "$name $*" in
  "ctest "*" -N "*) echo "  Test  #1: ranks_long_test"; exit ;;
  "bare_machine.sh "*) mkdir -p "$1" ;;
  "toriscope reproduce"*) mkdir -p "$4"; printf '## %s\\nlatency 7\\n\\n' one2001 two2002 >"$4/verdicts.md" ;;
esac
echo "$name $*" >>{top}/ran
[ -e {top}/says/$name ] || exit 0
cat {top}/says/$name
exit 1
"""
SCRIPTS = ["setup.sh", "bare_machine.sh", "fuzz.sh", "drawn_mutants.py", "drawn_runs.py", "kill_tests.py",
           "full_disk_tests.py", "altered_cache_tests.py", "repeatability.py", "cost.sh"]
PARSERS = ["option", "plan", "flows", "state", "packets", "network"]


class Nights(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.top = pathlib.Path(place.name)
        self.project = self.top / "project"
        programs = ["bin/cmake", "bin/ctest", "project/build/release/toriscope"]
        for name in [f"project/scripts/{s}" for s in SCRIPTS] + programs:
            file = self.top / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(STAND_IN.replace("{top}", str(self.top)))
            file.chmod(0o755)
        (self.top / "says").mkdir()
        shutil.copy(NIGHTLY, self.project / "scripts")
        self.write(".gitignore", "build\n")
        self.write("testbenches/fuzz/parser_targets.cpp", "".join(f'      {{"{p}", 0}},\n' for p in PARSERS))
        self.write("docs/papers_table.md", "# Papers\n## one2001\nlatency 7\n## two2002\nlatency 7\n")
        self.git("init", "--quiet")
        self.commit()

    def write(self, name, text):
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@n", *words], cwd=self.project,
                              check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--allow-empty", "--message", "next")
        return self.git("rev-parse", "--short", "HEAD")

    def night(self, *options):
        """(status, {name: (verdict, found)} of the table, [what ran])"""
        (self.top / "ran").write_text("")
        done = subprocess.run(
            ["/usr/bin/env", f"PATH={self.top}/bin:/usr/bin:/bin", "scripts/nightly.py", "--jobs", "2", *options],
            cwd=self.project, capture_output=True, text=True)
        rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in done.stdout.splitlines()
                if line.startswith("|")][2:]
        return done.returncode, {r[0]: (r[2], r[5]) for r in rows}, (self.top / "ran").read_text().splitlines()

    def say(self, name, text):
        (self.top / "says" / name).write_text(text)

    def test_a_night_runs_everything_and_says_so(self):
        status, found, ran = self.night("--whole")
        self.assertEqual({n: said for n, (verdict, said) in found.items() if verdict != "passed"}, {})
        self.assertEqual(status, 0)
        self.assertEqual(
            [*found],
            ["release", "short", "bench", "long/ranks_long_test", "asan", "tsan", "clang", "without", "bare machine",
             *(f"fuzz/{p}" for p in PARSERS), "mutants", "drawn runs", "kill", "full disk", "cache", "repeatability",
             "reproduce/one2001", "reproduce/two2002", "cost"])
        for script in SCRIPTS:
            self.assertTrue([line for line in ran if line.startswith(script)], script)

    def test_what_fails_is_named_and_makes_the_status_1(self):
        self.say("kill_tests.py", "sweep: an error of its own\nthe end\n")
        status, found, _ = self.night("--only", "kill", "cache")
        self.assertEqual(status, 1)
        self.assertEqual(found, {"kill": ("failed", "sweep: an error of its own"), "cache": ("passed", "")})

    def test_no_older_build_is_judged(self):
        self.say("cmake", "error: it does not compile\n")
        status, found, _ = self.night("--only", "release", "short", "kill")
        self.assertEqual((status, [*found]), (1, ["release"]))

    def test_one_at_a_time_in_a_tree(self):
        tree = os.open(self.project, os.O_RDONLY)
        self.addCleanup(os.close, tree)
        fcntl.flock(tree, fcntl.LOCK_EX)
        self.assertEqual(self.night("--only", "kill"), (1, {}, []))
        fcntl.flock(tree, fcntl.LOCK_UN)
        self.assertEqual(self.night("--only", "kill")[0], 0)

    def test_a_paper_with_another_table_fails(self):
        self.write("docs/papers_table.md", "# Papers\n## one2001\nlatency 7\n## two2002\nlatency 8\n")
        self.commit()
        status, found, _ = self.night("--only", "reproduce")
        self.assertEqual(status, 1)
        self.assertEqual([found[f"reproduce/{p}"][0] for p in ("one2001", "two2002")], ["passed", "failed"])

    def test_goes_on_with_what_has_not_passed(self):
        self.say("kill_tests.py", "")
        checks = ["--only", "kill", "cache"]
        self.night(*checks)
        (self.top / "says/kill_tests.py").unlink()
        status, found, ran = self.night(*checks)
        self.assertEqual((status, [v for v, _ in found.values()]), (0, ["passed", "passed"]))
        self.assertEqual(ran, ["kill_tests.py "])
        self.assertEqual(self.night(*checks)[2], [])
        self.assertEqual(sorted(self.night(*checks, "--again")[2]), ["altered_cache_tests.py ", "kill_tests.py "])

    def test_another_commit_is_another_night_unless_told(self):
        first = self.git("rev-parse", "--short", "HEAD")
        self.night("--only", "kill")
        self.commit()
        self.assertEqual(self.night("--only", "kill", "--since", first)[2], [])
        self.assertEqual(self.night("--only", "kill")[2], ["kill_tests.py "])

    def test_takes_up_the_night_of_another_machine_but_builds(self):
        checks = ["--only", "release", "kill", "cost"]
        self.say("cost.sh", "")
        self.night(*checks)
        other = self.project / "build/other.json"
        (self.project / "build/nightly/results.json").rename(other)
        (self.top / "says/cost.sh").unlink()
        _, found, ran = self.night(*checks, "--known", str(other))
        self.assertEqual([*found], ["release", "kill", "cost"])
        self.assertEqual([line.split()[0] for line in ran], ["setup.sh", "cmake", "cmake", "cost.sh"])

    def test_what_passed_with_changes_that_are_not_committed_runs_again(self):
        self.write("more", "")
        self.night("--only", "kill")
        kept = json.loads((self.project / "build/nightly/results.json").read_text())
        self.assertRegex(kept["kill"]["commit"], r"^[0-9a-f]+\+$")
        self.assertEqual(self.night("--only", "kill")[2], ["kill_tests.py "])

    def test_each_paper_and_parser_has_its_turn(self):
        seen = set()
        for _ in range(40):
            self.commit()
            listed = subprocess.run(["scripts/nightly.py", "--list"], cwd=self.project, capture_output=True, text=True,
                                    check=True).stdout.splitlines()
            turn = [name for name in listed if name.startswith(("fuzz/", "reproduce/"))]
            self.assertEqual(sorted(name.split("/")[0] for name in turn), ["fuzz"] * 5 + ["reproduce"])
            seen |= {*turn}
            if len(seen) == len(PARSERS) + 2:
                return
        self.fail(f"only {seen}")

    def test_a_commit_that_is_not_there(self):
        self.assertEqual(self.night("--since", "nothere"), (1, {}, []))


if __name__ == "__main__":
    unittest.main()
