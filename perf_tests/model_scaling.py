#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A model of the two searches on many GPUs: what bytes, latencies and one GPU's kernels alone would make of them.

    model_scaling.py [--vertices-per-gpu 23,24,25] [--gpus 1,2,4,8,64,512,4096] [--output FILE]

It is a model: nothing in its tables was measured but the constants below and the last column of the first table, which says
how far it is off where there are measurements. A search takes

    by vertices   kernels(n) + levels * (latency + N/8 bytes over the link)
    by degree     kernels(n) + levels * (latency + 2 * D/8 bytes over the link) + 8 bytes for each edge between normal
                  vertices of two ranks

with n vertices on each of p GPUs, N = n p, and D delegates at the degree threshold that makes the model's time least. Of a
Kronecker graph without noise the degree of a vertex with k one-bits of s is Poisson with a mean known beforehand, and so is
the joint distribution of the bits of an edge's two ends: the shares of delegates and of edges between normal vertices follow,
for any scale. Prints tables; with --output draws rate over GPUs, for which it needs matplotlib.
"""

import argparse
import functools
import math

# Of one H200, by bench_bfs, bench_distributed and bench_delegates (doc/distributed-performance.md): seconds of kernels of a
# search over n vertices, edge factor 16, as a + b n.
NODE_LEVEL = (0.115e-3, 26.7e-12)  # 477 GTEPS at 2^24 and 563 at 2^26
BY_DEGREE = (0.377e-3, 48.0e-12)  # 116 at 2^22 and 227 at 2^24
# Between GPUs of a host, by bench_transports: an allgather of nothing, and of 64 MiB.
INSIDE = {"latency": 23e-6, "bandwidth": 210e9, "gpus": 8}
# Between hosts: not measured. A network adapter of 400 Gbit/s for each GPU, and twice the latency.
BETWEEN = {"latency": 46e-6, "bandwidth": 50e9}
LEVELS = {"by vertices": 6, "by degree": 8}  # that look at more than a few vertices, at scales 24 to 26
EDGE_FACTOR = 16
# A bitmap larger than this is looked up in memory instead of the last-level cache: so many lookups a vertex; lookups a
# second, the first measured, the other assumed.
CACHE_BYTES, LOOKUPS, CACHE_RATE, MEMORY_RATE = 50e6, 3, 150e9, 20e9
EACH_BIT = [[0.57, 0.19], [0.19, 0.05]]  # of Graph500

# GTEPS, scale: one GPU, two GPUs (code of 202db3f), four GPUs (258bf2f).
MEASURED = {("by vertices", 1): {22: 215, 24: 398}, ("by vertices", 2): {22: 179, 24: 484, 25: 656, 26: 725},
            ("by vertices", 4): {24: 565, 25: 845, 26: 1148, 27: 1168, 28: 1097},
            ("by degree", 1): {22: 116, 24: 227}, ("by degree", 2): {22: 88, 24: 249, 25: 328, 26: 379},
            ("by degree", 4): {24: 253, 25: 358, 26: 466, 27: 567, 28: 697}}


@functools.lru_cache(maxsize=None)
def joint_bits(scale):
    """p[j][k]: the share of edges whose ends have j and k one-bits."""
    share = [[1.0]]
    for bits in range(1, scale + 1):
        after = [[0.0] * (bits + 1) for _ in range(bits + 1)]
        for j, row in enumerate(share):
            for k, value in enumerate(row):
                for a, b in ((0, 0), (0, 1), (1, 0), (1, 1)):
                    after[j + a][k + b] += value * EACH_BIT[a][b]
        share = after
    return share


def poisson_at_most(most, mean):
    """P(X <= most), by a normal distribution where the mean is large."""
    if most < 0:
        return 0.0
    if mean > 300:
        return 0.5 * (1 + math.erf((most + 0.5 - mean) / math.sqrt(2 * mean)))
    term = total = math.exp(-mean)
    for i in range(1, most + 1):
        term *= mean / i
        total += term
        if i > mean and term < 1e-18:
            break
    return min(total, 1.0)


@functools.lru_cache(maxsize=None)
def separation(scale, threshold, edge_factor=EDGE_FACTOR):
    """Shares of delegates among all vertices, and of edges between two normal vertices among all edges."""
    one = EACH_BIT[1][0] + EACH_BIT[1][1]
    means = [2.0 * edge_factor * (2 * (1 - one))**(scale - k) * (2 * one)**k for k in range(scale + 1)]
    vertices = [math.comb(scale, k) / 2.0**scale for k in range(scale + 1)]
    normal = [poisson_at_most(threshold, mean) for mean in means]
    # A vertex that is known to have this edge is normal if it has few others.
    normal_end = [poisson_at_most(threshold - 1, mean) for mean in means]
    delegates = 1 - sum(v * p for v, p in zip(vertices, normal))
    return delegates, sum(share * a * b for a, row in zip(normal_end, joint_bits(scale)) for b, share in zip(normal_end, row))


def link(gpus):
    return INSIDE if gpus <= INSIDE["gpus"] else BETWEEN


def kernels(constants, scale, gpus):
    n = 2.0**scale / gpus
    seconds = constants[0] + constants[1] * n
    if 2.0**scale / 8 > CACHE_BYTES and constants is NODE_LEVEL:
        seconds += LOOKUPS * n * (1 / MEMORY_RATE - 1 / CACHE_RATE)
    return seconds


def latencies(levels, gpus):
    if gpus == 1:
        return 0.0
    doublings = 1 if gpus <= INSIDE["gpus"] else math.log2(gpus / INSIDE["gpus"]) + 1
    return levels * link(gpus)["latency"] * doublings


def travelling(bytes_received, gpus):
    return bytes_received * (1 - 1 / gpus) / link(gpus)["bandwidth"]


def parts_by_vertices(scale, gpus):
    """Seconds of kernels, latencies, bytes."""
    levels = LEVELS["by vertices"]
    return kernels(NODE_LEVEL, scale, gpus), latencies(levels, gpus), travelling(levels * 2.0**scale / 8, gpus)


def parts_by_degree(scale, gpus, threshold):
    levels = LEVELS["by degree"]
    delegates, normal_edges = separation(scale, threshold)
    sent = levels * 2 * delegates * 2.0**scale / 8 + 8 * normal_edges * 2 * EDGE_FACTOR * 2.0**scale / gpus
    return kernels(BY_DEGREE, scale, gpus), latencies(levels, gpus), travelling(sent, gpus)


def by_vertices(scale, gpus):
    return sum(parts_by_vertices(scale, gpus))


def best_threshold(scale, gpus):
    return min((2**k for k in range(3, 21)), key=lambda threshold: sum(parts_by_degree(scale, gpus, threshold)))


def by_degree(scale, gpus):
    return sum(parts_by_degree(scale, gpus, best_threshold(scale, gpus)))


SEARCHES = {"by vertices": by_vertices, "by degree": by_degree}


def gteps(seconds, scale):
    return EDGE_FACTOR * 2.0**scale / seconds / 1e9


def numbers(text):
    try:
        values = [int(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}': expected whole numbers with commas between them") from None
    if min(values) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected numbers from 1 on")
    return values


def print_measured():
    print("| | GPUs | scale | model, GTEPS | measured | model over measured |\n|---|--:|--:|--:|--:|--:|")
    for (name, gpus), rates in MEASURED.items():
        for scale, rate in rates.items():
            predicted = gteps(SEARCHES[name](scale, gpus), scale)
            print(f"| {name} | {gpus} | {scale} | {predicted:.0f} | {rate} | {predicted / rate:.2f} |")


def print_predicted(vertices, gpus):
    print("\n| vertices a GPU | GPUs | by vertices, GTEPS | kernels, latency, bytes, ms | bitmap | by degree, GTEPS | "
          "kernels, latency, bytes, ms | threshold | delegates |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for log_n in vertices:
        for p in gpus:
            scale = log_n + math.log2(p)
            if scale != int(scale):
                continue
            scale = int(scale)
            threshold = best_threshold(scale, p)
            parts = [parts_by_vertices(scale, p), parts_by_degree(scale, p, threshold)]
            times = [", ".join(f"{1e3 * part:.3g}" for part in some) for some in parts]
            rates = [f"{gteps(sum(some), scale):,.0f}" for some in parts]
            bitmap = 2.0**scale / 8 / 2**20
            print(f"| 2^{log_n} | {p:,} | {rates[0]} | {times[0]} | {bitmap:,.0f} MiB | {rates[1]} | {times[1]} | "
                  f"{threshold:,} | {100 * separation(scale, threshold)[0]:.2g}% |")


def draw(vertices, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(7, 4.5))
    gpus = [2**k for k in range(13)]
    for log_n, line in zip(vertices, ["-", "--", ":", "-."]):
        for name, color in (("by vertices", "tab:blue"), ("by degree", "tab:orange")):
            axes.plot(gpus, [gteps(SEARCHES[name](log_n + k, 2**k), log_n + k) for k in range(13)], line, color=color,
                        label=f"{name}, 2^{log_n} a GPU")
    measured = {"by vertices": ("o", "tab:blue"), "by degree": ("s", "tab:orange")}
    for (name, p), rates in MEASURED.items():
        marker, color = measured[name]
        axes.plot([p] * len(rates), list(rates.values()), marker, color=color, fillstyle="none")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=10)
    axes.axvline(INSIDE["gpus"], color="tab:gray", linewidth=0.8)
    axes.text(INSIDE["gpus"] * 1.1, axes.get_ylim()[0] * 1.3, "several hosts", color="tab:gray")
    axes.set_xlabel("GPUs")
    axes.set_ylabel("GTEPS, a model; marks were measured")
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=300)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vertices-per-gpu", type=numbers, default=[23, 24, 25], help="log2 of them")
    parser.add_argument("--gpus", type=numbers, default=[1, 2, 4, 8, 64, 512, 4096])
    parser.add_argument("--output", help="draw into this file")
    options = parser.parse_args()
    print_measured()
    print_predicted(options.vertices_per_gpu, options.gpus)
    if options.output:
        draw(options.vertices_per_gpu, options.output)


if __name__ == "__main__":
    main()
