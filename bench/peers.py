# SPDX-License-Identifier: Apache-2.0
"""The libraries that are measured, one class each.

A peer lives in a process of its own. `prepare` gets the raster of sites and makes from it the input that the
peer wants, and the outputs where the peer can write into given ones; `run` is what is timed, and nothing
but the peer's own call; `answer` is for check.py. What `run` leaves in `result` it has allocated itself.
"""

import importlib
import importlib.metadata
import math
import os

import numpy as np

LABELS, DISTANCE, BOTH, COPY = "labels", "distance", "labels + distance", "copy"


class Peer:
    name = ""
    tasks = ()
    exact = True  # as its authors say
    threaded = False  # whether it can use more than one thread
    ranks = (2, 3)
    most_cells = math.inf  # more than this would take minutes
    python = None  # an interpreter other than ours
    imports = None  # the module that it is
    result = None

    def __init__(self, task, threads):
        self.task, self.threads = task, threads
        self.module = importlib.import_module(self.imports) if self.imports else None

    def version(self):
        if self.module is None:
            return ""
        package = self.imports.partition(".")[0]
        own = getattr(importlib.import_module(package), "__version__", None)
        return own or importlib.metadata.version(package)

    def prepare(self, sites):
        raise NotImplementedError

    def run(self):
        raise NotImplementedError

    def release(self):
        """Releases the memory that is kept between calls."""

    def output(self, name, shape, dtype):
        """An array to write into, whose memory has been touched; the same one in the next round."""
        kept = vars(self).get(name)
        if kept is None or kept.shape != shape:
            vars(self)[name] = kept = np.full(shape, 0, dtype)
        return kept

    def answer(self):
        return {"distance": self.result}

    def result_bytes(self):
        """Bytes of results that a call allocates itself; the rest of what it allocates is scratch."""
        arrays = self.result if isinstance(self.result, tuple) else (self.result,)
        return sum(array.nbytes for array in arrays if array is not None)


class Memcpy(Peer):
    """A copy of the raster of sites, four bytes a cell read and written: what memory allows."""

    name = "memcpy"
    tasks = (COPY,)
    threaded = True

    def __init__(self, task, threads):
        super().__init__(task, threads)
        from concurrent.futures import ThreadPoolExecutor

        self.pool = ThreadPoolExecutor(threads)

    def prepare(self, sites):
        self.source, target = sites.copy(), self.output("target", sites.shape, sites.dtype)
        parts = (np.array_split(array.reshape(-1), self.threads) for array in (target, self.source))
        self.parts = list(zip(*parts))

    def run(self):
        if self.threads == 1:
            np.copyto(self.target, self.source)
        else:
            list(self.pool.map(lambda part: np.copyto(*part), self.parts))

    def answer(self):
        return {}


class Thiessen(Peer):
    """Labels come from a raster of labels; for distances alone a mask is enough, as for others."""

    name = "thiessen"
    imports = "thiessen"
    tasks = (LABELS, DISTANCE, BOTH)
    threaded = True

    def release(self):
        self.module.release_scratch()

    def prepare(self, sites):
        is_mask = self.task == DISTANCE
        self.sites = np.not_equal(sites, 0).view(np.uint8) if is_mask else sites.copy()
        types = {"labels": np.int32, "distance": np.float32}
        names = ("labels", "distance") if self.task == BOTH else (self.task,)
        self.out = {name: self.output(name, sites.shape, types[name]) for name in names}

    def run(self):
        self.module.nearest_site(
            self.sites, outputs=tuple(self.out), out=self.out, threads=self.threads
        )

    def answer(self):
        return self.out


class ThiessenAvx2(Thiessen):
    """The same with the instructions of older processors. Tables compare the other one with it."""

    name = "thiessen (AVX2)"

    def __init__(self, task, threads):
        os.environ["THIESSEN_INSTRUCTIONS"] = "avx2"
        super().__init__(task, threads)


class SciPy(Peer):
    """Indices of the nearest site, distances in float64, or both."""

    name = "SciPy"
    imports = "scipy.ndimage"
    tasks = (LABELS, DISTANCE, BOTH)

    def prepare(self, sites):
        self.free = sites == 0
        self.options = {"return_distances": self.task != LABELS}
        if self.task != LABELS:
            self.options["distances"] = self.output("distances", sites.shape, np.float64)
        if self.task != DISTANCE:
            self.options["return_indices"] = True
            shape = sites.ndim, *sites.shape
            self.options["indices"] = self.output("indices", shape, np.int32)

    def run(self):
        self.module.distance_transform_edt(self.free, **self.options)

    def answer(self):
        names = "distances", "indices"
        found = {name: self.options[name] for name in names if name in self.options}
        return {name.replace("distances", "distance"): array for name, array in found.items()}


class ScikitImage(Peer):
    """expand_labels, over all distances; it allocates its result."""

    name = "scikit-image"
    imports = "skimage.segmentation"
    tasks = (LABELS,)

    def prepare(self, sites):
        self.sites, self.result = sites.copy(), None
        self.reach = math.hypot(*sites.shape)

    def run(self):
        self.result = self.module.expand_labels(self.sites, self.reach)

    def answer(self):
        return {"labels": self.result}


class Edt(Peer):
    """seung-lab's edt; it allocates its result."""

    name = "edt"
    imports = "edt"
    tasks = (DISTANCE,)
    threaded = True

    def prepare(self, sites):
        self.free, self.result = sites == 0, None

    def run(self):
        self.result = self.module.edt(self.free, parallel=self.threads)


class OpenCV(Peer):
    """distanceTransform with the precise mask."""

    name = "OpenCV"
    imports = "cv2"
    tasks = (DISTANCE,)
    threaded = True
    ranks = (2,)

    def __init__(self, task, threads):
        super().__init__(task, threads)
        self.module.setNumThreads(threads)

    def prepare(self, sites):
        self.free = (sites == 0).view(np.uint8)
        self.output("distance", sites.shape, np.float32)

    def run(self):
        cv2 = self.module
        cv2.distanceTransform(self.free, cv2.DIST_L2, cv2.DIST_MASK_PRECISE, dst=self.distance)

    def answer(self):
        return {"distance": self.distance}


class OpenCVLabels(OpenCV):
    """distanceTransformWithLabels: chamfer distances, one label for each zero cell."""

    name = "OpenCV labels"
    tasks = (BOTH,)
    exact = False
    threaded = False

    def prepare(self, sites):
        super().prepare(sites)
        self.output("labels", sites.shape, np.int32)

    def run(self):
        cv2 = self.module
        cv2.distanceTransformWithLabels(
            self.free,
            cv2.DIST_L2,
            cv2.DIST_MASK_5,
            dst=self.distance,
            labels=self.labels,
            labelType=cv2.DIST_LABEL_PIXEL,
        )

    def answer(self):
        return {"distance": self.distance, "labels": self.labels}


class Diplib(Peer):
    name = "DIPlib"
    imports = "diplib"
    tasks = (DISTANCE,)
    threaded = True

    def __init__(self, task, threads):
        super().__init__(task, threads)
        self.module.SetNumberOfThreads(threads)

    def prepare(self, sites):
        self.free = self.module.Image(sites == 0)
        self.distance = self.module.Image(self.output("target", sites.shape, np.float32))

    def run(self):
        self.module.EuclideanDistanceTransform(
            self.free, out=self.distance, border="object", method="separable"
        )

    def answer(self):
        return {"distance": np.asarray(self.distance)}


class Itk(Peer):
    """SignedMaurerDistanceMap of ITK, through SimpleITK; it measures inside areas too, and allocates its result."""

    name = "ITK"
    imports = "SimpleITK"
    tasks = (DISTANCE,)
    threaded = True

    def __init__(self, task, threads):
        super().__init__(task, threads)
        itk = self.module
        # This also holds for the filters within the filter, which would use all threads.
        itk.ProcessObject.SetGlobalDefaultNumberOfThreads(threads)
        self.transform = itk.SignedMaurerDistanceMapImageFilter()
        self.transform.SetSquaredDistance(False)
        self.transform.SetInsideIsPositive(False)
        self.transform.SetUseImageSpacing(False)
        self.transform.SetNumberOfThreads(threads)

    def version(self):
        return self.module.Version.ITKVersionString()

    def prepare(self, sites):
        self.result = self.image = None
        self.sites = self.module.GetImageFromArray((sites != 0).view(np.uint8))

    def run(self):
        self.image = self.transform.Execute(self.sites)  # which owns what the view shows
        self.result = self.module.GetArrayViewFromImage(self.image)


class Gdal(Peer):
    """ComputeProximity, what gdal_proximity calls; Debian's module for Debian's Python."""

    name = "GDAL"
    imports = "osgeo.gdal"
    tasks = (DISTANCE,)
    exact = False
    ranks = (2,)
    python = "/usr/bin/python3"

    def __init__(self, task, threads):
        super().__init__(task, threads)
        from osgeo import gdal_array

        self.module.UseExceptions()
        self.open = gdal_array.OpenArray

    def version(self):
        return self.module.VersionInfo("RELEASE_NAME")

    def prepare(self, sites):
        self.sites = np.not_equal(sites, 0).view(np.uint8)
        self.output("distance", sites.shape, np.float32)
        self.rasters = self.open(self.sites), self.open(self.distance)

    def run(self):
        source, target = (raster.GetRasterBand(1) for raster in self.rasters)
        self.module.ComputeProximity(source, target, ["DISTUNITS=PIXEL"])
        target.FlushCache()

    def answer(self):
        return {"distance": self.distance}


class KdTree(Peer):
    """SciPy's cKDTree, built of the sites and asked for every cell; it allocates its results."""

    name = "k-d tree"
    imports = "scipy.spatial"
    tasks = (BOTH,)
    threaded = True
    most_cells = 5_000_000

    def prepare(self, sites):
        self.result, self.shape = None, sites.shape
        self.points = np.argwhere(sites).astype(np.float64)
        axes = np.meshgrid(
            *[np.arange(size, dtype=np.float64) for size in sites.shape], indexing="ij"
        )
        self.cells = np.column_stack([axis.ravel() for axis in axes])

    def run(self):
        tree = self.module.cKDTree(self.points)
        self.result = tree.query(self.cells, workers=self.threads)

    def answer(self):
        distance, position = self.result
        return {
            "distance": distance.reshape(self.shape),
            "labels": position.reshape(self.shape) + 1,
        }


US = Thiessen.name
VARIANTS = (ThiessenAvx2.name,)  # only where they are asked for
PEERS = {
    peer.name: peer
    for peer in (
        Memcpy,
        Thiessen,
        ThiessenAvx2,
        SciPy,
        ScikitImage,
        Edt,
        OpenCV,
        OpenCVLabels,
        Diplib,
        Itk,
        Gdal,
        KdTree,
    )
}
