# SPDX-License-Identifier: Apache-2.0
"""Programs that tests run in a process of their own."""

from __future__ import annotations

import subprocess
import sys
import textwrap

LIMIT = 60  # seconds, of what takes less than one


def in_a_process(program: str, status: int = 0) -> str:
    """Runs a program of its own; what it writes."""
    head = """
import os, signal, sys, threading
import numpy as np, thiessen
sparse = np.zeros((6000, 6000), np.uint8)
sparse[::200, ::200] = 1
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", head.lstrip() + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr
