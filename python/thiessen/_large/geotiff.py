# SPDX-License-Identifier: Apache-2.0
"""Rasters in files of GDAL, by rasterio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .._arguments.checks import needed

BLOCK = 256
"""Rows of a block of a GeoTIFF, and cells of a chunk of Zarr along an axis of two."""


class FileRaster:
    """A raster in a file of GDAL, of which the parts are read that are asked for: it has shape and
    dtype, slices as an array of NumPy, and numpy.asarray() reads all of it."""

    def __init__(self, path: Path, whole: bool) -> None:
        self.path = path
        with open_rasterio(path).open(path) as dataset:
            self.shape: tuple[int, ...] = (dataset.height, dataset.width)
            if whole:
                self.shape = (dataset.count, *self.shape)
            self.dtype = np.dtype(dataset.dtypes[0])
            self.chunks = dataset.block_shapes[0]
        self.ndim = len(self.shape)

    def __getitem__(self, key: Any) -> Any:
        parts = key if isinstance(key, tuple) else (key,)
        rows = parts[self.ndim - 2] if len(parts) > self.ndim - 2 else slice(None)
        if not isinstance(rows, slice) or rows.step not in (None, 1) or Ellipsis in parts:
            return self._read(0, self.shape[-2])[key]
        first, end, _ = rows.indices(self.shape[-2])
        rest = (*parts[: self.ndim - 2], slice(None), *parts[self.ndim - 1 :])
        return self._read(first, max(first, end))[rest]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self[:] if self.ndim == 2 else self[:, :], dtype)

    def __repr__(self) -> str:
        return f"<raster {str(self.path)!r}, shape={self.shape}, dtype={self.dtype}>"

    def _read(self, first: int, end: int) -> np.ndarray:
        """Some rows, of all bands of an offset."""
        window = ((first, end), (0, self.shape[-1]))
        with open_rasterio(self.path).open(self.path) as dataset:
            return dataset.read(None if self.ndim == 3 else 1, window=window)


def open_rasterio(path: Path) -> Any:
    return needed("rasterio", f"{path}: needs")


class Band:
    """The band of a file, as an array."""

    def __init__(self, dataset: Any, band: int) -> None:
        self._dataset = dataset
        self._band = band
        self.shape = (dataset.height, dataset.width)
        self.dtype = np.dtype(dataset.dtypes[band - 1])
        self.chunks = dataset.block_shapes[band - 1]

    def __getitem__(self, rows: slice) -> np.ndarray:
        first, end = rows.start, rows.stop
        return self._dataset.read(self._band, window=((first, end), (0, self.shape[1])))


class GeoTiff:
    """A GeoTIFF that is written by rows; the components of an offset are its bands."""

    def __init__(self, target: Any, path: Path, rows: int, georeference: dict[str, Any]) -> None:
        self.shape = target.shape
        self.dtype = target.dtype
        bands, axes = (1, self.shape) if target.name != "offset" else (2, self.shape[1:])
        if len(axes) != 2 or 0 in axes:
            raise ValueError(
                f"out[{target.name!r}] has the shape {self.shape}; a GeoTIFF has two axes here, "
                "with cells"
            )
        whole_blocks = rows % BLOCK == 0 or rows >= axes[0]
        blocks = {"tiled": True, "blockxsize": BLOCK, "blockysize": BLOCK}
        self._dataset = open_rasterio(path).open(
            path, "w", driver="GTiff", height=axes[0], width=axes[1],
            count=bands, dtype=self.dtype.name, nodata=target.nodata,
            compress="deflate", bigtiff="IF_SAFER", num_threads="all_cpus",
            **(blocks if whole_blocks else {"tiled": False, "blockysize": rows}), **georeference,
        )  # fmt: skip

    def __setitem__(self, part: Any, cells: np.ndarray) -> None:
        rows = part[1] if isinstance(part, tuple) else part
        bands = cells if cells.ndim == 3 else cells[np.newaxis]
        self._dataset.write(bands, window=((rows.start, rows.stop), (0, self.shape[-1])))

    def flush(self) -> None:
        self._dataset.close()
