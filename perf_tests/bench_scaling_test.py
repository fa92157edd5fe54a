# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_scaling.py, run as a user runs it, with programs that only say what they took."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().with_name("bench_scaling.py")

# Takes 8 ms, 4 ms, 5 ms with 1, 2, 4 threads; on a file one of each.
PROGRAM = f"""#!{sys.executable}
import json, os, sys
words = sys.argv[1:]
value = lambda option: words[words.index(option) + 1]
if os.environ.get("FAKE_FAILURE") == value("--graph"):
    sys.exit("out of luck")
if "FAKE_WEIGHTS" in os.environ and "--uniform-weights" not in words:
    sys.exit("no weights (--uniform-weights: random ones instead)")
threads = int(os.environ["OMP_NUM_THREADS"])
seconds = {{1: 0.008, 2: 0.004, 4: 0.005}}[threads]
row = {{"graph": value("--graph"), "strategy": "best", "seconds": {{"median": seconds}}}}
if "." not in row["graph"]:
    row["scale"] = int(value("--scale"))
serial = dict(row, method="serial", seconds={{"median": 1}})
result = {{"environment": {{"execution_space": os.environ.get("FAKE_SPACE", "OpenMP")}}, "rows": [serial, row]}}
open(value("--json"), "w").write(json.dumps(result))
open("calls", "a").write(f"{{threads}}{{' unchecked' if '--no-validation' in words else ''}};")
"""


class BenchScalingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        program = self.folder / "bench_cc"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)

    def run_script(self, *words, **environment):
        return subprocess.run([sys.executable, SCRIPT, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False, env={**os.environ, **environment})

    def measure(self, *words, **environment):
        return self.run_script("--programs", ".", "--algorithm", "cc", "--graph", "kronecker,a.mtx", "--threads", "1,2,4",
                               "--rounds", "2", *words, **environment)

    def test_tables(self):
        outcome = self.measure("--json", "scaling.json")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        tables = """
| ms, by threads | graph | 1 | 2 | 4 |
|---|---|--:|--:|--:|
| cc | kronecker 20 | 8 | 4 | 5 |
| cc | a.mtx | 8 | 4 | 5 |

| speed-up, efficiency | graph | 1 | 2 | 4 |
|---|---|--:|--:|--:|
| cc | kronecker 20 | 1.00, 100% | 2.00, 100% | 1.60, 40% |
| cc | a.mtx | 1.00, 100% | 2.00, 100% | 1.60, 40% |

2 times slower than half as many threads, by more than 5%:
- cc, kronecker 20: 4 threads take 1.25 times as long
- cc, a.mtx: 4 threads take 1.25 times as long
"""
        self.assertEqual(outcome.stdout, tables)
        self.assertEqual(self.run_script("--read", "scaling.json").stdout, tables)
        self.assertEqual((self.folder / "calls").read_text(encoding="utf-8"),
                         2 * "1;2;4;1 unchecked;2 unchecked;4 unchecked;")
        rows = json.loads((self.folder / "scaling.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual(len(rows), 6)
        self.assertEqual(rows[0]["rounds"], [0.008, 0.008])

    def test_what_was_measured_before_a_failure_is_in_the_file(self):
        outcome = self.measure("--json", "scaling.json", FAKE_FAILURE="a.mtx")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("out of luck", outcome.stderr)
        rows = json.loads((self.folder / "scaling.json").read_text(encoding="utf-8"))["rows"]
        self.assertEqual({row["graph"] for row in rows}, {"kronecker 20"})

    def test_a_file_that_cannot_be_written_leaves_nothing(self):
        (self.folder / "scaling.json").mkdir()
        outcome = self.measure("--json", "scaling.json")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("scaling.json: cannot be written", outcome.stderr)
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_without_validation(self):
        self.assertEqual(self.measure("--no-validation").returncode, 0)
        calls = (self.folder / "calls").read_text(encoding="utf-8")
        self.assertEqual(calls.count("unchecked"), calls.count(";"))

    def test_files_without_weights_get_random_ones(self):
        outcome = self.measure(FAKE_WEIGHTS="1")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual((self.folder / "calls").read_text(encoding="utf-8").count(";"), 12)

    def test_strict(self):
        self.assertEqual(self.measure("--strict").returncode, 1)
        self.assertEqual(self.measure("--strict", "--threads", "1,2").returncode, 0)

    def test_what_cannot_be_measured(self):
        outcome = self.measure(FAKE_SPACE="Cuda")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("these benchmarks run on Cuda", outcome.stderr)
        outcome = self.measure("--algorithm", "bfs")
        self.assertEqual(outcome.returncode, 1)
        self.assertIn("bench_bfs: cannot be run", outcome.stderr)
        self.assertEqual(self.measure("--algorithm", "sorting").returncode, 2)
        self.assertEqual(self.run_script().returncode, 2)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
    def test_plot(self):
        outcome = self.measure("--plot", "scaling.png")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertTrue((self.folder / "scaling.png").read_bytes().startswith(b"\x89PNG\r\n"))


if __name__ == "__main__":
    unittest.main()
