# SPDX-License-Identifier: Apache-2.0
"""A file for each algorithm, and what they share in `algorithm.py`."""
