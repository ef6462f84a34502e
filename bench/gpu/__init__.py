# SPDX-License-Identifier: Apache-2.0
"""Measures the cuda backend and its peers on one GPU; see bench/README.md."""
