# SPDX-License-Identifier: Apache-2.0
"""Results as pictures."""
