# SPDX-License-Identifier: Apache-2.0
"""What blocked faces take: ratios to the same call without them.

Least cost from 200 cells on a map of random costs, with 4, 8 and 16 neighbours, and in a body with 26.
One face is blocked, so that ways stay as they are and only the work grows; or the lines of a grid of walls
with gaps. Calls write into arrays that are there already. Time of the processor on one thread.

    build/bench-venv/bin/python -m bench.compare.cuts [--rounds 5] [--size 1024]
"""

from functools import partial

import numpy as np
import thiessen

from .. import harness

OUTPUTS = ("labels", "distance")
ROOM = 32
"""Cells from wall to wall."""


def one_face(shape):
    faces = np.zeros(shape, np.uint8)
    faces[tuple(each // 2 for each in shape)] = 1
    return faces


def rooms(shape):
    """Walls along all axes; one cell in a room has no face of them, the door."""
    faces = np.zeros(shape, np.uint8)
    for axis in range(len(shape)):
        along = np.moveaxis(faces, axis, 0)
        along[ROOM - 1 :: ROOM] |= 1 << (len(shape) - 1 - axis)
        along[ROOM - 1 :: ROOM, ROOM // 2 :: ROOM] = 0
    return faces


def case_of(size, neighbours):
    shape = (size, size) if neighbours <= 16 else (round(size ** (2 / 3)),) * 3
    cuts = {
        "without": None,
        "one face": one_face(shape),
        "rooms": rooms(shape),
    }
    outs = {
        who: {"labels": np.zeros(shape, "i4"), "distance": np.zeros(shape, "f4")} for who in cuts
    }

    def make(number):
        rng = np.random.default_rng(number)
        sites = thiessen.random_sites(shape, 200, seed=number)
        cost = rng.random(shape, np.float32) + np.float32(0.1)

        def run(who):
            thiessen.cost_distance(
                sites, cost=cost, blocked_faces=cuts[who], connectivity=neighbours, out=outs[who]
            )
            return [outs[who][each] for each in OUTPUTS]

        return {who: partial(run, who) for who in cuts}

    def check(answers):
        """One face changes few cells; rooms change most of them."""
        assert np.mean(answers["without"][0] != answers["one face"][0]) < 0.01

    return harness.Case(f"{neighbours} neighbours", make, check)


@harness.program(__doc__, timer=harness.processor, size=(1024, 64), threads=1)
def cases(options):
    for neighbours in (4, 8, 16, 26):
        yield case_of(options.size, neighbours)
