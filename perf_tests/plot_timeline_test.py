#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What plot_timeline.py makes of files of kernel_timeline."""

import contextlib
import io
import pathlib
import tempfile
import unittest

import plot_timeline

KERNEL = "_ZN6Kokkos4Impl11ParallelForIN6dromos6detail14FindFirstWarpsINS_4CudaEEEE"
LINES = f"""1000,1500,fill,7,4096,0,0,
2000,5000,region,0,0,0,0,search
3000,4000,region,0,0,0,0,search::level
3100,3600,kernel,7,0,64,512,_ZN12_GLOBAL__N_18run_stepILb0EEEvNS_4StepE
3700,3900,kernel,8,0,100,256,{KERNEL}
6000,7000,kernel,7,0,1,1,after the search
"""


class Timeline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "timeline.1.csv"
        self.path.write_text(LINES, encoding="utf-8")

    def test_a_region_has_what_began_in_it(self):
        whole, levels, events = plot_timeline.events_of_region(self.path, "search", -1)
        self.assertEqual(whole.end - whole.begin, 3.0)
        self.assertEqual([level.name for level in levels], ["search::level"])
        self.assertEqual([plot_timeline.short_name(event) for event in events], ["run_step", "FindFirstWarps"])
        self.assertEqual([plot_timeline.look(event) for event in events], ["moves between GPUs", "computes"])

    def test_the_table_says_when_and_how_long(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            plot_timeline.print_table(self.path, *plot_timeline.events_of_region(self.path, "search", 0))
        self.assertIn("      1.1      0.5      7      64  run_step", printed.getvalue())
        self.assertIn("computes 0.2 us, moves between GPUs 0.5 us", printed.getvalue())

    def test_what_is_not_there_is_said(self):
        with self.assertRaisesRegex(SystemExit, "no region other; there are: search, search::level"):
            plot_timeline.events_of_region(self.path, "other", -1)
        with self.assertRaisesRegex(SystemExit, "1 regions search, and number 3"):
            plot_timeline.events_of_region(self.path, "search", 3)
        self.path.write_text("something else\n", encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, "csv:1: not a line of kernel_timeline"):
            plot_timeline.events_of_region(self.path, "search", -1)


if __name__ == "__main__":
    unittest.main()
