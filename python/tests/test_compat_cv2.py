# SPDX-License-Identifier: Apache-2.0
"""thiessen.compat.cv2, against brute force and against OpenCV where that is right."""

import numpy as np
import pytest
from thiessen.compat import cv2 as ours

METRICS = (ours.DIST_L1, ours.DIST_L2, ours.DIST_C)
MASKS = (ours.DIST_MASK_PRECISE, ours.DIST_MASK_3, ours.DIST_MASK_5)
LABEL_TYPES = (ours.DIST_LABEL_CCOMP, ours.DIST_LABEL_PIXEL)


def rasters(count, largest=24):
    rng = np.random.default_rng(4)
    for _ in range(count):
        shape = rng.integers(1, largest, 2)
        image = (rng.random(shape) < rng.choice([0.3, 0.6, 0.9, 0.98])).astype(np.uint8)
        image.flat[rng.integers(image.size)] = 0
        yield image * np.uint8(rng.integers(1, 256))


def measured(metric, rows, columns):
    rows, columns = np.abs(rows), np.abs(columns)
    if metric == ours.DIST_L2:
        return rows * rows + columns * columns
    return rows + columns if metric == ours.DIST_L1 else np.maximum(rows, columns)


def nearest_zero(image, metric):
    """Exact distance (squared for L2) and position in the list of zero cells, by brute force."""
    y, x = np.nonzero(image == 0)
    rows, columns = np.indices(image.shape)
    every = measured(metric, rows[..., None] - y, columns[..., None] - x)
    return every.min(-1), every.argmin(-1)  # argmin is the first of equals


@pytest.mark.parametrize("metric", METRICS)
def test_distances_and_labels_are_those_of_brute_force(metric):
    for image in rasters(60):
        distance, nearest = nearest_zero(image, metric)
        wanted = np.sqrt(distance) if metric == ours.DIST_L2 else distance
        dst, labels = ours.distanceTransformWithLabels(
            image, metric, 5, labelType=ours.DIST_LABEL_PIXEL
        )
        np.testing.assert_array_equal(dst, wanted.astype(np.float32))
        np.testing.assert_array_equal(labels, nearest + 1)
        assert dst.dtype == np.float32 and labels.dtype == np.int32
        np.testing.assert_array_equal(ours.distanceTransform(image, metric, 3), dst)


@pytest.mark.parametrize("metric", METRICS)
def test_an_area_label_is_that_of_the_nearest_cell(metric):
    for image in rasters(60):
        cell = ours.distanceTransformWithLabels(image, metric, 5, labelType=ours.DIST_LABEL_PIXEL)[
            1
        ]
        dst, area = ours.distanceTransformWithLabels(image, metric, 5)
        area_of_cell = np.concatenate([[0], area[image == 0]])
        np.testing.assert_array_equal(area, area_of_cell[cell])
        np.testing.assert_array_equal(dst, ours.distanceTransform(image, metric, 0))


def test_areas_are_connected_by_corners():
    image = np.array([[0, 1, 0, 1, 1], [1, 0, 1, 1, 1], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0]], np.uint8)
    labels = ours.distanceTransformWithLabels(image, ours.DIST_L2, 5)[1]
    assert labels[image == 0].tolist() == [1, 1, 1, 2, 2, 3, 2]


@pytest.mark.parametrize("mask", MASKS)
def test_the_mask_changes_nothing(mask):
    for image in rasters(5):
        for found, wanted in zip(
            ours.distanceTransformWithLabels(image, ours.DIST_L2, mask),
            ours.distanceTransformWithLabels(image, ours.DIST_L2, 0),
            strict=True,
        ):
            np.testing.assert_array_equal(found, wanted)


def test_without_any_zero_cell():
    image = np.ones((3, 4), np.uint8)
    for metric in METRICS:
        for label_type in LABEL_TYPES:
            dst, labels = ours.distanceTransformWithLabels(image, metric, 5, labelType=label_type)
            assert np.isposinf(dst).all() and not labels.any()
        assert np.isposinf(ours.distanceTransform(image, metric, 5)).all()
    assert (ours.distanceTransform(image, ours.DIST_L1, 3, dstType=ours.CV_8U) == 255).all()


@pytest.mark.parametrize("shape", [(0, 5), (4, 0), (0, 0), (1, 1)])
def test_small_and_empty_rasters(shape):
    image = np.zeros(shape, np.uint8)
    for label_type in LABEL_TYPES:
        dst, labels = ours.distanceTransformWithLabels(image, 2, 5, labelType=label_type)
        assert dst.shape == labels.shape == shape
        assert not dst.any() and (labels == 1).all()
    assert ours.distanceTransform(image, 1, 3, dstType=ours.CV_8U).shape == shape


def test_other_layouts_and_types():
    image = next(rasters(1))
    wanted = ours.distanceTransformWithLabels(image, 2, 5)
    spread = np.zeros((2 * image.shape[0], 3 * image.shape[1]), np.uint8)
    spread[::2, ::3] = image
    for same in (
        image != 0,
        image[:, :, None],
        np.asfortranarray(image),
        spread[::2, ::3],
        image[::-1][::-1],
    ):
        for found, right in zip(ours.distanceTransformWithLabels(same, 2, 5), wanted, strict=True):
            np.testing.assert_array_equal(found, right)
        np.testing.assert_array_equal(ours.distanceTransform(same, 2, 5), wanted[0])
    turned = ours.distanceTransform(image[::-1, ::-1], 2, 5)
    np.testing.assert_array_equal(turned[::-1, ::-1], wanted[0])


def test_bytes_stop_at_255():
    image = np.ones((1, 400), np.uint8)
    image[0, 0] = 0
    found = ours.distanceTransform(image, ours.DIST_L1, 3, dstType=ours.CV_8U)
    np.testing.assert_array_equal(found, np.minimum(np.arange(400), 255)[None])
    assert found.dtype == np.uint8


def test_outputs_that_fit_are_written():
    image = next(rasters(1))
    wanted = ours.distanceTransformWithLabels(image, 2, 5)
    shape = image.shape
    for dst in (np.empty(shape, np.float32), np.empty(shape[::-1], np.float32).T):
        labels = np.empty((2 * shape[0], shape[1]), np.int32)[::2]
        found = ours.distanceTransformWithLabels(image, 2, 5, dst, labels)
        assert found[0] is dst and found[1] is labels
        np.testing.assert_array_equal(dst, wanted[0])
        np.testing.assert_array_equal(labels, wanted[1])
    assert ours.distanceTransform(image, 2, 5, dst) is dst
    small = np.empty(shape, np.uint8)
    assert ours.distanceTransform(image, 1, 3, small, ours.CV_8U) is small


def test_outputs_that_do_not_fit_are_left_alone():
    image = np.zeros((4, 5), np.uint8)
    for dst in (np.full((4, 5), 7.0), np.full((3, 3), 7, np.float32), np.full((4, 5), 7, ">f4")):
        labels = np.full((4, 5), 7, np.int64)
        found = ours.distanceTransformWithLabels(image, 2, 5, dst, labels)
        assert found[0].dtype == np.float32 and found[1].dtype == np.int32
        assert (dst == 7).all() and (labels == 7).all()
        assert ours.distanceTransform(image, 2, 5, dst) is not dst and (dst == 7).all()


def test_an_output_may_overlap_the_source():
    for image in rasters(10):
        wanted = ours.distanceTransformWithLabels(image, 2, 5)
        for with_labels in (False, True):
            memory = np.zeros(image.shape, np.float32)
            source = memory.view(np.uint8)[:, : image.shape[1]]
            source[...] = image
            if with_labels:
                ours.distanceTransformWithLabels(source, 2, 5, memory)
            else:
                ours.distanceTransform(source, 2, 5, memory)
            np.testing.assert_array_equal(memory, wanted[0])
        same = image.copy()
        bytes_of = ours.distanceTransform(image, 1, 3, dstType=ours.CV_8U)
        np.testing.assert_array_equal(
            ours.distanceTransform(same, 1, 3, same, ours.CV_8U), bytes_of
        )


def test_outputs_must_not_overlap_each_other():
    memory = np.empty((4, 5), np.float32)
    with pytest.raises(ValueError, match="overlaps"):
        ours.distanceTransformWithLabels(
            np.eye(4, 5, dtype=np.uint8), 2, 5, memory, memory.view("i4")
        )


@pytest.mark.parametrize("call", [ours.distanceTransform, ours.distanceTransformWithLabels])
def test_bad_arguments(call):
    image = np.eye(4, 5, dtype=np.uint8)
    for dtype in ("i1", "u2", "i4", "f4", "f8", "c16", "O", "S1", "M8[s]", [("a", "u1")]):
        with pytest.raises(TypeError, match="src has the dtype"):
            call(np.zeros((4, 5), dtype), 2, 5)
    for shape in ((), (5,), (4, 5, 3), (4, 5, 0), (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="src has the shape"):
            call(np.zeros(shape, np.uint8), 2, 5)
    with pytest.raises(TypeError, match="src is the text 'image'; must be an array"):
        call("image", 2, 5)
    for source in (None, image.tolist(), 3):
        with pytest.raises(TypeError, match=r"src is a .*; must be a numpy.ndarray"):
            call(source, 2, 5)
    with pytest.raises(TypeError, match="src is a masked array"):
        call(np.ma.MaskedArray(image), 2, 5)
    for number in (-1, 0, 4, 5, 6, 7):
        with pytest.raises(ValueError, match=f"distanceType = {number}; must be one of DIST_L1"):
            call(image, number, 5)
    for number in (-1, 1, 2, 4, 7):
        with pytest.raises(ValueError, match=f"maskSize = {number}; must be one of DIST_MASK_PREC"):
            call(image, 2, number)
    for value in (2.0, "2", True, np.bool_(True), None, [2]):
        with pytest.raises(TypeError, match=r"distanceType = .*; must be an integer"):
            call(image, value, 5)
    with pytest.raises(TypeError, match=r"maskSize = 5\.0; must be an integer"):
        call(image, 2, 5.0)
    for dst in ([1], 3, np.ma.empty((4, 5), np.float32)):
        with pytest.raises(TypeError, match=r"dst is a .*; must be a numpy.ndarray"):
            call(image, 2, 5, dst)
    with pytest.raises(ValueError, match="dst is read-only"):
        call(image, 2, 5, np.broadcast_to(np.float32(0), (4, 5)))
    spread = np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (4, 5), (0, 0))
    with pytest.raises(ValueError, match="stride"):
        call(image, 2, 5, spread)


def test_an_array_on_a_gpu_is_refused_by_name():
    class OnGpu:
        __cuda_array_interface__ = ()

    for arguments in ((OnGpu(), 2, 5), (np.zeros((2, 2), np.uint8), 2, 5, OnGpu())):
        with pytest.raises(RuntimeError, match="CUDA memory"):
            ours.distanceTransform(*arguments)


def test_bad_label_and_destination_types():
    image = np.eye(4, 5, dtype=np.uint8)
    with pytest.raises(ValueError, match="labelType = 2; must be one of DIST_LABEL_CCOMP"):
        ours.distanceTransformWithLabels(image, 2, 5, labelType=2)
    with pytest.raises(TypeError, match="labels is a list"):
        ours.distanceTransformWithLabels(image, 2, 5, labels=[1])
    labels = np.empty((4, 5), np.int32)
    labels.flags.writeable = False
    with pytest.raises(ValueError, match="labels is read-only"):
        ours.distanceTransformWithLabels(image, 2, 5, labels=labels)
    with pytest.raises(ValueError, match="dstType = 6; must be one of CV_8U"):
        ours.distanceTransform(image, 1, 3, dstType=6)
    for metric in (ours.DIST_L2, ours.DIST_C):
        with pytest.raises(ValueError, match="dstType = 0; must be CV_32F"):
            ours.distanceTransform(image, metric, 3, dstType=ours.CV_8U)


def test_constants_are_those_of_opencv():
    cv2 = pytest.importorskip("cv2")
    for name in ours.__all__:
        if name.isupper():
            assert getattr(ours, name) == getattr(cv2, name), name


@pytest.mark.parametrize("label_type", LABEL_TYPES)
@pytest.mark.parametrize("metric", METRICS)
def test_opencv_labels_its_zero_cells_alike(metric, label_type):
    cv2 = pytest.importorskip("cv2")
    for image in rasters(60, largest=60):
        theirs = cv2.distanceTransformWithLabels(image, metric, 5, labelType=label_type)[1]
        found = ours.distanceTransformWithLabels(image, metric, 5, labelType=label_type)[1]
        zero = image == 0
        np.testing.assert_array_equal(found[zero], theirs[zero])


def test_opencv_measures_alike():
    cv2 = pytest.importorskip("cv2")
    for image in rasters(60, largest=60):
        for metric in (ours.DIST_L1, ours.DIST_C):
            theirs = cv2.distanceTransform(image, metric, 3)
            np.testing.assert_array_equal(ours.distanceTransform(image, metric, 3), theirs)
            found = ours.distanceTransformWithLabels(image, metric, 3)[0]
            np.testing.assert_array_equal(found, theirs)
        theirs = cv2.distanceTransform(image, ours.DIST_L2, ours.DIST_MASK_PRECISE)
        found = ours.distanceTransform(image, ours.DIST_L2, ours.DIST_MASK_PRECISE)
        np.testing.assert_allclose(found, theirs, rtol=2e-7)
        np.testing.assert_array_equal(
            ours.distanceTransform(image, ours.DIST_L1, 3, dstType=ours.CV_8U),
            cv2.distanceTransform(image, ours.DIST_L1, 3, dstType=cv2.CV_8U),
        )


def lengths_to_labels(image, labels, metric):
    """Distance from each cell to the zero cell that its label names (squared for L2)."""
    y, x = np.nonzero(image == 0)
    rows, columns = np.indices(image.shape)
    return measured(metric, rows - y[labels - 1], columns - x[labels - 1])


@pytest.mark.parametrize("metric", [ours.DIST_L1, ours.DIST_C])
def test_opencv_labels_cells_alike_but_for_ties(metric):
    """Its chamfer masks are exact for these two, so its labels can differ between equals only."""
    cv2 = pytest.importorskip("cv2")
    for image in rasters(60, largest=60):
        arguments = (image, metric, 3, None, None, ours.DIST_LABEL_PIXEL)
        theirs = cv2.distanceTransformWithLabels(*arguments)[1]
        found = ours.distanceTransformWithLabels(*arguments)[1]
        np.testing.assert_array_equal(
            lengths_to_labels(image, theirs, metric), lengths_to_labels(image, found, metric)
        )


def test_how_often_the_euclidean_labels_of_opencv_are_wrong():
    """Where its label names a nearest cell, ours is the same or a tie; elsewhere ours is nearer."""
    cv2 = pytest.importorskip("cv2")
    image = (np.random.default_rng(1).random((400, 400)) > 0.01).astype(np.uint8)
    arguments = (image, ours.DIST_L2, 5, None, None, ours.DIST_LABEL_PIXEL)
    theirs = lengths_to_labels(image, cv2.distanceTransformWithLabels(*arguments)[1], ours.DIST_L2)
    dst, labels = ours.distanceTransformWithLabels(*arguments)
    found = lengths_to_labels(image, labels, ours.DIST_L2)
    np.testing.assert_array_equal(dst, np.sqrt(found).astype(np.float32))
    assert (found <= theirs).all()
    wrong = np.mean(found < theirs)
    print(f"\nOpenCV {cv2.__version__}, 5x5: {wrong:.2%} of the labels name a cell farther away")
    assert 0.001 < wrong < 0.05
