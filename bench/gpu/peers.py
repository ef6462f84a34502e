# SPDX-License-Identifier: Apache-2.0
"""Everyone who is measured on a GPU. A peer takes the inputs of a case and makes one call of each:
a function that puts the work on the stream, and returns at once."""

import ctypes as c
import glob
import itertools
import os
import sys

import cupy as cp
from cupyx.scipy import ndimage

COPY, LABELS, DISTANCE = "copy", "labels", "distance"


class Peer:
    """gives: COPY for what the others are measured by."""

    name = gives = version = ""
    takes_points = False

    def refuses(self, case):
        """Why the case is nothing for this peer, or None."""
        return (
            None if case.points == self.takes_points else "takes no points" if case.points else "-"
        )

    def calls(self, inputs, case):
        raise NotImplementedError

    def answer(self):
        """Squared distances as the outputs of the last call tell them, to be checked, if they tell any."""

    def scratch_bytes(self):
        return 0

    def free(self):
        """Gives back what a case took."""
        self.__dict__.clear()


class Copy(Peer):
    name, gives = "device-to-device copy", COPY

    def calls(self, inputs, case):
        self.copy = cp.empty_like(inputs[0])
        to = self.copy.data
        return [
            lambda of=of: to.copy_from_device_async(
                of.data, of.nbytes, cp.cuda.get_current_stream()
            )
            for of in inputs
        ]


class Memset(Peer):
    name, gives, takes_points = "memset of the labels", COPY, True

    def calls(self, inputs, case):
        self.labels = cp.empty(case.shape, cp.int32)
        return [
            lambda: self.labels.data.memset_async(
                0, self.labels.nbytes, cp.cuda.get_current_stream()
            )
        ]


def squared_to_labels(labels, label_places):
    """Squared distances from all cells to the places of their labels (>= 1)."""
    total = cp.zeros(labels.shape, cp.int64)
    axes = cp.ogrid[tuple(slice(n) for n in labels.shape)]
    for here, there in zip(axes, label_places):
        total += cp.square(there - here)
    return total


def places_of_index(index, shape):
    """Axis by axis the coordinate of a linear index."""
    for axis in range(len(shape)):
        rest = 1
        for extent in shape[axis + 1 :]:
            rest *= extent
        yield index // rest % shape[axis]


class Ours(Peer):
    """With arguments made before; `outputs` are the ones that are wanted."""

    def __init__(self, library, name, gives):
        self.library, self.name, self.gives = library, name, gives
        self.version = library.version
        self.context = None

    def free(self):
        keep = {k: self.__dict__[k] for k in ("library", "name", "gives", "version")}
        self.__dict__.clear()
        self.__dict__.update(keep, context=None)

    def refuses(self, case):
        return None

    def calls(self, inputs, case):
        self.context = self.library.context("cuda", cp.cuda.get_current_stream().ptr)
        self.shape, self.points = case.shape, case.points
        dtype = {LABELS: cp.int32, DISTANCE: cp.float32}[self.gives]
        self.output = cp.empty(case.shape, dtype)
        outputs = {self.gives: self.output}
        if case.points:
            return [self.context.voronoi(given, case.shape, outputs) for given in inputs]
        return [self.context.nearest_site(given, outputs) for given in inputs]

    def answer(self):
        self.context.synchronize()
        if self.points:
            return None
        if self.gives == DISTANCE:
            return cp.rint(cp.square(self.output.astype(cp.float64))).astype(cp.int64)
        index = self.output.astype(cp.int64) - 1
        return squared_to_labels(self.output, places_of_index(index, self.shape))

    def scratch_bytes(self):
        return self.context.scratch_bytes()


class Graph(Ours):
    """The same as CUDA graphs: what a call costs the device, where launching takes longer than that."""

    def refuses(self, case):
        return None if case.cells < 1 << 24 else "launching takes no time to speak of"

    def calls(self, inputs, case):
        stream = cp.cuda.get_current_stream()
        graphs = []
        for call in super().calls(inputs, case):
            call()
            stream.synchronize()
            stream.begin_capture()
            try:
                call()
            finally:
                graph = stream.end_capture()
            graphs.append(graph)
        self.graphs = graphs
        return [lambda graph=graph: graph.launch(stream) for graph in graphs]


class CuPy(Peer):
    """PBA+: indices of the nearest sites, or float32 distances."""

    version = cp.__version__

    def __init__(self, gives):
        self.gives = gives
        self.name = "CuPy, indices" if gives == LABELS else "CuPy, float32 distances"

    def free(self):
        gives, name = self.gives, self.name
        self.__dict__.clear()
        self.gives, self.name = gives, name

    def refuses(self, case):
        if case.points:
            return "takes no points"
        most = 46340 if len(case.shape) == 2 else 1024
        return f"axes of at most {most:,} cells" if max(case.shape) > most else None

    def calls(self, inputs, case):
        self.pool = cp.cuda.MemoryPool()
        self.masks = [given == 0 for given in inputs]
        rank = len(case.shape)
        if self.gives == LABELS:
            self.output = cp.empty((rank, *case.shape), cp.int32)
            options = {"return_distances": False, "return_indices": True, "indices": self.output}
        else:
            self.output = cp.empty(case.shape, cp.float32)
            options = {"distances": self.output, "float64_distances": False}
        return [lambda mask=mask: self._run(mask, options) for mask in self.masks]

    def _run(self, mask, options):
        with cp.cuda.using_allocator(self.pool.malloc):
            ndimage.distance_transform_edt(mask, **options)

    def answer(self):
        if self.gives == DISTANCE:
            return cp.rint(cp.square(self.output.astype(cp.float64))).astype(cp.int64)
        return squared_to_labels(self.output[0], self.output)

    def scratch_bytes(self):
        return self.pool.total_bytes()


class NppSize(c.Structure):
    _fields_ = (("width", c.c_int), ("height", c.c_int))


class NppContext(c.Structure):
    _fields_ = (
        ("stream", c.c_void_p),
        ("device", c.c_int),
        ("processors", c.c_int),
        ("threads_of_processor", c.c_int),
        ("threads_of_block", c.c_int),
        ("shared_bytes", c.c_size_t),
        ("major", c.c_int),
        ("minor", c.c_int),
        ("flags", c.c_uint),
        ("reserved", c.c_int),
    )


def find_npp():
    """NPP's library of filters: of the toolkit, of the system, or of a package for Python; None."""
    folders = ["/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu", *sys.path]
    patterns = ("libnppif.so*", "nvidia/*/lib/libnppif.so*")
    found = (glob.glob(os.path.join(f, p)) for f, p in itertools.product(folders, patterns))
    for path in itertools.chain.from_iterable(found):
        try:
            return c.CDLL(path)
        except OSError:
            continue
    return None


class Npp(Peer):
    """nppiDistanceTransformPBA: float32 distances, 2-D."""

    name, gives = "NPP, float32 distances", DISTANCE

    def __init__(self):
        self.npp = find_npp()
        self.version = "found" if self.npp else "not found"

    def free(self):
        npp, version = self.npp, self.version
        self.__dict__.clear()
        self.npp, self.version = npp, version

    def refuses(self, case):
        if self.npp is None:
            return "not found"
        return "takes no points" if case.points else "2-D only" if len(case.shape) == 3 else None

    def calls(self, inputs, case):
        height, width = case.shape
        size, need = NppSize(width, height), c.c_size_t()
        self.check(self.npp.nppiDistanceTransformPBAGetBufferSize(size, c.byref(need)))
        self.scratch = cp.empty(need.value, cp.uint8)
        self.masks = [(given == 0).astype(cp.uint8) for given in inputs]
        self.output = cp.empty(case.shape, cp.float32)
        device = cp.cuda.Device()
        of = device.attributes
        context = NppContext(
            cp.cuda.get_current_stream().ptr,
            device.id,
            of["MultiProcessorCount"],
            of["MaxThreadsPerMultiProcessor"],
            of["MaxThreadsPerBlock"],
            of["MaxSharedMemoryPerBlock"],
            of["ComputeCapabilityMajor"],
            of["ComputeCapabilityMinor"],
            1,  # cudaStreamNonBlocking
        )
        none = (c.c_void_p(), c.c_int(0))
        rest = (c.c_void_p(self.output.data.ptr), c.c_int(4 * width), size)
        rest += (c.c_void_p(self.scratch.data.ptr), context)

        def call(mask):
            source = (c.c_void_p(mask.data.ptr), c.c_int(width), c.c_ubyte(0), c.c_ubyte(0))
            self.check(
                self.npp.nppiDistanceTransformPBA_8u32f_C1R_Ctx(*source, *none, *none, *none, *rest)
            )

        return [lambda mask=mask: call(mask) for mask in self.masks]

    def check(self, status):
        if status:
            raise RuntimeError(f"NPP: status {status}")

    def answer(self):
        return cp.rint(cp.square(self.output.astype(cp.float64))).astype(cp.int64)

    def scratch_bytes(self):
        return self.scratch.nbytes


def all_peers(library):
    return [
        Copy(),
        Memset(),
        Ours(library, "thiessen", LABELS),
        Ours(library, "thiessen", DISTANCE),
        Graph(library, "thiessen, as a CUDA graph", LABELS),
        CuPy(LABELS),
        CuPy(DISTANCE),
        Npp(),
    ]
