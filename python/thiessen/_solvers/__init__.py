# SPDX-License-Identifier: Apache-2.0
"""Objects that keep a problem and its answer, and what places sites by them."""
