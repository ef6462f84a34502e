# SPDX-License-Identifier: Apache-2.0
"""What looks like an array in CUDA memory, where there is no device: tests of what the core gets."""

from __future__ import annotations


class OnCuda:
    """As much of an array in CUDA memory as the package looks at."""

    def __init__(self, address: int, shape: tuple[int, ...], typestr: str, stream: int = 7) -> None:
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, False), "stream": stream,
            "version": 3,
        }  # fmt: skip
