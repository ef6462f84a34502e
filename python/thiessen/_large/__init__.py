# SPDX-License-Identifier: Apache-2.0
"""Rasters larger than memory: slabs by graphs of Dask, in files and in stores."""
