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
        for name, types in {
            "context_scratch_bytes": [c.c_void_p],
            "context_synchronize": [c.c_void_p],
            "context_free": [c.c_void_p],
            "context_new": [c.c_char_p, c.c_int32, c.c_void_p, c.c_void_p],
            "call_free": [c.c_void_p],
            "set_text": [c.c_void_p, c.c_char_p, c.c_char_p],
            "set_integer": [c.c_void_p, c.c_char_p, c.c_int64],
            "set_integers": [c.c_void_p, c.c_char_p, c.c_void_p, c.c_size_t],
            "run": [c.c_void_p, c.c_void_p],
        }.items():
            getattr(self.c, f"thiessen_{name}").argtypes = types

    @property
    def version(self):
        return self.c.thiessen_version().decode()

    def check(self, status):
        if status:
            raise RuntimeError(self.c.thiessen_last_error().decode())

    def context(self, device, stream=None):
        return Context(self, device, stream)


class Call:
    """A call by names, which keeps the arrays that it is given."""

    def __init__(self, library, operation):
        self.library, self.handle, self.kept = library, c.c_void_p(), []
        library.check(library.c.thiessen_call_new(operation.encode(), c.byref(self.handle)))

    def __del__(self):
        self.library.c.thiessen_call_free(self.handle)

    def _set(self, setter, name, *value):
        self.library.check(
            getattr(self.library.c, f"thiessen_{setter}")(self.handle, name.encode(), *value)
        )
        return self

    def text(self, name, value):
        return self._set("set_text", name, value.encode())

    def integer(self, name, value):
        return self._set("set_integer", name, value)

    def integers(self, name, values):
        return self._set("set_integers", name, (c.c_int64 * len(values))(*values), len(values))

    def input(self, name, array, memory=CUDA):
        return self._array("set_input", name, array, memory)

    def output(self, name, array, memory=CUDA):
        return self._array("set_output", name, array, memory)

    def _array(self, setter, name, array, memory):
        self.kept.append(array)
        return self._set(setter, name, c.byref(view_of(array, memory)))

    def length(self, name):
        """The length of a result that is a list."""
        array = Array()
        self._set("get_output", name, c.byref(array))
        return array.extents[0] if array.rank else 0


class Context:
    """One context; calls return at once where every array is on the device."""

    def __init__(self, library, device, stream):
        self.library, self.handle = library, c.c_void_p()
        library.check(
            library.c.thiessen_context_new(device.encode(), 0, stream, c.byref(self.handle))
        )

    def scratch_bytes(self):
        return self.library.c.thiessen_context_scratch_bytes(self.handle)

    def destroy(self):
        self.library.c.thiessen_context_free(self.handle)

    def synchronize(self):
        self.library.check(self.library.c.thiessen_context_synchronize(self.handle))

    def run(self, call):
        self.library.check(self.library.c.thiessen_run(self.handle, call.handle))

    def nearest_site(self, sites, outputs, memory=CUDA, method="exact", batch=False):
        """The call, with its arguments made before, so that it can be repeated; of a batch, if asked for."""
        call = Call(self.library, "nearest_site_batch" if batch else "nearest_site")
        call.text("method", method).input("sites", sites, memory)
        return self._with_outputs(call, outputs, memory)

    def voronoi(self, coordinates, shape, outputs):
        """The same of points, with labels 1, 2, ..."""
        call = Call(self.library, "voronoi").input("points", coordinates).integers("shape", shape)
        return self._with_outputs(call, outputs, CUDA)

    def _with_outputs(self, call, outputs, memory):
        for name, array in outputs.items():
            call.output(name, array, memory)
        return lambda: self.run(call)
