# SPDX-License-Identifier: Apache-2.0
"""Whose tests are run against our facades, and which of them cannot pass."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    """A test module of another package, and the functions of it that ours stand in for."""

    name: str
    tests: str  # module that pytest collects
    keyword: str  # pytest's -k
    home: str  # module in which the tests look the functions up
    facade: str
    functions: tuple[str, ...]
    fewest: int  # tests that must pass, so that a run that collects little does not pass for one
    deselected: dict[str, str] = field(default_factory=dict)  # name of a test: why


PEERS = (
    Peer(
        name="scipy",
        tests="scipy.ndimage.tests.test_morphology",
        keyword="distance_transform",
        home="scipy.ndimage",
        facade="thiessen.compat.scipy",
        functions=("distance_transform_bf", "distance_transform_cdt", "distance_transform_edt"),
        fewest=135,
        deselected={
            "test_distance_transform_cdt05": "a mask of float64 ones is read byte by byte, so that "
            "four zero bytes count and nothing is reached; we take every cell that is not zero",
        },
    ),
    Peer(
        name="scikit-image",
        tests="skimage.segmentation.tests.test_expand_labels",
        keyword="",
        home="skimage.segmentation._expand_labels",
        facade="thiessen.compat.skimage",
        functions=("expand_labels",),
        fewest=20,
    ),
)
