# SPDX-License-Identifier: Apache-2.0
"""Run the tests of other libraries on our functions: python python/tests/peers/run.py [NAME...|--all]

requirements.txt beside this file names the releases whose wheels have their tests in them. Without
a name those run that continuous integration runs; `make test-peers` runs all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from table import PEERS, Peer

HERE = Path(__file__).resolve().parent


def fetch(peer: Peer, folder: str) -> None:
    """Get and unpack the release that holds the tests."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
    command += ["--no-build-isolation", "--disable-pip-version-check", peer.fetched]
    if peer.from_source:
        command += ["--no-binary", ":all:"]
    subprocess.run(command, check=True)
    for archive in Path(folder).iterdir():
        shutil.unpack_archive(archive, folder, "zip" if archive.suffix == ".whl" else None)


def passes(peer: Peer) -> bool:
    """Whether the peer's tests pass, in a process of their own."""
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"THIESSEN_PEER": peer.name, "PYTHONPATH": path}
    command = [sys.executable, "-m", "pytest", "-p", "swap", "-p", "no:cacheprovider", "-q"]
    if peer.stand_in:  # other plugins would look for a device in it
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # Our own settings of pytest are not for them.
    command += ["-c", os.devnull, "-k", peer.keyword]
    print(f"== {peer.name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:  # so that no source folder is imported
        if peer.fetched:
            fetch(peer, folder)
            command += ["--import-mode=importlib", peer.tests]
        else:
            command += ["--pyargs", peer.tests]
        return subprocess.run(command, env=environment, cwd=folder, check=False).returncode == 0


def chosen_peers(names: list[str]) -> list[Peer]:
    if not names:
        return [peer for peer in PEERS if not peer.by_hand]
    if names == ["--all"]:
        return list(PEERS)
    unknown = set(names) - {peer.name for peer in PEERS}
    if unknown:
        sys.exit(f"run.py: no peer {', '.join(sorted(unknown))}")
    return [peer for peer in PEERS if peer.name in names]


def main() -> int:
    peers = chosen_peers(sys.argv[1:])
    too_new = [peer.name for peer in peers if sys.version_info < peer.python]
    failed = [peer.name for peer in peers if peer.name not in too_new and not passes(peer)]
    if too_new:
        print(f"== not run, as this Python is too old: {', '.join(too_new)}")
    print(f"== failed: {', '.join(failed)}" if failed else "== all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
