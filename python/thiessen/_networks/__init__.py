# SPDX-License-Identifier: Apache-2.0
"""Ways of least cost between places: tables of costs, networks, corridors."""
