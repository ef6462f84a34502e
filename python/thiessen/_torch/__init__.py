# SPDX-License-Identifier: Apache-2.0
"""What PyTorch knows of: operators."""
