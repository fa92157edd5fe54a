#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a GPU did during one region of a program, kernel by kernel, from files of kernel_timeline.

    plot_timeline.py timeline.PID.csv [more.csv ...] [--region NAME] [--number N] [--title TEXT ...] [--output FILE]

Prints a table for each file, and with --output draws all of them over one axis of time, a row for each stream, levels
marked: what computes, what moves between GPUs, copies and fills in colors of their own. Needs matplotlib for that alone.
"""

import argparse
import csv
import dataclasses
import re
import sys


@dataclasses.dataclass
class Event:
    begin: float  # us
    end: float
    kind: str
    stream: int
    bytes: int
    teams: int
    name: str


# How kernels are told apart: by the first of these that is part of a name.
MOVES = ["run_step", "run_changes", "run_exchange", "ncclDevKernel"]
KINDS = {"computes": "tab:blue", "moves between GPUs": "tab:red", "copy": "tab:olive", "fill": "tab:gray"}


def read_events(path):
    """Of a file, by begin. Names may have commas: they are the rest of a line."""
    events = []
    with open(path, newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.reader(file, quoting=csv.QUOTE_NONE), 1):
            try:
                begin, end, kind, stream, size, teams, _ = row[:7]
                events.append(Event(int(begin) / 1e3, int(end) / 1e3, kind, int(stream), int(size), int(teams),
                                    ",".join(row[7:])))
            except ValueError as error:
                sys.exit(f"{path}:{number}: not a line of kernel_timeline: {error}")
    return sorted(events, key=lambda event: event.begin)


def short_name(event):
    if event.kind != "kernel":
        return f"{event.kind} of {event.bytes:,} bytes"
    # Of a mangled name: the kernel that moves, or the functor of Dromos, or what there is.
    for name in MOVES:
        if name in event.name:
            return name
    functors = re.findall(r"6dromos(?:6detail)?\d+([A-Za-z_]+?)I", event.name)
    return functors[0] if functors else event.name[:60]


def look(event):
    if event.kind != "kernel":
        return event.kind
    return "moves between GPUs" if short_name(event) in MOVES else "computes"


def events_of_region(path, region, number):
    """The region, the levels in it, and what the GPU did from its begin to its end."""
    events = read_events(path)
    regions = [event for event in events if event.kind == "region"]
    chosen = [event for event in regions if event.name == region]
    if not chosen:
        names = sorted({event.name for event in regions})
        sys.exit(f"{path}: no region {region}; there are: {', '.join(names) or 'none'}")
    try:
        whole = chosen[number]
    except IndexError:
        sys.exit(f"{path}: {len(chosen)} regions {region}, and number {number} was asked for")
    inside = [event for event in events if whole.begin <= event.begin <= whole.end and event is not whole]
    levels = [event for event in inside if event.kind == "region"]
    return whole, levels, [event for event in inside if event.kind != "region"]


def print_table(path, whole, levels, events):
    print(f"{path}: {whole.name}, {whole.end - whole.begin:.1f} us")
    print(f"{'begin':>9} {'us':>8} {'stream':>6} {'teams':>7}  what")
    lines = [(event.begin, f"{event.end - event.begin:8.1f} {event.stream:6} {event.teams:7}  {short_name(event)}")
             for event in events]
    lines += [(level.begin, f"{level.end - level.begin:8.1f} {'':6} {'':7}  -- {level.name}") for level in levels]
    for begin, text in sorted(lines):
        print(f"{begin - whole.begin:9.1f} {text}")
    times = {}
    for event in events:
        times[look(event)] = times.get(look(event), 0.0) + event.end - event.begin
    print(", ".join(f"{kind} {time:.1f} us" for kind, time in sorted(times.items())))


def draw(timelines, titles, output):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch

    figure, axes = plt.subplots(len(timelines), 1, sharex=True, squeeze=False,
                                figsize=(10, 1.2 + 1.1 * len(timelines)), layout="constrained")
    for (whole, levels, events), title, (axis,) in zip(timelines, titles, axes):
        streams = sorted({event.stream for event in events if event.kind == "kernel"}) or [0]
        for event in events:
            row = streams.index(event.stream) if event.stream in streams else len(streams) - 1
            axis.broken_barh([(event.begin - whole.begin, max(event.end - event.begin, 1.0))], (row - 0.4, 0.8),
                             color=KINDS[look(event)])
        for level in levels:
            axis.axvline(level.begin - whole.begin, color="black", linewidth=0.6, linestyle=":")
        axis.axvline(whole.end - whole.begin, color="black", linewidth=1.2)
        axis.set_yticks(range(len(streams)), [f"stream {i + 1}" for i in range(len(streams))])
        axis.set_ylim(-0.6, len(streams) - 0.4)
        axis.invert_yaxis()
        axis.set_title(f"{title}: {whole.end - whole.begin:,.0f} us", loc="left", fontsize=10)
    axes[-1][0].set_xlim(left=0)
    axes[-1][0].set_xlabel("us since the search began; dotted: a level begins")
    axes[0][0].legend(handles=[Patch(color=color, label=kind) for kind, color in KINDS.items()], ncol=len(KINDS),
                      loc="lower right", bbox_to_anchor=(1, 1.05), frameon=False, fontsize=9)
    figure.savefig(output, dpi=300)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--region", default="dromos::bfs_1d", help="default: %(default)s")
    parser.add_argument("--number", type=int, default=-1, help="of such regions, from 0; -1: the last")
    parser.add_argument("--title", nargs="+", help="one for each file")
    parser.add_argument("--output", help="draw into this file")
    options = parser.parse_args()
    titles = options.title or options.files
    if len(titles) != len(options.files):
        parser.error(f"{len(options.files)} files and {len(titles)} titles")
    timelines = [events_of_region(path, options.region, options.number) for path in options.files]
    for path, timeline in zip(options.files, timelines):
        print_table(path, *timeline)
    if options.output:
        draw(timelines, titles, options.output)


if __name__ == "__main__":
    main()
