# SPDX-License-Identifier: BSD-3-Clause
"""Tests of benchmark_results.py: the rows of result files, and what is said of files that are none."""

import json
import pathlib
import tempfile
import unittest

from benchmark_results import read_rows


class ReadRowsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def write_result(self, name, options, rows, benchmark="bench_graphs"):
        return self.write(name, json.dumps({"benchmark": benchmark, "options": options, "rows": rows}))

    def expect_error(self, path, message):
        with self.assertRaises(SystemExit) as caught:
            read_rows([path], "bench_graphs")
        self.assertTrue(str(caught.exception).startswith(f"{path}: {message}"), caught.exception)

    def test_rows_of_all_files_in_their_order(self):
        first = self.write_result("first.json", {}, [{"ranks": 4}, {"ranks": 2}])
        second = self.write_result("second.json", {"weak": True}, [{"ranks": 1}, {"ranks": 8, "weak": False}])
        self.assertEqual(read_rows([first, second], "bench_graphs"),
                         [{"ranks": 4, "weak": False}, {"ranks": 2, "weak": False},
                          {"ranks": 1, "weak": True}, {"ranks": 8, "weak": False}])

    def test_errors_name_the_file(self):
        self.expect_error(self.folder / "absent.json", "cannot be read as JSON: [Errno 2]")
        self.expect_error(self.write("half.json", '{"rows": ['), "cannot be read as JSON: ")
        self.expect_error(self.write("list.json", "[]"), "expected a JSON object, found a list")
        self.expect_error(self.write_result("other.json", {}, [], benchmark="bench_trees"),
                          "a result of bench_trees, expected one of bench_graphs")

    def test_no_rows_at_all(self):
        empty = self.write_result("empty.json", {}, [])
        with self.assertRaisesRegex(SystemExit, "the files have no rows"):
            read_rows([empty, empty], "bench_graphs")
        full = self.write_result("full.json", {}, [{"ranks": 1}])
        self.assertEqual(len(read_rows([empty, full], "bench_graphs")), 1)


if __name__ == "__main__":
    unittest.main()
