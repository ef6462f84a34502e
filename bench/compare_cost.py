#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost distance: thiessen against dijkstra3d, scikit-image and SciPy, in one process and on the same maps.

No two of them mean the same by the cost of a step, so each is checked first, on a small map, against a plain
Dijkstra with its own rule:

    thiessen                    2 * length / (W_p + W_q)
    dijkstra3d distance_field   the cost of the cell that is entered, whatever the length
    skimage MCP_Geometric       length * (C_p + C_q) / 2
    scipy csgraph dijkstra      any; here that of thiessen, the graph being made beforehand

with costs C = 1 / W. dijkstra3d and MCP_Geometric return costs, thiessen costs and labels, SciPy costs and the
nodes that they come from. Each round has other sites, and everyone a turn. All but thiessen have one thread.

    python3 bench/compare_cost.py [--sizes 500x200,1024x1024] [--maps uniform,noise] [--rounds 3]

Needs Python with NumPy, the package thiessen, and of the peers those that are there.
"""

import argparse
import heapq
import importlib.util
import itertools
import math
import statistics
import time

import numpy as np
import thiessen

MAPS = ["uniform", "gradient", "noise", "maze"]
SLOW = {"scikit-image": 1 << 21, "SciPy": 1 << 20}
"""Most cells that a peer is given."""


def has(module):
    return importlib.util.find_spec(module) is not None


class Thiessen:
    def __init__(self, stiffness, threads):
        self.name = f"thiessen, {threads} thread{'s' if threads > 1 else ''}"
        self.stiffness, self.threads = stiffness, threads
        self.out = {
            "labels": np.empty(stiffness.shape, np.int32),
            "distance": np.empty(stiffness.shape, np.float32),
        }

    def run(self, sites):
        thiessen.cost_distance(self.stiffness, sites, out=self.out, threads=self.threads)
        return self.out["distance"]

    @staticmethod
    def step(stiffness, p, q, length):
        return 2 * length / (stiffness[p] + stiffness[q])


class Dijkstra3d:
    name = "dijkstra3d"

    def __init__(self, stiffness):
        with np.errstate(divide="ignore"):
            self.field = np.ascontiguousarray(1 / stiffness.astype(np.float32))

    def run(self, sites):
        import dijkstra3d

        places = np.argwhere(sites).astype(np.uint32)
        return dijkstra3d.distance_field(self.field, places, connectivity=8)

    @staticmethod
    def step(stiffness, p, q, length):
        return 1 / stiffness[q]


class ScikitImage:
    name = "scikit-image"

    def __init__(self, stiffness):
        with np.errstate(divide="ignore"):
            self.costs = 1 / stiffness.astype(np.float64)

    def run(self, sites):
        from skimage.graph import MCP_Geometric

        return MCP_Geometric(self.costs).find_costs(np.argwhere(sites))[0]

    @staticmethod
    def step(stiffness, p, q, length):
        return length * (1 / stiffness[p] + 1 / stiffness[q]) / 2


class SciPy:
    name = "SciPy"

    def __init__(self, stiffness):
        from scipy.sparse import csr_array

        cells = stiffness.astype(np.float64)
        index = np.arange(cells.size).reshape(cells.shape)
        rows, columns, weights = [], [], []
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
            here = (slice(0, cells.shape[0] - dy), slice(max(-dx, 0), cells.shape[1] - max(dx, 0)))
            there = (slice(dy, None), slice(max(dx, 0), cells.shape[1] + min(dx, 0)))
            open_ = (cells[here] > 0) & (cells[there] > 0)
            weight = 2 * math.hypot(dy, dx) / (cells[here] + cells[there])[open_]
            rows += [index[here][open_], index[there][open_]]
            columns += [index[there][open_], index[here][open_]]
            weights += [weight, weight]
        places = (np.concatenate(rows), np.concatenate(columns))
        self.shape = cells.shape
        self.graph = csr_array((np.concatenate(weights), places), shape=(cells.size, cells.size))

    def run(self, sites):
        from scipy.sparse.csgraph import dijkstra

        costs, _, _ = dijkstra(
            self.graph, indices=np.flatnonzero(sites), min_only=True, return_predecessors=True
        )
        return costs.reshape(self.shape)

    step = staticmethod(Thiessen.step)


def peers_of(stiffness, threads):
    yield from (Thiessen(stiffness, count) for count in threads)
    for peer, module in ((Dijkstra3d, "dijkstra3d"), (ScikitImage, "skimage"), (SciPy, "scipy")):
        if has(module) and stiffness.size <= SLOW.get(peer.name, 1 << 40):
            yield peer(stiffness)


def plain_dijkstra(stiffness, sites, step):
    costs = np.full(stiffness.shape, np.inf)
    queue = [(0.0, tuple(cell)) for cell in np.argwhere(sites)]
    for _, cell in queue:
        costs[cell] = 0
    while queue:
        cost, p = heapq.heappop(queue)
        if cost > costs[p]:
            continue
        for dy, dx in itertools.product((-1, 0, 1), repeat=2):
            q = (p[0] + dy, p[1] + dx)
            inside = 0 <= q[0] < stiffness.shape[0] and 0 <= q[1] < stiffness.shape[1]
            if q == p or not inside or not stiffness[q]:
                continue
            reached = cost + step(stiffness, p, q, math.hypot(dy, dx))
            if reached < costs[q]:
                costs[q] = reached
                heapq.heappush(queue, (reached, q))
    return costs


def sites_on(stiffness, count, seed):
    """Random sites, without those on walls, which peers do not pass over."""
    return thiessen.random_sites(stiffness.shape, count, seed) * (stiffness > 0)


def check():
    for name in MAPS:
        stiffness = thiessen.material_map((40, 50), name, 2)
        sites = sites_on(stiffness, 9, 1)
        for peer in peers_of(stiffness, [1]):
            expected = plain_dijkstra(stiffness.astype(float), sites, peer.step)
            reached = stiffness > 0
            found = np.asarray(peer.run(sites), float)
            assert np.allclose(found[reached], expected[reached], rtol=1e-5), (peer.name, name)


def measure(name, shape, count, threads, rounds):
    """Milliseconds of each peer: the least of its rounds."""
    stiffness = thiessen.material_map(shape, name, 3)
    peers = list(peers_of(stiffness, threads))
    times = {peer.name: [] for peer in peers}
    for number in range(rounds + 1):
        sites = sites_on(stiffness, count, number)
        for peer in peers:
            start = time.perf_counter()
            peer.run(sites)
            if number:  # the first round is not counted
                times[peer.name].append((time.perf_counter() - start) * 1e3)
    return {peer: (min(each), statistics.median(each)) for peer, each in times.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", default="500x200,1024x1024,2048x2048")
    parser.add_argument("--maps", default=",".join(MAPS))
    parser.add_argument("--sites", type=int, help="default: one in 500 cells, 10,000 at most")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    check()
    threads = [int(count) for count in arguments.threads.split(",")]
    print("| map | size | sites | who | least ms | median ms | thiessen is faster, least |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for size in arguments.sizes.split(","):
        width, height = map(int, size.split("x"))
        count = arguments.sites or min(width * height // 500, 10_000)
        for name in arguments.maps.split(","):
            times = measure(name, (height, width), count, threads, arguments.rounds)
            ours = next(iter(times.values()))[0]
            for peer, (least, median) in times.items():
                print(
                    f"| {name} | {size} | {count:,} | {peer} | {least:.2f} | {median:.2f} "
                    f"| {least / ours:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
