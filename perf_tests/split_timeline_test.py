#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What split_timeline.py makes of the files of two ranks."""

import pathlib
import tempfile
import unittest

import split_timeline

COMPUTES = "_ZN6Kokkos4Impl11ParallelForIN6dromos6detail14FindFirstWarpsINS_4CudaEEEE"
MOVES = "_ZN12_GLOBAL__N_18run_stepILb0EEEvNS_4StepE"


def rank(computes_until, moves_until):
    """A search of one level from 2 to 10 us, in ns: computes from 3 us on, moves 1 us after that began, beside it."""
    return f"""2000,10000,region,0,0,0,0,search
2000,10000,region,0,0,0,0,search::level
3000,{computes_until},kernel,7,0,64,512,{COMPUTES}
4000,{moves_until},kernel,8,0,100,256,{MOVES}
"""


class Split(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def files(self, *texts):
        paths = [self.folder / f"timeline.{number}.csv" for number in range(len(texts))]
        for path, text in zip(paths, texts):
            path.write_text(text, encoding="utf-8")
        return paths

    def test_who_computes_less_waits(self):
        # Both move until 8 us; the first computes until 5, so that it shows 3 us of moving, the second until 7 and 1 us.
        levels = split_timeline.levels_of(self.files(rank(5000, 8000), rank(7000, 8000)), "search", -1)
        self.assertEqual(levels, [{"level": 8.0, "computes": 4.0, "moves": 1.0, "waits": 1.0, "idle": 3.0}])

    def test_intervals_that_overlap_count_once(self):
        self.assertEqual(split_timeline.length([(0, 2), (1, 3), (5, 6), (5.5, 5.7)]), 4)

    def test_what_is_no_search_is_said(self):
        with self.assertRaisesRegex(SystemExit, "no region other; there are: search"):
            split_timeline.levels_of(self.files(rank(5000, 8000)), "other", -1)
        with self.assertRaisesRegex(SystemExit, "has no search::level::level in it"):
            split_timeline.levels_of(self.files(rank(5000, 8000)), "search::level", -1)
        without = "2000,10000,region,0,0,0,0,search\n"
        with self.assertRaisesRegex(SystemExit, "1, 0 levels"):
            split_timeline.levels_of(self.files(rank(5000, 8000), without), "search", -1)


if __name__ == "__main__":
    unittest.main()
