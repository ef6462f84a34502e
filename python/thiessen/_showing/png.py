# SPDX-License-Identifier: Apache-2.0
"""PNG files of pictures that lie in memory."""

from __future__ import annotations

import struct
import zlib

import numpy as np

_COLOUR_TYPES = {3: 2, 4: 6}
"""PNG's number for RGB, and for RGB with opacity."""


def encode(pixels: np.ndarray) -> bytes:
    """The bytes of a PNG of (rows, columns, 3 or 4) uint8."""
    rows, columns, channels = pixels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, _COLOUR_TYPES[channels], 0, 0, 0)
    lines = np.zeros((rows, 1 + columns * channels), np.uint8)  # each begins with its filter: none
    lines[:, 1:] = pixels.reshape(rows, -1)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", header),
            (b"IDAT", zlib.compress(lines.tobytes(), 6)),
            (b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
