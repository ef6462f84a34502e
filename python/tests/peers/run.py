# SPDX-License-Identifier: Apache-2.0
"""Run the tests of SciPy and scikit-image on our functions: python python/tests/peers/run.py

requirements.txt beside this file names the releases whose wheels have their tests in them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from table import PEERS, Peer

HERE = Path(__file__).resolve().parent


def passes(peer: Peer) -> bool:
    """Whether the peer's tests pass, in a process of their own."""
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"THIESSEN_PEER": peer.name, "PYTHONPATH": path}
    command = [sys.executable, "-m", "pytest", "-p", "swap", "-p", "no:cacheprovider", "-q"]
    # Our own settings of pytest are not for them.
    command += ["-c", os.devnull, "--pyargs", peer.tests, "-k", peer.keyword]
    print(f"== {peer.name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:  # so that no source folder is imported
        return subprocess.run(command, env=environment, cwd=folder, check=False).returncode == 0


def main() -> int:
    failed = [peer.name for peer in PEERS if not passes(peer)]
    print(f"== failed: {', '.join(failed)}" if failed else "== all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
