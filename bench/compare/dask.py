# SPDX-License-Identifier: Apache-2.0
"""Zarr in, Zarr out by Dask, against one process that reads all, computes in slabs and writes all.

Sites are every 1000th cell at random, uint8. Workers are processes with one thread and a limit of memory each;
the one process has as many threads. Both write labels and distances with the same chunks, and their cells are
compared. The files lie in a folder of their own, in the page cache where that is large enough.

    build/venv/bin/python -m bench.compare.dask [--size 512] [--chunk 128] [--workers 2] [--memory 2GB] [--folder DIR]
"""

import itertools
import time
from pathlib import Path

import dask.array as da
import distributed
import numpy as np
import thiessen
import zarr
from thiessen import slabs

from .. import harness

OUTPUTS = ("labels", "distance")


def draw(number, block_info=None):
    """One chunk of the sites of a round."""
    place = block_info[None]
    random = np.random.default_rng([number, *place["chunk-location"]])
    cells = np.zeros(place["chunk-shape"], np.uint8)
    count = cells.size // 1000
    cells.reshape(-1)[random.integers(0, cells.size, count)] = random.integers(1, 256, count)
    return cells


def write_sites(path, options, number):
    chunks = da.core.normalize_chunks((options.chunk,) * 3, (options.size,) * 3)
    like = {"dtype": np.uint8, "meta": np.empty((0,) * 3, np.uint8)}
    da.map_blocks(draw, number, chunks=chunks, **like).to_zarr(str(path), overwrite=True)


def lazy_results(path):
    return thiessen.nearest_site(da.from_zarr(str(path)), outputs=OUTPUTS)


def stores(folder, found, options):
    """A store for each result, with the same chunks."""
    shape, chunks = (options.size,) * 3, (found[0].chunks[0][0], options.chunk, options.chunk)
    return [
        zarr.create_array(
            str(folder / f"{i}"), shape=shape, chunks=chunks, dtype=each.dtype, overwrite=True
        )
        for i, each in enumerate(found)
    ]


def by_dask(path, written, options):
    with (
        distributed.LocalCluster(
            n_workers=options.workers,
            threads_per_worker=1,
            memory_limit=options.memory,
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(lambda: thiessen.devices())  # imports what the workers need
        start = time.perf_counter()
        da.store(list(lazy_results(path)), written, lock=False)
        seconds = time.perf_counter() - start
        peak = max(client.run(greatest_memory).values())
    return harness.Told(written, seconds, {"greatest memory of a worker, MB": peak / 1e6})


def greatest_memory():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def by_one_process(path, written, heights, threads):
    """The time without that of reading and writing is a figure of its own."""
    sites = zarr.open_array(str(path), mode="r")[...]
    start = time.perf_counter()
    results = {name: np.empty(sites.shape, each.dtype) for name, each in zip(OUTPUTS, written)}
    parts = parts_of(heights)
    options = {"shape": sites.shape, "threads": threads}
    summaries = [slabs.summarise(sites[a:b], first=a, **options) for a, b in parts]
    neighbours = slabs.combine(summaries, shape=sites.shape)
    for (a, b), beside in zip(parts, neighbours):
        out = {name: array[a:b] for name, array in results.items()}
        slabs.finish(sites[a:b], beside, first=a, outputs=OUTPUTS, out=out, **options)
    seconds = time.perf_counter() - start
    for store, array in zip(written, results.values()):
        store[...] = array
    return harness.Told(written, figures={"slabs alone, s": seconds})


def parts_of(heights):
    return list(itertools.pairwise(np.cumsum([0, *heights]).tolist()))


@harness.program(
    __doc__,
    "dask",
    "distributed",
    "zarr",
    rounds=1,
    size=(512, 64),
    chunk=(128, 32),
    workers=2,
    memory="2GB",
)
def cases(options):
    path = options.folder / "sites"
    heights = []

    def make(number):
        write_sites(path, options, number)
        found = lazy_results(path)
        heights[:] = found[0].chunks[0]
        ours, theirs = (stores(options.folder / who, found, options) for who in ("one", "dask"))
        return {
            "one process": lambda: by_one_process(path, ours, heights, options.workers),
            f"Dask, {options.workers} workers": lambda: by_dask(path, theirs, options),
        }

    def check(answers):
        for a, b in parts_of(heights):
            harness.equal({who: [each[a:b] for each in of] for who, of in answers.items()})

    yield harness.Case(f"{options.size} cubed", make, check, options.size**3)
