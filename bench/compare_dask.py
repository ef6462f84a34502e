#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Zarr in, Zarr out by Dask, against one process that reads all, computes in slabs and writes all.

Sites are every 1000th cell at random, uint8. Workers are processes with one thread and a limit of memory each;
the one process has as many threads. Both write labels and distances with the same chunks, and their cells are
compared. Times are of one run each, of the wall; the files lie in a folder of their own, in the page cache where
that is large enough.

    build/venv/bin/python -m bench.compare_dask [--size 512] [--chunk 128] [--workers 2] [--memory 2GB] [--folder DIR]
"""

import argparse
import itertools
import json
import os
import tempfile
import time
from pathlib import Path

import dask.array as da
import distributed
import numpy as np
import thiessen
import zarr
from thiessen import slabs

OUTPUTS = ("labels", "distance")


def draw(block_info=None):
    """One chunk of the sites."""
    place = block_info[None]
    random = np.random.default_rng(place["chunk-location"])
    cells = np.zeros(place["chunk-shape"], np.uint8)
    count = cells.size // 1000
    cells.reshape(-1)[random.integers(0, cells.size, count)] = random.integers(1, 256, count)
    return cells


def create(path, shape, chunks, dtype):
    return zarr.create_array(str(path), shape=shape, chunks=chunks, dtype=dtype)


def lazy_results(path):
    return thiessen.nearest_site(da.from_zarr(str(path)), outputs=OUTPUTS)


def by_dask(path, create_stores, workers, memory):
    """Seconds, and the greatest memory of a worker in bytes."""
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, memory_limit=memory, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(lambda: thiessen.devices())  # imports what the workers need
        start = time.perf_counter()
        found = lazy_results(path)
        da.store(list(found), create_stores("dask"), lock=False)
        seconds = time.perf_counter() - start
        return seconds, max(client.run(greatest_memory).values())


def greatest_memory():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def by_one_process(path, stores, heights, threads):
    """Seconds of reading, of the slabs and of writing."""
    times = [time.perf_counter()]
    sites = zarr.open_array(str(path), mode="r")[...]
    times.append(time.perf_counter())
    results = dict(zip(OUTPUTS, (np.empty(sites.shape, array.dtype) for array in stores)))
    firsts = np.cumsum([0, *heights]).tolist()
    parts = list(itertools.pairwise(firsts))
    options = {"shape": sites.shape, "threads": threads}
    summaries = [slabs.summarise(sites[a:b], first=a, **options) for a, b in parts]
    neighbours = slabs.combine(summaries, shape=sites.shape)
    for (a, b), beside in zip(parts, neighbours):
        out = {name: array[a:b] for name, array in results.items()}
        slabs.finish(sites[a:b], beside, first=a, outputs=OUTPUTS, out=out, **options)
    times.append(time.perf_counter())
    for store, array in zip(stores, results.values()):
        store[...] = array
    times.append(time.perf_counter())
    return np.diff(times).tolist()


def are_equal(stores, others, heights):
    firsts = np.cumsum([0, *heights]).tolist()
    return all(
        np.array_equal(a[i:j], b[i:j])
        for a, b in zip(stores, others)
        for i, j in itertools.pairwise(firsts)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--chunk", type=int, default=128)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--folder", default=None)
    arguments = parser.parse_args()
    shape, chunks = (arguments.size,) * 3, (arguments.chunk,) * 3
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        folder = Path(folder)
        da.map_blocks(
            draw, chunks=da.core.normalize_chunks(chunks, shape), dtype=np.uint8, meta=np.empty((0,) * 3, np.uint8)
        ).to_zarr(str(folder / "sites"))  # fmt: skip
        found = lazy_results(folder / "sites")
        heights = found.labels.chunks[0]

        def stores(name):
            rows = (heights[0], *chunks[1:])
            dtypes = [array.dtype for array in found]
            return [
                create(folder / f"{name}-{i}", shape, rows, dtype) for i, dtype in enumerate(dtypes)
            ]

        seconds, memory = by_dask(folder / "sites", stores, arguments.workers, arguments.memory)
        own = stores("one")
        parts = by_one_process(folder / "sites", own, heights, arguments.workers)
        dask_stores = [zarr.open_array(str(folder / f"dask-{i}"), mode="r") for i in range(2)]
        equal = are_equal(dask_stores, own, heights)
    print(
        json.dumps(
            {
                "thiessen": thiessen.__version__,
                "cells": shape,
                "slabs": len(heights),
                "rows of a slab": heights[0],
                "workers": arguments.workers,
                "memory limit": arguments.memory,
                "equal": equal,
                "seconds by Dask": round(seconds, 2),
                "greatest memory of a worker, MB": round(memory / 1e6),
                "seconds of one process: reading, slabs, writing": [
                    round(part, 2) for part in parts
                ],
                "ratio": round(seconds / sum(parts), 2),
                "processors": len(os.sched_getaffinity(0)),
            },
            indent=1,
        )
    )
    if not equal:
        raise SystemExit("compare_dask: the results differ")


if __name__ == "__main__":
    main()
