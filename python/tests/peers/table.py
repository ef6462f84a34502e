# SPDX-License-Identifier: Apache-2.0
"""Whose tests are run against our facades, and which of them cannot pass."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Peer:
    """A test module of another package, and the functions of it that ours stand in for."""

    name: str
    tests: str  # module that pytest collects, or a file of what is fetched
    keyword: str  # pytest's -k
    home: str  # module in which the tests look the functions up
    facade: str
    functions: tuple[str, ...]
    fewest: int  # tests that must pass, so that a run that collects little does not pass for one
    deselected: dict[str, str] = field(default_factory=dict)  # name of a test: why
    fetched: str = ""  # what to fetch for the tests, where the installed package is without
    from_source: bool = False  # whether that is a source distribution
    by_hand: str = ""  # why continuous integration does not run it
    python: tuple[int, int] = (3, 10)  # the oldest version of Python that it takes
    adapt: str = ""  # function of swap.py that turns the arguments of a call into what we take
    stand_in: bool = False  # whether NumPy stands in for CuPy where that is not installed


UNEVEN = "uneven coordinates, which are refused"

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
    Peer(
        name="edt",
        tests="edt-3.1.2/automated_test.py",
        keyword="",
        home="edt",
        facade="thiessen.compat.edt",
        functions=("each", "edt", "edtsq", "sdf"),
        fewest=83,
        fetched="edt==3.1.2",
        from_source=True,
        by_hand="its tests come with its source alone, which is not installed",
        deselected={
            "test_voxel_connectivity_graph_2d": "voxel_graph, an experiment of edt, is refused",
        },
    ),
    Peer(
        name="xarray-spatial",
        tests="xrspatial.tests.test_proximity",
        keyword="",
        home="xrspatial",
        facade="thiessen.compat.xrspatial",
        functions=("allocation", "direction", "proximity"),
        fewest=400,
        by_hand="needs another Python than the tests of the package",
        python=(3, 12),
        adapt="degrees_as_metres",
        deselected={
            "test_bounded_dask_does_not_mutate_input": UNEVEN,
            "test_bounded_dask_irregular_coords_matches_numpy": UNEVEN,
            "test_float32_ulp_max_distance_backends_keep_target": UNEVEN,
            "test_float32_ulp_max_distance_just_below_excludes": UNEVEN,
            "test_tie_break_float32_beats_float64_proxy": UNEVEN,
            "test_default_direction_against_allocation": "its own arctangent to 1e-7 of the angle; "
            "ours, the same on every machine, is within 5e-5 degrees",
            "test_nonmonotonic_coords_raise": "the text of an error; ours names steps that differ",
            "test_wrong_dim_order_raises": "the text of an error; ours names the dimensions",
            "test_empty_raster_raises": "a raster without cells has an empty result",
            "test_great_circle_dask_unbounded_memory_guard": "patches the size of the memory",
            "test_no_scipy_dask_unbounded_memory_guard": "patches the size of the memory",
            "test_proximity_dask_kdtree_tiled_warns": "a warning of its k-d tree, which we have not",
            "test_proximity_numpy_no_scipy_fallback_is_exact": "a warning for want of SciPy, which "
            "we do without",
            "test_docstring_states_all_backends": "the text of its documentation",
            "test_return_annotation_consistency": "types of results in its source",
        },
    ),
    Peer(
        name="cucim",
        tests="cucim/core/operations/morphology/tests/test_distance_transform.py",
        keyword="",
        home="cucim.core.operations.morphology",
        facade="thiessen.compat.cucim",
        functions=("distance_transform_edt",),
        fewest=743,
        fetched="cucim-cu12==26.10.0",
        by_hand="the wheel that holds its tests is large",
        stand_in=True,
        deselected={
            "test_distance_transform_edt_block_params_invalid": "block_params has no effect here",
        },
    ),
    Peer(
        name="cupy",
        tests="cupy-14.2.0/tests/cupyx_tests/scipy_tests/ndimage_tests/test_distance_transform.py",
        keyword="",
        home="cupyx.scipy.ndimage",
        facade="thiessen.compat.cupy",
        functions=("distance_transform_edt",),
        fewest=839,
        fetched="cupy==14.2.0",
        from_source=True,
        by_hand="its tests come with its source alone, which is not installed",
        stand_in=True,
        deselected={
            "test_distance_transform_edt_block_params_invalid": "block_params has no effect here",
        },
    ),
)
