#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the time of each level of a distributed search goes on GPUs, from files of kernel_timeline, one of each rank.

    split_timeline.py folder/timeline.*.csv [--region NAME] [--number N] [--json FILE]

For each level of a search, in us, the first two of the rank that takes longest, the others the mean over the ranks:

    level      from begin to end, on the host
    computes   at least one kernel that computes, or a fill, runs
    moves      nothing computes, and a kernel moves data between GPUs, or a copy runs: as long as on the rank that has least
               of it. Kernels that move wait for those of other ranks, and whoever comes last waits for nobody
    waits      what the other ranks have more of that than this one
    idle       nothing runs on the GPU: the host reads counts, adds up over the ranks, launches
"""

import argparse
import json
import sys

from plot_timeline import events_of_region, look

KINDS_THAT_COMPUTE = ("computes", "fill")
COLUMNS = ["level", "computes", "moves", "waits", "idle"]


def union(intervals):
    """The same times without overlaps, in order."""
    joined = []
    for begin, end in sorted(intervals):
        if joined and begin <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([begin, end])
    return joined


def length(intervals):
    return sum(end - begin for begin, end in union(intervals))


def times_of(level, events):
    """Of one rank: how long the level takes, something computes, and something moves or computes."""
    inside = [event for event in events if level.begin <= event.begin < level.end]
    clipped = [(event, (event.begin, min(event.end, level.end))) for event in inside]
    computing = [times for event, times in clipped if look(event) in KINDS_THAT_COMPUTE]
    busy = [times for _, times in clipped]
    return level.end - level.begin, length(computing), length(busy)


def split(ranks):
    """Of one level, of times_of() of each rank: a value for each of COLUMNS."""
    moving = [busy - computing for _, computing, busy in ranks]
    least = min(moving)
    mean = lambda values: sum(values) / len(values)
    return {"level": max(whole for whole, _, _ in ranks), "computes": max(computing for _, computing, _ in ranks),
            "moves": least, "waits": mean([each - least for each in moving]),
            "idle": mean([whole - busy for whole, _, busy in ranks])}


def levels_of(paths, region, number):
    """A list of split() of the levels of this search; every file is of one rank of the same program."""
    of_ranks = []
    for path in paths:
        _, regions, events = events_of_region(path, region, number)
        levels = [each for each in regions if each.name == region + "::level"]
        of_ranks.append([times_of(level, events) for level in levels])
    if len({len(levels) for levels in of_ranks}) > 1:
        counts = ", ".join(str(len(levels)) for levels in of_ranks)
        sys.exit(f"search number {number} has {counts} levels in these files: are they the ranks of one run?")
    if not of_ranks[0]:
        sys.exit(f"{paths[0]}: region {region} has no {region}::level in it")
    return [split(ranks) for ranks in zip(*of_ranks)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--region", default="dromos::bfs_1d",
                        help="of a search: dromos::bfs_delegate or dromos::bfs_2d; default: %(default)s")
    parser.add_argument("--number", type=int, default=-1, help="of such regions, from 0; -1: the last")
    parser.add_argument("--json", help="the same into this file")
    options = parser.parse_args()
    levels = levels_of(options.files, options.region, options.number)
    print(f"{options.region}, us, {len(options.files)} ranks")
    print(" ".join(f"{name:>9}" for name in ["number", *COLUMNS]))
    for number, level in enumerate(levels):
        print(" ".join([f"{number:9}"] + [f"{level[name]:9.1f}" for name in COLUMNS]))
    print(" ".join([f"{'all':>9}"] + [f"{sum(level[name] for level in levels):9.1f}" for name in COLUMNS]))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"region": options.region, "ranks": len(options.files), "levels": levels}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
