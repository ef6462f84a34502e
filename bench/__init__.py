# SPDX-License-Identifier: Apache-2.0
"""thiessen and its peers on the same rasters in one run: `make bench`, see README.md here."""
