# SPDX-License-Identifier: BSD-3-Clause
"""Tests of plot_analytics.py, run as a user runs it: its tables, and that there is a plot. Skipped without matplotlib."""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().with_name("plot_analytics.py")


def row(ranks, partition, seconds, algorithm="cc", scale=20, directed=False, graph="kronecker"):
    return {"graph": graph, "scale": scale, "directed": directed, "ranks": ranks, "partition": partition,
            "algorithm": algorithm, "seconds": {"median": seconds}, "peak_bytes_of_a_rank": 3_000_000 // ranks}


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
class PlotAnalyticsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, **rows_of_files):
        for name, (weak, rows) in rows_of_files.items():
            text = json.dumps({"benchmark": "bench_analytics", "options": {"weak": weak}, "rows": rows})
            (self.folder / name).write_text(text, encoding="utf-8")
        outcome = subprocess.run([sys.executable, SCRIPT, *rows_of_files, "--output", "plots"], cwd=self.folder,
                                 capture_output=True, text=True, check=False)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome.stdout

    def line_of(self, output, algorithm):
        return next(line.split() for line in output.splitlines() if line.startswith(algorithm))

    def test_strong(self):
        output = self.run_on(strong=(False, [row(1, "whole", 0.030), row(4, "vertices", 0.010),
                                             row(1, "vertices", 0.040), row(4, "delegates", 0.020),
                                             row(4, "grid", 0.040)]))
        self.assertIn("Strong scaling, kronecker 20, undirected", output)
        self.assertEqual(self.line_of(output, "cc"),
                         ["cc", "30", "40", "1.00x", "3", "10", "4.00x", "1", "20", "1.00x", "1", "40", "1.00x", "1"])
        self.assertTrue((self.folder / "plots/analytics.png").read_bytes().startswith(b"\x89PNG\r\n"))

    def test_weak(self):
        output = self.run_on(weak=(True, [row(1, "vertices", 0.040), row(2, "vertices", 0.050, scale=21)]))
        self.assertIn("Weak scaling, kronecker 20 on one rank, undirected", output)
        self.assertEqual(self.line_of(output, "cc"), ["cc", "40", "100%", "3", "50", "80%", "2"])

    def test_kinds_are_told_apart(self):
        output = self.run_on(one=(False, [row(2, "vertices", 1), row(2, "vertices", 2, "scc", directed=True),
                                        row(2, "vertices", 3, graph="grid")]),
                             two=(True, [row(2, "vertices", 1, scale=23)]))
        self.assertEqual([line.split(";")[0] for line in output.splitlines() if "scaling" in line],
                         ["Strong scaling, kronecker 20, undirected", "Strong scaling, kronecker 20, directed",
                          "Strong scaling, grid 20, undirected",
                          "Weak scaling, kronecker 22 on one rank, undirected"])


if __name__ == "__main__":
    unittest.main()
