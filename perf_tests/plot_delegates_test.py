# SPDX-License-Identifier: BSD-3-Clause
"""Tests of plot_delegates.py, run as a user runs it: which plots it draws of which results. Skipped without
matplotlib."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().with_name("plot_delegates.py")
PNG = b"\x89PNG\r\n"


def separation(scale, threshold, suggested):
    return {"graph": "kronecker", "scale": scale, "num_vertices": 2**scale, "ranks": 1, "threshold": threshold,
            "num_delegates": 2, "nn": 1, "nd": 2, "dn": 2, "dd": 3, "suggested": suggested}


def search(ranks, threshold, variant="DO"):
    median = {"median": 0.25}
    return {"graph": "kronecker", "scale": 6, "ranks": ranks, "variant": variant, "threshold": threshold,
            "geometric_mean_gteps": 1.5, "seconds": {"median": 2}, "reduction_seconds": median,
            "exchange_seconds": median, "agreement_seconds": median, "parents_seconds": median}


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
class PlotDelegatesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, rows, benchmark="bench_delegates"):
        text = json.dumps({"benchmark": benchmark, "options": {"weak": False}, "rows": rows})
        (self.folder / name).write_text(text, encoding="utf-8")

    def plot(self, *files):
        return subprocess.run([sys.executable, SCRIPT, *files, "--output", "plots/new"], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def expect_plots(self, files, names):
        outcome = self.plot(*files)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertEqual(outcome.stdout.split(), [f"plots/new/{name}" for name in names])
        for name in names:
            self.assertTrue((self.folder / "plots/new" / name).read_bytes().startswith(PNG), name)

    def test_separations(self):
        self.write("one.json", [separation(6, 0, False), separation(6, 2, True), separation(6, 4, False)])
        self.write("two.json", [separation(7, 2, False), separation(7, 4, True)])
        self.expect_plots(["one.json"], ["separations.png"])
        self.expect_plots(["one.json", "two.json"], ["separations.png", "suggested.png"])

    def test_searches(self):
        self.write("one.json", [search(2, 4), search(2, 4, "BFS")])
        self.write("thresholds.json", [search(2, 8), search(2, 16)])
        self.write("ranks.json", [search(1, 4), search(4, 4)])
        self.expect_plots(["one.json"], ["options.png"])
        self.expect_plots(["one.json", "thresholds.json"], ["thresholds.png", "options.png"])
        self.expect_plots(["ranks.json"], ["options.png", "scaling.png"])

    def test_both(self):
        self.write("separations.json", [separation(6, 2, True)])
        self.write("searches.json", [search(1, 4)])
        self.expect_plots(["searches.json", "separations.json"], ["separations.png", "options.png"])

    def test_a_result_of_another_benchmark(self):
        self.write("other.json", [], benchmark="bench_graphs")
        outcome = self.plot("other.json")
        self.assertEqual(outcome.returncode, 1)
        self.assertEqual(outcome.stderr, "other.json: a result of bench_graphs, expected one of bench_delegates\n")


if __name__ == "__main__":
    unittest.main()
