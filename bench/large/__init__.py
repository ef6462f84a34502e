# SPDX-License-Identifier: Apache-2.0
"""The command on rasters that take much memory: time, and the peak of memory."""

import multiprocessing
import os


def make_once(make, path, *arguments):
    """A file that is kept between runs, in a process of its own: what a child takes begins with the memory of its
    parent."""
    if path.exists():
        return
    part = path.with_name(f"part-{path.name}")
    maker = multiprocessing.Process(target=make, args=(str(part), *arguments))
    maker.start()
    maker.join()
    if maker.exitcode != 0:
        raise SystemExit(f"failed: {path}")
    os.rename(part, path)
