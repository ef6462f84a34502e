# SPDX-License-Identifier: Apache-2.0
"""Arrays in the memory of a CUDA device, of whatever library: what the core gets of them, and new
ones of the same library for results.

Nothing is copied to the host and nothing waits (but where cost_distance says so): work is put on
the stream that the library of the array uses just now, so what comes before and after it there is
in order. A library that names no stream (JAX) gets results that are done.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from .. import _core
from .._arguments.core_options import CoreOptions
from .._arguments.running import to_device

_TYPES = frozenset(
    np.dtype(code).str for code in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")
)
_LEGACY_STREAM = 1  # as CUDA names the default stream
_DLPACK_CUDA = (2, 13)  # device memory, managed memory
_DLPACK_HOST = (1, 3, 11)


@cache
def problem() -> str:
    """Why no CUDA device can be used; empty if one can."""
    devices = [device for device in _core.devices() if device.name.startswith("cuda")]
    if not devices:
        return "this build of thiessen has no CUDA backend"
    if not any(device.available for device in devices):
        return f"no CUDA device can be used ({devices[0].reason})"
    return ""


def refuse_device_memory(name: str, value: Any) -> None:
    """Raise RuntimeError for an array on a GPU, whatever library it belongs to."""
    if hasattr(value, "__cuda_array_interface__"):
        place, reason = "CUDA memory", problem()
    elif hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] not in _DLPACK_HOST:
        place = f"memory of the DLPack device {tuple(map(int, value.__dlpack_device__()))}"
        reason = problem()
    else:
        return
    raise RuntimeError(
        f"{name} is a {type(value).__module__}.{type(value).__qualname__} in {place}; "
        f"{reason or 'here arrays must be on the host'}: copy it to the host first "
        "(CuPy: .get(), PyTorch: .cpu(), JAX: jax.device_get())"
    )


@dataclass(slots=True)
class CudaArray:
    """An array of the caller, and its form for the core."""

    source: Any
    memory: tuple[int, tuple[int, ...], tuple[int, ...], str]
    """Address, extents, strides in bytes and type string."""
    dtype: np.dtype
    read_only: bool
    library: str
    device: int
    stream: int
    wait: bool
    """Whether the library knows nothing of streams, so that results must be done."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.memory[1]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def as_bytes(self) -> CudaArray:
        """The same array of booleans as numbers 0 and 1."""
        return replace(self, memory=(*self.memory[:3], "|u1"), dtype=np.dtype(np.uint8))

    def set_device(self, options: CoreOptions, wanted: Any) -> None:
        """Where a call runs that reads the array, and when it is done."""
        options.device = f"cuda:{self.device}"
        if to_device(wanted) not in ("auto", "cuda", options.device):
            raise ValueError(f"device = {wanted}; must be that of the arrays, {options.device}")
        options.stream = self.stream
        options.wait = self.wait

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> CudaArray:
        """A new array of the same library, on the same device."""
        return to_cuda("a new array", self._new(shape, dtype), dtype)

    def _new(self, shape: tuple[int, ...], dtype: np.dtype) -> Any:
        module: Any = sys.modules.get(self.library)
        if self.library == "cupy":
            with module.cuda.Device(self.device):
                return module.empty(shape, dtype)
        if self.library == "torch":
            return module.empty(shape, dtype=getattr(module, dtype.name), device=self.source.device)
        if self.library == "numba":
            from numba import cuda

            return cuda.device_array(shape, dtype)
        if not hasattr(self.source, "__array_namespace__"):
            raise TypeError(
                f"thiessen cannot make a new {type(self.source).__qualname__}; must be given out="
            )
        space = self.source.__array_namespace__()
        new = space.empty(shape, dtype=dtype, device=self.source.device)
        return new.block_until_ready() if hasattr(new, "block_until_ready") else new


def find_cuda(name: str, value: Any) -> CudaArray | None:
    """The argument if it is an array in CUDA memory; None for arrays on the host. Raises
    RuntimeError where there is no device for it."""
    if type(value) is np.ndarray or not _is_on_cuda(value):
        return None
    if problem():
        refuse_device_memory(name, value)
    return to_cuda(name, value)


def _is_on_cuda(value: Any) -> bool:
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0]) in _DLPACK_CUDA
    return hasattr(value, "__cuda_array_interface__")


def to_cuda(name: str, value: Any, wanted: np.dtype | None = None) -> CudaArray:
    """An array that is in CUDA memory. Raises TypeError for elements that the core has no type for,
    or other ones than `wanted`."""
    library = type(value).__module__.partition(".")[0]
    shown = value
    if library == "torch" and value.requires_grad:
        shown = value.detach()
    if hasattr(shown, "block_until_ready"):
        shown.block_until_ready()
    if hasattr(shown, "__cuda_array_interface__"):
        interface = dict(shown.__cuda_array_interface__)
        memory = _memory_of(interface)
    else:
        interface = {}
        memory = _core.describe_dlpack(shown)
    if interface.get("mask") is not None:
        raise TypeError(f"{name} is a masked array; must be an array without a mask")
    dtype = np.dtype(memory[3]) if memory[3] else np.dtype(object)
    if dtype.str not in _TYPES:
        raise TypeError(
            f"{name} has the dtype {getattr(value, 'dtype', dtype)}; must be booleans, integers or "
            "floats of 1 to 8 bytes, of which float16 is none on a GPU"
        )
    if wanted is not None and dtype != wanted:
        raise TypeError(f"{name} has the dtype {dtype}; must be {wanted}")
    device = _device_of(value)
    stream = _stream_of(library, interface, device)
    return CudaArray(
        source=value,
        memory=memory,
        dtype=dtype,
        read_only=bool(interface.get("data", (0, False))[1]),
        library=library,
        device=device,
        stream=stream or _LEGACY_STREAM,
        wait=stream is None and library != "numba",
    )


def _memory_of(interface: dict[str, Any]) -> tuple[int, tuple[int, ...], tuple[int, ...], str]:
    shape = tuple(map(int, interface["shape"]))
    typestr = interface["typestr"]
    strides = interface.get("strides")
    if strides is None:
        step = np.dtype(typestr).itemsize
        backwards = []
        for extent in reversed(shape):
            backwards.append(step)
            step *= max(extent, 1)
        strides = tuple(reversed(backwards))
    return int(interface["data"][0] or 0), shape, tuple(map(int, strides)), typestr


def _device_of(value: Any) -> int:
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[1])
    return 0  # the core says so if it is another


def _stream_of(library: str, interface: dict[str, Any], device: int) -> int | None:
    """The stream that the library puts its work on just now; None if it does not tell."""
    module: Any = sys.modules.get(library)
    if library == "torch":
        return int(module.cuda.current_stream(device).cuda_stream) or _LEGACY_STREAM
    if library == "cupy":
        with module.cuda.Device(device):
            return int(module.cuda.get_current_stream().ptr) or _LEGACY_STREAM
    stream = interface.get("stream")
    return None if stream is None else int(stream)


def checked_cuda(
    argument: str, value: Any, shape: tuple[int, ...], dtype: np.dtype, like: CudaArray
) -> CudaArray:
    """An output of the caller, or an error that names it."""
    array = find_cuda(argument, value)
    if array is None:
        raise TypeError(
            f"{argument} is a {type(value).__name__} on the host; must be in memory of "
            f"cuda:{like.device}, as the input is"
        )
    if array.dtype != dtype:
        raise TypeError(f"{argument} has the dtype {array.dtype}; must be {dtype}")
    if array.shape != shape:
        raise ValueError(f"{argument} has the shape {array.shape}; must be {shape}")
    if array.read_only:
        raise ValueError(f"{argument} is read-only; must be writable")
    return array
