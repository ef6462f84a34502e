# SPDX-License-Identifier: Apache-2.0
"""Facades with the signatures, the polarity and the tie rules of other libraries.

Each is imported by name and needs nothing that it stands in for:
``from thiessen.compat.scipy import distance_transform_edt``. What differs is listed in
docs/coming-from.md.
"""
