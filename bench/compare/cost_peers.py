# SPDX-License-Identifier: Apache-2.0
"""The libraries that compute cost distance in cost.py, each by its own API.

A peer is made of a map of stiffness. `prepare(sites)` brings sites into its own form, `run(prepared)` is what is
timed, `costs(found)` are the costs that this found, `step()` what a step from p to q costs by its rule.
"""

import importlib.util
import itertools
import math
import pathlib
import shutil
import tempfile

import numpy as np
import thiessen

from ..harness import Told
from .grass import Grass


def to_costs(stiffness, dtype):
    """1 / W, and inf for barriers."""
    with np.errstate(divide="ignore"):
        return 1 / stiffness.astype(dtype)


class Peer:
    has_barriers = True
    exact = True

    def prepare(self, sites):
        return sites

    def costs(self, found):
        return found


class Thiessen(Peer):
    def __init__(self, stiffness, threads):
        self.name = f"thiessen, {threads} thread{'s' if threads > 1 else ''}"
        self.stiffness, self.threads = stiffness, threads
        self.out = {
            "labels": np.empty(stiffness.shape, np.int32),
            "distance": np.empty(stiffness.shape, np.float32),
        }

    def run(self, sites):
        thiessen.cost_distance(sites, stiffness=self.stiffness, out=self.out, threads=self.threads)
        return self.out["distance"]

    @staticmethod
    def step(stiffness, p, q, length):
        return 2 * length / (stiffness[p] + stiffness[q])


class Dijkstra3d(Peer):
    name = "dijkstra3d"

    def __init__(self, stiffness):
        self.field = np.ascontiguousarray(to_costs(stiffness, np.float32))

    def run(self, sites):
        import dijkstra3d

        places = np.argwhere(sites).astype(np.uint32)
        return dijkstra3d.distance_field(self.field, places, connectivity=8)

    @staticmethod
    def step(stiffness, p, q, length):
        return 1 / stiffness[q]


class ScikitImage(Peer):
    name = "scikit-image"

    def __init__(self, stiffness):
        self.field = to_costs(stiffness, np.float64)

    def run(self, sites):
        from skimage.graph import MCP_Geometric

        return MCP_Geometric(self.field).find_costs(np.argwhere(sites))[0]

    @staticmethod
    def step(stiffness, p, q, length):
        return length * (1 / stiffness[p] + 1 / stiffness[q]) / 2


class SciPy(Peer):
    """Any rule: `weigh(here, there, length)` is a function of the values of many cells and their neighbours."""

    name = "SciPy"

    def __init__(self, stiffness, weigh=lambda here, there, length: 2 * length / (here + there)):
        from scipy.sparse import csr_array

        cells = stiffness.astype(np.float64)
        index = np.arange(cells.size).reshape(cells.shape)
        rows, columns, weights = [], [], []
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
            here = (slice(0, cells.shape[0] - dy), slice(max(-dx, 0), cells.shape[1] - max(dx, 0)))
            there = (slice(dy, None), slice(max(dx, 0), cells.shape[1] + min(dx, 0)))
            open_ = (cells[here] > 0) & (cells[there] > 0)
            weight = weigh(cells[here][open_], cells[there][open_], math.hypot(dy, dx))
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


class FastGeodis(Peer):
    """Not exact: sweeps over the raster, twice by default. It has no barriers; a wall is one more intensity."""

    name = "FastGeodis"
    exact = False
    has_barriers = False
    GRADIENT = 0.5
    """Its lambda: the share of the difference of intensities in the cost of a step."""

    def __init__(self, stiffness, sweeps=2):
        import torch

        torch.set_num_threads(1)
        self.stiffness, self.sweeps = stiffness, sweeps
        self.image = torch.from_numpy(stiffness[None, None].astype(np.float32))

    def prepare(self, sites):
        import torch

        return torch.from_numpy((sites == 0).astype(np.float32)[None, None])

    def run(self, mask):
        from FastGeodis import generalised_geodesic2d

        return generalised_geodesic2d(self.image, mask, 1e10, self.GRADIENT, self.sweeps)

    def costs(self, found):
        return found.numpy()[0, 0]

    @classmethod
    def step(cls, stiffness, p, q, length):
        return (1 - cls.GRADIENT) * length + cls.GRADIENT * abs(stiffness[p] - stiffness[q])

    def exact_costs(self, sites):
        """The answer that it approaches, by SciPy, where zero is no barrier."""
        graph = SciPy(
            self.stiffness.astype(float) + 1,
            lambda here, there, length: (
                (1 - self.GRADIENT) * length + self.GRADIENT * abs(here - there)
            ),
        )
        return graph.run(sites)


class GrassCost(Peer):
    """The module r.cost, one process a call, with costs and the nearest sites for outputs. What is timed is the whole
    process, which reads and writes rasters of GRASS's own format; bringing them into that is not."""

    name = "GRASS r.cost"
    MEMORY = 4000
    """What the module may take, in MB: 8192 x 8192 cells want more, and use a file then."""

    def __init__(self, stiffness):
        self.folder = tempfile.TemporaryDirectory(prefix="thiessen-grass-")
        self.grass = Grass(pathlib.Path(self.folder.name), stiffness.shape)
        field = to_costs(stiffness, np.float32)
        field[np.isinf(field)] = -1  # null, which is a barrier
        self.grass.bring("costs", field, null=-1)

    def prepare(self, sites):
        self.grass.bring("sites", sites.astype(np.int32), null=0)

    def run(self, _):
        module = "r.cost input=costs start_raster=sites output=found nearest=labels"
        return Told(None, self.grass.seconds_of(f"{module} memory={self.MEMORY}"))

    def costs(self, _):
        return self.grass.costs("found")

    step = staticmethod(ScikitImage.step)


PEERS = (
    (Dijkstra3d, lambda: has("dijkstra3d"), 1 << 40),
    (ScikitImage, lambda: has("skimage"), 1 << 21),
    (SciPy, lambda: has("scipy"), 1 << 20),
    (GrassCost, lambda: shutil.which("grass") is not None, 1 << 24),
    (FastGeodis, lambda: has("FastGeodis"), 1 << 40),
)
"""All but thiessen: whether it is there, and the most cells that it is given, lest it take minutes."""


def has(module):
    return importlib.util.find_spec(module) is not None


def peers_of(stiffness, threads):
    yield from (Thiessen(stiffness, count) for count in threads)
    for peer, is_there, most_cells in PEERS:
        if is_there() and stiffness.size <= most_cells:
            yield peer(stiffness)


def neighbours(shape, p):
    for dy, dx in itertools.product((-1, 0, 1), repeat=2):
        q = (p[0] + dy, p[1] + dx)
        if q != p and 0 <= q[0] < shape[0] and 0 <= q[1] < shape[1]:
            yield q, math.hypot(dy, dx)
