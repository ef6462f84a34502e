# SPDX-License-Identifier: Apache-2.0
"""Cells of equal load: fit_weights() and ten moves to centroids, as for stippling, against PowerBin.

PowerBin (M. Cappellari, 2025) bins the pixels of a map into power cells of about equal capacity; it chooses how many.
Ours get as many points, thrown on the map. A column has the standard deviation of the loads, in parts of their mean.

    python -m bench.compare.equal_loads [--rounds 3] [--threads 1]
"""

import numpy as np
import thiessen

from .. import harness

MOVES = 10


def case_of(side, bins):
    y, x = np.mgrid[:side, :side].astype(float)

    def make(number):
        from powerbin import PowerBin

        random = np.random.default_rng(number)
        centre = random.uniform(0.3 * side, 0.7 * side, 2)
        light = 1 / (1 + ((y - centre[0]) ** 2 + (x - centre[1]) ** 2) / (0.2 * side) ** 2)
        pixels = np.column_stack([x.ravel(), y.ravel()])

        def ours():
            places = random.uniform(0, side - 1, (100 * bins, 2))
            rows, columns = np.rint(places).astype(int).T
            points = places[random.uniform(0, 1, len(places)) < light[rows, columns]][:bins]
            for _ in range(MOVES):
                fitted = thiessen.fit_weights(points, light.shape, density=light, allowed_miss=0.05)
                cells = thiessen.voronoi(
                    points, light.shape, weights=fitted.weights, weighting="power", outputs="labels"
                ).labels
                points = thiessen.site_statistics(cells, field=light).mass_centroid
            return told(cells.ravel() - 1)

        def powerbin():
            target = light.sum() / bins
            return told(PowerBin(pixels, light.ravel(), target, verbose=0).bin_num)

        def told(numbers):
            loads = np.bincount(numbers, weights=light.ravel())
            return harness.Told(len(loads), figures={"deviation": loads.std() / loads.mean()})

        return {"thiessen": ours, "PowerBin": powerbin}

    def check(answers):
        for name, count in answers.items():
            if abs(count - bins) > 0.1 * bins:
                raise AssertionError(f"{name} made {count} cells, not about {bins}")

    return harness.Case(f"{bins} cells on {side} x {side}", make, check, side * side)


@harness.program(__doc__, "powerbin", timer=harness.processor, rounds=3, threads=1)
def cases(options):
    yield case_of(60, 20)
    if options.quick:
        return
    yield case_of(200, 200)
    yield case_of(500, 500)
