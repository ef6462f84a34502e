# SPDX-License-Identifier: Apache-2.0
"""The library by its C interface, for arrays of CuPy: what is measured is not the Python package."""

import ctypes as c

MAX_AXES = 5
TYPES = {"bool": 0, "uint8": 1, "int32": 6, "int64": 8, "float32": 9, "float64": 10}
CUDA = 1  # thiessen_memory


class Array(c.Structure):
    _fields_ = (
        ("data", c.c_void_p),
        ("extents", c.c_int64 * MAX_AXES),
        ("strides", c.c_int64 * MAX_AXES),
        ("rank", c.c_int32),
        ("type", c.c_int32),
        ("memory", c.c_int32),
        ("reserved", c.c_int32),
    )


class ContextOptions(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        ("device", c.c_char_p),
        ("threads", c.c_int32),
        ("stream", c.c_void_p),
    )


class Value(c.Structure):
    _fields_ = (("kind", c.c_int), ("reserved", c.c_int32), ("bits", c.c_int64))


class Options(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        ("method", c.c_char_p),
        ("metric", c.c_int),
        ("distance_to", c.c_int),
        ("spacing", c.c_void_p),
        ("periodic", c.c_void_p),
        ("values", c.c_void_p),
        ("value_count", c.c_size_t),
        ("zero_is_site", c.c_int32),
        ("signed_distance", c.c_int32),
        ("max_distance", c.c_double),
        ("nodata", Value),
        ("unreached", Value),
        ("steps", c.c_void_p),
        ("step_count", c.c_size_t),
        ("pattern", c.c_char_p),
        ("noise", c.c_char_p),
        ("seed", c.c_uint64),
    )


class Outputs(c.Structure):
    _fields_ = (
        ("size", c.c_size_t),
        *(
            (name, Array)
            for name in ("labels", "site_index", "distance", "squared", "offset", "direction")
        ),
    )


class Points(c.Structure):
    _fields_ = (("size", c.c_size_t), ("coordinates", Array), ("labels", Array))


def view_of(array, memory=CUDA):
    """An array of CuPy, or of NumPy with memory 0, without gaps."""
    view = Array(rank=array.ndim, type=TYPES[str(array.dtype)], memory=memory)
    view.data = array.data.ptr if memory == CUDA else array.ctypes.data
    view.extents[: array.ndim] = array.shape
    view.strides[: array.ndim] = array.strides
    return view


class Library:
    def __init__(self, path):
        self.c = c.CDLL(path)
        self.c.thiessen_last_error.restype = c.c_char_p
        self.c.thiessen_version.restype = c.c_char_p
        self.c.thiessen_context_scratch_bytes.restype = c.c_size_t
        self.c.thiessen_context_scratch_bytes.argtypes = [c.c_void_p]
        self.c.thiessen_context_synchronize.argtypes = [c.c_void_p]
        self.c.thiessen_context_destroy.argtypes = [c.c_void_p]
        self.c.thiessen_context_destroy.restype = None

    @property
    def version(self):
        return self.c.thiessen_version().decode()

    def check(self, status):
        if status:
            raise RuntimeError(self.c.thiessen_last_error().decode())

    def context(self, device, stream=None):
        return Context(self, device, stream)


class Context:
    """One context; calls return at once where every array is on the device."""

    def __init__(self, library, device, stream):
        self.library = library
        options = ContextOptions()
        library.check(
            library.c.thiessen_context_options_init(c.byref(options), c.c_size_t(c.sizeof(options)))
        )
        options.device, options.stream = device.encode(), stream
        self.handle = c.c_void_p()
        library.check(library.c.thiessen_context_create(c.byref(options), c.byref(self.handle)))

    def scratch_bytes(self):
        return self.library.c.thiessen_context_scratch_bytes(self.handle)

    def destroy(self):
        self.library.c.thiessen_context_destroy(self.handle)

    def synchronize(self):
        self.library.check(self.library.c.thiessen_context_synchronize(self.handle))

    def nearest_site(self, sites, outputs, memory=CUDA, method="exact", batch=False):
        """The call, with its arguments made before, so that it can be repeated; of a batch, if asked for."""
        options = Options()
        self.library.check(
            self.library.c.thiessen_nearest_site_options_init(
                c.byref(options), c.c_size_t(c.sizeof(options))
            )
        )
        options.method = method.encode()
        to_outputs = self._outputs(outputs, memory)
        view = view_of(sites, memory)
        name = "thiessen_nearest_site_batch" if batch else "thiessen_nearest_site"
        function, check = getattr(self.library.c, name), self.library.check
        arguments = (self.handle, c.byref(view), c.byref(options), c.byref(to_outputs), None)
        return lambda: check(function(*arguments))

    def voronoi(self, coordinates, shape, outputs):
        """The same of points, with labels 1, 2, ..."""
        to_outputs = self._outputs(outputs, CUDA)
        points = Points(size=c.sizeof(Points), coordinates=view_of(coordinates))
        extents = (c.c_int64 * len(shape))(*shape)
        function, check = self.library.c.thiessen_voronoi, self.library.check
        arguments = (
            self.handle,
            c.byref(points),
            c.c_int32(len(shape)),
            extents,
            None,
            c.byref(to_outputs),
            None,
        )
        return lambda: check(function(*arguments))

    @staticmethod
    def _outputs(outputs, memory):
        to = Outputs(size=c.sizeof(Outputs))
        for name, array in outputs.items():
            setattr(to, name, view_of(array, memory))
        return to
