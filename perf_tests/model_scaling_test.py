#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What model_scaling.py says of Kronecker graphs, beside what bench_delegates --separations counted."""

import unittest

import model_scaling

# scale, threshold: delegates and edges between normal vertices, per cent (bench_delegates --scale S --separations). Of the
# graph, whose duplicate edges are left out: the model, which has them, is a little above where degrees are high.
COUNTED = {(16, 16): (22.4091, 0.43), (16, 32): (11.4975, 2.41), (20, 8): (24.8347, 0.09), (20, 32): (12.8225, 0.68)}


class Model(unittest.TestCase):
    def test_shares_are_near_those_of_generated_graphs(self):
        for (scale, threshold), (delegates, normal_edges) in COUNTED.items():
            modelled = [100 * share for share in model_scaling.separation(scale, threshold)]
            self.assertLess(abs(modelled[0] / delegates - 1), 0.25, (scale, threshold, modelled))
            self.assertLess(abs(modelled[1] - normal_edges), 1.0, (scale, threshold, modelled))

    def test_ends_of_edges_have_bits_like_the_generators(self):
        share = model_scaling.joint_bits(2)
        self.assertAlmostEqual(sum(map(sum, share)), 1.0)
        self.assertAlmostEqual(share[0][0], 0.57**2)
        self.assertAlmostEqual(share[2][1], 2 * 0.05 * 0.19)

    def test_poisson_sums_meet_the_normal_distribution(self):
        self.assertAlmostEqual(model_scaling.poisson_at_most(2, 1.0), 2.5 / 2.718281828, places=6)
        self.assertAlmostEqual(model_scaling.poisson_at_most(299, 300.0), model_scaling.poisson_at_most(299, 300.1), delta=0.02)

    def test_one_gpu_sends_nothing_and_more_gpus_are_faster_inside_a_host(self):
        for name, search in model_scaling.SEARCHES.items():
            self.assertEqual(model_scaling.latencies(8, 1) + model_scaling.travelling(1e9, 1), 0.0)
            self.assertLess(search(26, 4), search(26, 2), name)


if __name__ == "__main__":
    unittest.main()
