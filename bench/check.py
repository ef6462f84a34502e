# SPDX-License-Identifier: Apache-2.0
"""Checks an answer: compares every cell with the exact squared distance.

Answers are what peers give: "distance", "labels" (see cases.py), "indices" (an array of coordinates for each
axis). Ties make no difference here: a site is right if it is as near as the nearest one, which is decided in
integers. A distance is right if it is that of the exact squared distance but for the rounding of float32.
"""

from dataclasses import dataclass

import numpy as np

CHUNK = 1 << 20  # cells at a time, by and large
ALL = 1 << 26  # larger rasters than this are checked in every second chunk, or fourth, ...
TWO_STEPS = 2.0**-22  # of float32, relative: one for the square, one for its root
NO_SITE = np.iinfo(np.int64).max


@dataclass
class Verdict:
    """The verdict on one output."""

    cells: int = 0  # number of cells that were checked
    wrong: int = 0  # number of these that are wrong
    worst: float = 0.0  # the greatest error of a distance, in cells
    closer: int = 0  # cells with a real site nearer than the exact distance: then we are wrong


def check(answer, sites, squared):
    """A verdict on each output of an answer; squared has the exact squared distances of the sites."""
    verdicts = {name: Verdict() for name in answer}
    places = places_of_sites(sites) if "labels" in answer else None
    for part in chunks(sites)[:: max(1, sites.size // ALL)]:
        exact = squared[part]
        for name, array in answer.items():
            if name == "distance":
                found, wrong = array[part], wrong_distances(array[part], exact)
            else:
                there = array[(slice(None), part)] if name == "indices" else array[part]
                pick = checked_indices if name == "indices" else places_of_labels
                found = squared_to(*pick(there, places, sites), part, sites.shape)
                wrong = found != exact
                verdicts[name].closer += int(np.count_nonzero(found < exact))
                found = np.where(found[wrong] == NO_SITE, np.inf, np.sqrt(found[wrong]))
            verdicts[name].cells += exact.size
            add(verdicts[name], found[wrong] if name == "distance" else found, exact[wrong])
    return verdicts


def chunks(sites):
    """Slices of whole rows (planes)."""
    rows = max(1, CHUNK // sites[0].size)
    return [slice(first, first + rows) for first in range(0, len(sites), rows)]


def add(verdict, found, exact):
    """Puts wrong distances on record."""
    verdict.wrong += found.size
    if found.size:
        errors = np.abs(found.astype(np.float64) - np.sqrt(exact))
        verdict.worst = max(
            verdict.worst, float(np.nan_to_num(errors, nan=np.inf, posinf=np.inf).max())
        )


def wrong_distances(distance, exact):
    """Sites may have a negative distance, which signed transforms give them."""
    root = np.sqrt(exact, dtype=np.float64)
    right = np.abs(distance - root) <= root * TWO_STEPS
    return ~(right | ((exact == 0) & (distance < 0)))


def places_of_sites(sites):
    """For each axis the coordinates of the sites, by label."""
    parts = [np.nonzero(sites[part]) for part in chunks(sites)]
    for part, found in zip(chunks(sites), parts):
        found[0][...] += part.start
    return [np.concatenate(axis).astype(np.int32) for axis in zip(*parts)]


def places_of_labels(labels, places, _):
    """For each axis the coordinates, and where labels are those of sites."""
    known = (labels >= 1) & (labels <= places[0].size)
    return [axis.take(labels - 1, mode="clip") for axis in places], known


def checked_indices(indices, _, sites):
    """For each axis the coordinates, and where there is a site."""
    cells = np.ravel_multi_index(tuple(indices), sites.shape, mode="clip")
    inside = [(axis >= 0) & (axis < size) for axis, size in zip(indices, sites.shape)]
    return indices, np.all(inside, axis=0) & (sites.take(cells) != 0)


def squared_to(places, known, part, shape):
    """Squared distances from the cells of a chunk to these places."""
    here = np.ogrid[
        (slice(part.start, part.start + len(known)), *(slice(size) for size in shape[1:]))
    ]
    squared = sum(np.square(there - at, dtype=np.int64) for there, at in zip(places, here))
    squared[~known] = NO_SITE
    return squared
