# SPDX-License-Identifier: Apache-2.0
"""Arguments of all functions: what they may be, and their form for the core."""
