# SPDX-License-Identifier: Apache-2.0
"""The verbs: what users call, whatever the kind of array. Each has a signature and its help."""
