# SPDX-License-Identifier: Apache-2.0
"""What a raster larger than our machines would take on many workers: memory, bytes that travel, and time.

Each worker holds a slab of whole rows or planes, and does it in smaller slabs that fit its memory. It

  1. reads its slab and summarises it,
  2. gets the faces of all workers above and of all below, by two prefix scans that run by doubling: in the
     round of distance d it receives what the worker d places away knows,
  3. reads its slab again, and computes and writes the results.

The protocol is run, not described: `run` calls a step of a `Job` where a worker would work, and `Cluster` counts
the bytes and moves the clocks of both sides. `Paper` knows sizes alone, for rasters of any extents. `Trial` works on
a small raster with the functions of thiessen.slabs, and is there to show that the protocol gives the bits of one
call; bench/test_bench.py runs both. Workers compute alike, links do not disturb each other, nothing fails: so
times are lower bounds for rates that were measured on one machine.

    python -m bench.cluster [--extents 1000000x1000000] [--workers 64] [--memory 64e9] [--cells 35e6] ...
"""

import argparse
import json
import math
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Rates:
    """What one worker does in a second."""

    cells: float = 69.5e6  # from file to file, both passes: 65,536 x 65,536 in 61.8 s on two cores
    join: float = 300e6  # columns of two faces, by the speed of memory
    network: float = 1.25e9  # bytes in one direction: 10 Gbit
    latency: float = 20e-6  # seconds a message


@dataclass
class Cluster:
    """Clocks and counters of all workers."""

    workers: int
    rates: Rates
    clocks: list = field(init=False)
    faces: list = field(init=False)
    bytes: list = field(init=False)

    def __post_init__(self):
        self.clocks = [0.0] * self.workers
        self.faces = [0] * self.workers
        self.bytes = [0] * self.workers

    def work(self, rank, seconds):
        self.clocks[rank] += seconds

    def round_of_messages(self, sizes):
        """Worker r receives sizes[r] = (sender, bytes); all messages of the round travel at once."""
        before = list(self.clocks)
        for rank, (sender, size) in sizes.items():
            ready = max(before[rank], before[sender])
            self.clocks[rank] = ready + self.rates.latency + size / self.rates.network
            self.faces[rank] += 1
            self.bytes[rank] += size


def scan(cluster, job, known, way):
    """What the workers before each one know, joined (way = 1), or those behind it (way = -1)."""
    workers = cluster.workers
    found = [None] * workers
    known = list(known)
    distance = 1
    while distance < workers:
        senders = {
            rank: rank - way * distance
            for rank in range(workers)
            if 0 <= rank - way * distance < workers
        }
        cluster.round_of_messages(
            {rank: (sender, job.face_bytes) for rank, sender in senders.items()}
        )
        sent = list(known)
        for rank, sender in senders.items():
            join = job.join if way == 1 else lambda other, own: job.join(own, other)
            found[rank] = sent[sender] if found[rank] is None else join(sent[sender], found[rank])
            known[rank] = join(sent[sender], known[rank])
            cluster.work(rank, 2 * job.columns / cluster.rates.join)
        distance *= 2
    return found


def run(cluster, job):
    own = []
    for rank in range(cluster.workers):
        own.append(job.summarise(rank))
    above = scan(cluster, job, own, 1)
    below = scan(cluster, job, own, -1)
    for rank in range(cluster.workers):
        job.finish(rank, above[rank], below[rank])
        cluster.work(rank, job.cells(rank) / cluster.rates.cells)


def shares(rows, workers):
    """First rows of the slabs of all workers, and the end of the last one."""
    return [rows * rank // workers for rank in range(workers + 1)]


class Paper:
    """Sizes alone."""

    def __init__(self, extents, workers, *, label_bytes=4):
        self.firsts = shares(extents[0], workers)
        self.columns = math.prod(extents[1:])
        self.face_bytes = self.columns * (4 + label_bytes)

    def cells(self, rank):
        return (self.firsts[rank + 1] - self.firsts[rank]) * self.columns

    def summarise(self, rank):
        return range(rank, rank + 1)

    def join(self, upper, lower):
        if upper.stop != lower.start:
            raise ValueError(f"{upper} and {lower} do not lie side by side")
        return range(upper.start, lower.stop)

    def finish(self, rank, above, below):
        """Each worker must know of all others."""
        workers = len(self.firsts) - 1
        if (above or range(0)) != range(rank) or (below or range(0)) != range(rank + 1, workers):
            raise ValueError(f"worker {rank} knows of {above} and {below}")


class Trial:
    """A small raster, with slabs in slabs of at most `rows` rows."""

    def __init__(self, sites, workers, *, rows, outputs=("labels", "distance")):
        from thiessen import slabs

        self.slabs = slabs
        self.sites = sites
        self.rows = rows
        self.outputs = outputs
        self.firsts = shares(len(sites), workers)
        self.columns = math.prod(sites.shape[1:])
        self.none = self._summarise(0, 0)
        self.face_bytes = len(self._summarise(0, len(sites))) // 2
        self.results = {}

    def cells(self, rank):
        return (self.firsts[rank + 1] - self.firsts[rank]) * self.columns

    def summarise(self, rank):
        joined = self.none
        for first, end in self._parts(rank):
            joined = self.join(joined, self._summarise(first, end))
        return joined

    def join(self, upper, lower):
        return self.slabs.join(upper, lower)

    def finish(self, rank, above, below):
        own = [self._summarise(first, end) for first, end in self._parts(rank)]
        lower = [self.none if below is None else below]
        for summary in reversed(own):
            lower.append(self.join(summary, lower[-1]))
        above = self.none if above is None else above
        shape = self.sites.shape
        for part, ((first, end), summary) in enumerate(zip(self._parts(rank), own)):
            beside = self.slabs.combine([above, summary, lower[-2 - part]], shape=shape)[1]
            self.results[first] = self.slabs.finish(
                self.sites[first:end], beside, shape=shape, first=first, outputs=self.outputs
            )
            above = self.join(above, summary)

    def result(self, name):
        import numpy as np

        return np.concatenate(
            [getattr(self.results[first], name) for first in sorted(self.results)]
        )

    def _parts(self, rank):
        end = self.firsts[rank + 1]
        return [(at, min(at + self.rows, end)) for at in range(self.firsts[rank], end, self.rows)]

    def _summarise(self, first, end):
        return self.slabs.summarise(self.sites[first:end], shape=self.sites.shape, first=first)


def rows_within(memory, rows, columns, cell_bytes, face_bytes):
    """The most rows of a slab in which a worker of `rows` rows can do its own, and its peak in bytes.

    It keeps one face for each of these slabs, and some that are combined at once.
    """
    combined = 6

    def peak(height):
        return columns * height * cell_bytes + (math.ceil(rows / height) + combined) * face_bytes

    fits = [height for height in range(1, rows + 1) if peak(height) <= memory]
    return (fits[-1], peak(fits[-1])) if fits else (0, peak(1))


def estimate(extents, workers, rates, memory, cell_bytes=40):
    """What a raster takes: a dict of plain numbers."""
    job = Paper(extents, workers)
    cluster = Cluster(workers, rates)
    run(cluster, job)
    most = max(b - a for a, b in zip(job.firsts, job.firsts[1:]))
    height, peak = rows_within(memory, most, job.columns, cell_bytes, job.face_bytes)
    own = most * job.columns
    computing = own / rates.cells
    return {
        "workers": workers,
        "rows of a worker": most,
        "rows at a time": height,
        "memory of a worker, GB": round(peak / 1e9, 1),
        "face, GB": job.face_bytes / 1e9,
        "faces received by a worker": max(cluster.faces),
        "GB received by a worker": round(max(cluster.bytes) / 1e9, 2),
        "GB received by all": round(sum(cluster.bytes) / 1e9, 1),
        "seconds": round(max(cluster.clocks), 1),
        "share of computing": round(computing / max(cluster.clocks), 3),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--extents", default="1000000x1000000", help="planes x rows x columns")
    parser.add_argument("--workers", type=int, nargs="+", default=[64])
    parser.add_argument("--memory", type=float, default=64e9, help="bytes of a worker")
    for name, value in asdict(Rates()).items():
        parser.add_argument(f"--{name}", type=float, default=value)
    arguments = parser.parse_args()
    extents = tuple(int(part) for part in arguments.extents.split("x"))
    rates = Rates(**{name: getattr(arguments, name) for name in asdict(Rates())})
    for workers in arguments.workers:
        print(json.dumps(estimate(extents, workers, rates, arguments.memory)))


if __name__ == "__main__":
    main()
