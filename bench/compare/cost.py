# SPDX-License-Identifier: Apache-2.0
"""Cost distance: thiessen against others on the same maps.

No two of them mean the same by the cost of a step, so each is checked first, on a small map, against a plain
Dijkstra with its own rule:

    thiessen                    2 * length / (W_p + W_q)
    dijkstra3d distance_field   the cost of the cell that is entered, whatever the length
    skimage MCP_Geometric       length * (C_p + C_q) / 2
    scipy csgraph dijkstra      any; here that of thiessen, the graph being made beforehand
    GRASS r.cost                length * (C_p + C_q) / 2, without -k (knight's moves)
    FastGeodis                  (length + |W_p - W_q|) / 2, without barriers

with costs C = 1 / W. thiessen returns costs and labels, SciPy and r.cost costs and where they come from, the others
costs. r.cost is timed as a process: its start, reading and writing of rasters in GRASS's own format, but not
bringing the map and the sites into that. FastGeodis is not exact: how far it is off its own rule is in the last
column, as far as SciPy can tell in time. All but thiessen have one thread.

    python -m bench.compare.cost [--sizes 500x200,1024x1024] [--maps uniform,noise] [--rounds 3]

Needs Python with NumPy, the package thiessen, and of the peers those that are there. For all of them, with
Debian's grass-core:

    python3 -m venv build/cost-venv
    build/cost-venv/bin/pip install . numpy torch "setuptools<81" wheel
    build/cost-venv/bin/pip install dijkstra3d scikit-image scipy
    build/cost-venv/bin/pip install --no-build-isolation FastGeodis
    build/cost-venv/bin/python -m bench.compare.cost
"""

import heapq
from functools import partial

import numpy as np
import thiessen

from .. import harness
from .cost_peers import PEERS, SciPy, has, neighbours, peers_of

MAPS = ["uniform", "gradient", "noise", "maze"]


def plain_dijkstra(stiffness, sites, peer):
    costs = np.full(stiffness.shape, np.inf)
    queue = [(0.0, tuple(cell)) for cell in np.argwhere(sites)]
    for _, cell in queue:
        costs[cell] = 0
    while queue:
        cost, p = heapq.heappop(queue)
        if cost > costs[p]:
            continue
        for q, length in neighbours(stiffness.shape, p):
            if peer.has_barriers and not stiffness[q]:
                continue
            reached = cost + peer.step(stiffness, p, q, length)
            if reached < costs[q]:
                costs[q] = reached
                heapq.heappush(queue, (reached, q))
    return costs


def sites_on(stiffness, count, seed):
    """Random sites, without those on walls, which peers do not pass over."""
    return thiessen.random_sites(stiffness.shape, count, seed=seed) * (stiffness > 0)


def check():
    for name in MAPS:
        stiffness = thiessen.material_map((40, 50), name, seed=2)
        sites = sites_on(stiffness, 9, 1)
        for peer in peers_of(stiffness, [1]):
            if not peer.exact:  # it is, in the end
                peer.sweeps = 100
            expected = plain_dijkstra(stiffness.astype(float), sites, peer)
            compared = stiffness > 0 if peer.has_barriers else np.full(stiffness.shape, True)
            found = np.asarray(peer.costs(peer.run(peer.prepare(sites))), float)
            assert np.allclose(found[compared], expected[compared], rtol=1e-5), (peer.name, name)


def error_of(peer, sites, costs):
    """The relative error of a peer that is not exact; empty if that would take too long."""
    most_cells = next(most for each, _, most in PEERS if each is SciPy)
    if sites.size > most_cells or not has("scipy"):
        return ""
    expected = peer.exact_costs(sites)
    error = np.abs(costs - expected) / np.maximum(expected, 1)
    return f"at most {error.max():.2%}; {np.mean(error > 1e-3):.2%} of the cells over 0.1 %"


def case_of(options, size, name):
    width, height = map(int, size.split("x"))
    count = options.sites or min(width * height // 500, 10_000)
    stiffness = thiessen.material_map((height, width), name, seed=3)
    peers = {peer.name: peer for peer in peers_of(stiffness, sorted({1, options.threads}))}
    drawn, remarks = {}, {}

    def make(number):
        sites = drawn["sites"] = sites_on(stiffness, count, number)
        return {who: partial(peer.run, peer.prepare(sites)) for who, peer in peers.items()}

    def errors(answers):
        for who, found in answers.items():
            if not peers[who].exact and who not in remarks:
                remarks[who] = error_of(peers[who], drawn["sites"], peers[who].costs(found))
        return remarks

    return harness.Case(f"{name}, {size}, {count:,} sites", make, errors)


@harness.program(
    __doc__,
    "dijkstra3d",
    "scikit-image",
    "scipy",
    "FastGeodis",
    rounds=3,
    threads=2,
    sizes=(["500x200", "1024x1024", "2048x2048"], ["100x80"]),
    maps=MAPS,
    sites=0,
)
def cases(options):
    check()
    for size in options.sizes:
        for name in options.maps:
            yield case_of(options, size, name)
