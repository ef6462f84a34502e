# SPDX-License-Identifier: Apache-2.0
"""Everyone who is measured on a GPU. A peer takes the inputs of a case and makes one call of each:
a function that puts the work on the stream, and returns at once."""

import ctypes as c
import glob
import itertools
import math
import os
import sys

import cupy as cp
from cupyx.scipy import ndimage

COPY, LABELS, DISTANCE = "copy", "labels", "distance"
SILENT = "-"


class Peer:
    """gives: COPY for what the others are measured by."""

    name = gives = ""
    kept = ()  # what outlives a case

    def refuses(self, case):
        """Why the case is nothing for this peer; SILENT where nobody would ask; or None."""
        return SILENT if case.points else None

    def calls(self, inputs, case):
        raise NotImplementedError

    def squared(self, part):
        """Squared distances as the indices or labels of the first call tell them: of a slice of the rows (planes)."""

    def scratch_bytes(self):
        return 0

    def free(self):
        """Releases the memory of a case."""
        keep = {name: self.__dict__[name] for name in self.kept}
        self.__dict__.clear()
        self.__dict__.update(keep)


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
    name, gives = "memset of the labels", COPY

    def refuses(self, case):
        return None if case.points else SILENT

    def calls(self, inputs, case):
        self.output = cp.empty(case.shape, cp.int32)
        to = self.output.data
        return [lambda: to.memset_async(0, self.output.nbytes, cp.cuda.get_current_stream())]


def squared_to(places, part, shape):
    """Squared distances from the cells of a part to the places (axis by axis)."""
    axes = cp.ogrid[(part, *(slice(extent) for extent in shape[1:]))]
    return sum(cp.square(there.astype(cp.int64) - here) for there, here in zip(places, axes))


def places_of_index(index, shape):
    """Axis by axis the coordinate of a linear index."""
    for axis in range(len(shape)):
        yield index // math.prod(shape[axis + 1 :]) % shape[axis]


class Ours(Peer):
    """With arguments made before the clock starts."""

    kept = ("library", "name", "gives", "method")

    def __init__(self, library, name, gives, method="exact"):
        self.library, self.name, self.gives, self.method = library, name, gives, method

    def refuses(self, case):
        return None

    def free(self):
        context = self.__dict__.get("context")
        super().free()
        if context:
            context.destroy()

    def calls(self, inputs, case):
        self.context = self.library.context("cuda", cp.cuda.get_current_stream().ptr)
        self.shape, self.sites = case.shape, inputs[0]
        dtype = {LABELS: cp.int32, DISTANCE: cp.float32}[self.gives]
        self.output = cp.full(case.shape, -7, dtype)
        outputs = {self.gives: self.output}
        if case.points:
            return [self.context.voronoi(given, case.shape, outputs) for given in inputs]
        return [self.context.nearest_site(given, outputs, method=self.method) for given in inputs]

    def squared(self, part):
        self.context.synchronize()
        labels = self.output[part]
        index = labels.astype(cp.int64) - 1
        real = self.sites.ravel()[cp.maximum(index, 0)] == labels
        return cp.where(real, squared_to(places_of_index(index, self.shape), part, self.shape), -1)

    def scratch_bytes(self):
        return self.context.scratch_bytes()


class Graph(Ours):
    """The same as CUDA graphs: what a call costs the device, where launching takes longer than that."""

    def refuses(self, case):
        return None if case.cells < 1 << 24 else SILENT

    def calls(self, inputs, case):
        stream = cp.cuda.get_current_stream()
        self.graphs = []
        for call in super().calls(inputs, case):
            call()
            stream.synchronize()
            stream.begin_capture()
            try:
                call()
            finally:
                graph = stream.end_capture()
            self.graphs.append(graph)
        return [lambda graph=graph: graph.launch(stream) for graph in self.graphs]


class CuPy(Peer):
    """PBA+: indices of the nearest sites, or float32 distances."""

    kept = ("gives", "name")

    def __init__(self, gives):
        self.gives = gives
        self.name = "CuPy, indices" if gives == LABELS else "CuPy, float32 distances"

    def refuses(self, case):
        if case.points:
            return SILENT
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

    def squared(self, part):
        return squared_to(self.output[:, part], part, self.output.shape[1:])

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

    name, gives, kept = "NPP, float32 distances", DISTANCE, ("npp",)

    def __init__(self):
        self.npp = find_npp()

    def refuses(self, case):
        if self.npp is None:
            return "not found"
        return SILENT if case.points else "2-D only" if len(case.shape) == 3 else None

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
            int(device.compute_capability[:-1]),
            int(device.compute_capability[-1]),
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
