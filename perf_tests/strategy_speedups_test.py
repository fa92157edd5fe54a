# SPDX-License-Identifier: BSD-3-Clause
"""Tests of strategy_speedups.py, run as a user runs it, on result files with times that make the answers plain."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().with_name("strategy_speedups.py")


def run(strategy, seconds, algorithm="bfs", valid=None):
    return {"algorithm": algorithm, "strategy": strategy, "seconds": seconds, "valid": valid}


class StrategySpeedupsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, runs):
        self.write_text(name, json.dumps({"graph": {"source": f"/graphs/{name}.mtx"}, "runs": runs}))

    def write_text(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def speedups(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def expect_table(self, arguments, table):
        outcome = self.speedups(*arguments)
        self.assertEqual(outcome.stderr, "")
        self.assertEqual(outcome.returncode, 0)
        self.assertEqual(outcome.stdout, table)

    def expect_error(self, arguments, message):
        outcome = self.speedups(*arguments)
        self.assertEqual(outcome.returncode, 1)
        self.assertEqual(outcome.stdout, "")
        self.assertTrue(outcome.stderr.startswith(message), outcome.stderr)
        self.assertEqual(outcome.stderr.count("\n"), 1, outcome.stderr)

    def test_geometric_means(self):
        """H: 4 and 1 times as fast, the root of 4 is 2. M: 0.1 and 0.4 times, the root of 0.04 is 0.2."""
        self.write("a.json", [run("vertex-chunk", 0.008), run("H", 0.002), run("M", 0.08)])
        self.write("b.json", [run("vertex-chunk", 0.5), run("H", 0.5), run("M", 1.25)])
        self.expect_table(["a.json", "long/name=b.json"], """
| bfs | vertex-chunk ms | H | M |
|---|--:|--:|--:|
| a.json.mtx | 8 | 4.00 | 0.10 |
| long/name | 500 | 1.00 | 0.40 |
| geometric mean of 2 | | 2.00 | 0.20 |
""")

    def test_runs_of_a_strategy_count_by_their_median(self):
        """Of an odd number the one in the middle, 6; of an even number the middle of two, 3; their ratio is 2."""
        slow, fast = (6, 100, 1), (1, 2, 4, 100)
        runs = [run("vertex-chunk", seconds, valid=True) for seconds in slow]
        self.write("a.json", runs + [run("H", seconds, valid=True) for seconds in fast])
        self.expect_table(["A=a.json"], """
| bfs | vertex-chunk ms | H |
|---|--:|--:|
| A | 6e+03 | 2.00 |
| geometric mean of 1 | | 2.00 |
""")

    def test_a_table_an_algorithm(self):
        self.write("bfs.json", [run("vertex-chunk", 3), run("H", 1)])
        self.write("color.json", [run("vertex-chunk", 1, "color"), run("M", 0.2, "color")])
        self.expect_table(["A=bfs.json", "A=color.json"], """
| bfs | vertex-chunk ms | H |
|---|--:|--:|
| A | 3e+03 | 3.00 |
| geometric mean of 1 | | 3.00 |

| color | vertex-chunk ms | M |
|---|--:|--:|
| A | 1e+03 | 5.00 |
| geometric mean of 1 | | 5.00 |
""")

    def test_strategies_that_are_missing(self):
        self.write("all.json", [run("vertex-chunk", 2), run("H", 1)])
        self.write("none.json", [])
        self.write("h.json", [run("H", 1)])
        self.write("base.json", [run("vertex-chunk", 2)])
        self.write("nameless.json", [{"algorithm": "graph500", "fields": {}}])
        self.expect_error(["none.json"], "none.json: expected a result of dromos with --json, found no runs")
        self.expect_error(["G=h.json"], "h.json: no run with vertex-chunk")
        self.expect_error(["all.json", "G=base.json"], "base.json: other strategies than the file before it")
        self.expect_error(["nameless.json"], "nameless.json: a run of graph500 has no strategy")

    def test_files_that_are_no_results(self):
        self.write_text("half.json", '{"runs": [')
        self.write_text("list.json", "[]")
        self.write_text("other.json", '{"rows": []}')
        self.expect_error(["A=absent.json"], "absent.json: cannot be read as JSON: [Errno 2]")
        self.expect_error(["half.json"], "half.json: cannot be read as JSON: ")
        self.expect_error(["list.json"], "list.json: expected a JSON object, found a list")
        self.expect_error(["other.json"], "other.json: expected a result of dromos with --json, found no runs")

    def test_a_result_that_is_not_valid(self):
        self.write("a.json", [run("vertex-chunk", 2, valid=True), run("H", 1, valid=False)])
        self.expect_error(["a.json"], "a.json: a result of H is not valid")

    def test_help(self):
        for arguments in ([], ["--help"]):
            self.assertIn("strategy_speedups.py [NAME=]result.json", self.speedups(*arguments).stdout)


if __name__ == "__main__":
    unittest.main()
