# SPDX-License-Identifier: Apache-2.0
"""Modules of GRASS, in a location of its own."""

import shutil
import subprocess

import numpy as np


class Grass:
    """Its region is a raster of square cells."""

    def __init__(self, folder, shape, cell=1.0):
        if not shutil.which("grass"):
            raise OSError("grass is not installed")
        self.folder, self.shape = folder, shape
        height, width = shape
        self.bounds = f"n={cell * height} s=0 e={cell * width} w=0 rows={height} cols={width}"
        self._call("-c", "EPSG:32631", "-e", folder / "location")
        self.run(f"g.region {self.bounds}")

    def run(self, script):
        file = self.folder / "script.sh"
        file.write_text(script)
        self._call(self.folder / "location" / "PERMANENT", "--exec", "bash", "-e", file)

    def _call(self, *words):
        subprocess.run(["grass", *words], check=True, cwd=self.folder, capture_output=True)

    def bring(self, name, cells, null=None):
        cells.tofile(self.folder / "in.bin")
        kind = f"{'-f' if cells.dtype.kind == 'f' else '-s'} bytes={cells.itemsize}"
        nulls = "" if null is None else f"anull={null}"
        self.run(f"r.in.bin {kind} input=in.bin output={name} {nulls} {self.bounds} --overwrite")

    def seconds_of(self, module):
        """The time of a module as a process, with reading and writing of rasters in GRASS's own format."""
        self.run(
            f"start=$(date +%s.%N)\n{module} --overwrite\nend=$(date +%s.%N)\n"
            'awk "BEGIN { print $end - $start }" > seconds.txt'
        )
        return float((self.folder / "seconds.txt").read_text())

    def costs(self, name):
        """A raster of doubles, with inf for null."""
        self.run(f"r.out.bin -f input={name} output=out.bin bytes=8 null=-1 --overwrite")
        found = np.fromfile(self.folder / "out.bin").reshape(self.shape)
        return np.where(found < 0, np.inf, found)
