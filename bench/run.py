# SPDX-License-Identifier: Apache-2.0
"""Rounds: all peers of a case, in turns, each in its process, on rasters that are new in each round."""

import contextlib
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

from .cases import make_sites
from .check import Verdict
from .peers import BOTH, COPY, PEERS, US
from .worker import status

ROOT = pathlib.Path(__file__).resolve().parent.parent
START_LIMIT = 120  # seconds
KEPT_BYTES = 24  # a cell, that a process with all its arrays holds, by and large
CROWDED_ROUNDS = 3  # when processes release all memory after each turn, and begin anew


@dataclass(frozen=True)
class Entry:
    """A peer, its task, and its number of threads."""

    peer: str
    task: str
    threads: int


@dataclass
class Measurement:
    entry: Entry
    ms: list[float] = field(default_factory=list)  # a round each
    cpu_ms: list[float] = field(default_factory=list)
    scratch: int = 0  # bytes
    verdicts: dict[str, Verdict] = field(default_factory=dict)  # of the outputs
    failed: str = ""
    version: str = ""

    @property
    def median(self):
        return float(np.median(self.ms)) if self.ms else None

    @property
    def is_exact(self):
        """Whether it is exact, by its authors' word and in this case."""
        wrong = any(verdict.wrong for verdict in self.verdicts.values())
        return not self.failed and PEERS[self.entry.peer].exact and not wrong

    @property
    def processors(self):
        """How many it kept busy, at least, in every round."""
        return min((cpu / ms for cpu, ms in zip(self.cpu_ms, self.ms)), default=0)


@dataclass(frozen=True)
class Settings:
    rounds: int = 5
    seconds: float = 2.0
    slow_seconds: float = 5.0
    limit_seconds: float = 300.0
    minutes: float = 55.0


class Worker:
    """A peer's process. Replies have `failed`, if that is how it went."""

    def __init__(self, entry):
        python = PEERS[entry.peer].python or sys.executable
        command = [python, "-m", "bench.worker", entry.peer, entry.task, str(entry.threads)]
        self.process = None
        if os.access(python, os.X_OK):
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if python == sys.executable else subprocess.DEVNULL,
                text=True,
            )

    def ask(self, seconds, **request):
        with contextlib.suppress(OSError):  # of a process that has ended, as the reply tells
            print(json.dumps(request), file=self.process.stdin, flush=True)
        return self.reply(seconds)

    def reply(self, seconds):
        if self.process is None:
            return {"failed": "not installed"}
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            self.stop()
            return {"failed": f"took more than {seconds:.0f} s"}
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        code = self.process.wait()
        if code == -signal.SIGKILL:
            return {"failed": "does not fit in memory"}
        return {"failed": f"its process ended with {code}"}

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.communicate()


@contextlib.contextmanager
def running(measurements):
    """A process for each, which have seen no other case: what they kept of it could not be told from scratch."""
    workers = [Worker(measurement.entry) for measurement in measurements]
    try:
        for worker, measurement in zip(workers, measurements):
            ready = worker.reply(START_LIMIT)
            measurement.version = ready.get("version", "")
            measurement.failed = ready.get("failed", "")
        yield dict(zip((measurement.entry for measurement in measurements), workers))
    finally:
        for worker in workers:
            worker.stop()


def entries_of(case, peers, tasks, thread_counts):
    """The peers that take part in a case, and the reasons why others do not."""
    entries, left_out = [], {}
    for peer in (PEERS[name] for name in peers):
        if peer.name != US and peer.tasks != (COPY,) and not case.peers:
            continue
        if len(case.shape) not in peer.ranks:
            left_out[peer.name] = f"{peer.ranks[-1]}-D only"
        elif case.cells > peer.most_cells:
            left_out[peer.name] = f"too slow for more than {peer.most_cells:,} cells"
        else:
            counts = thread_counts if peer.threaded else [1]
            wanted = [task for task in peer.tasks if task in tasks or task == COPY]
            if case.both_at_once and peer.name != US and BOTH in wanted:
                wanted = [BOTH]
            entries += [Entry(peer.name, task, count) for task in wanted for count in counts]
    return entries, left_out


def measure_case(case, entries, settings, say):
    """The number of sites in the first round, and the measurements of all entries."""
    measurements = [Measurement(entry) for entry in entries]
    memory = status("meminfo", "MemAvailable")
    site_count = None
    crowded = len(entries) * case.cells * KEPT_BYTES > memory / 2
    rounds = min(settings.rounds, CROWDED_ROUNDS) if crowded else settings.rounds
    with (
        running(measurements) as workers,
        tempfile.TemporaryDirectory(dir=shared_memory()) as folder,
    ):
        for number in range(1, rounds + 1):
            waiting = [m for m in measurements if wants_turn(m, number, settings)]
            if all(m.entry.task == COPY for m in waiting):
                break
            sites = pathlib.Path(folder) / f"sites-{number}.npy"
            squared = pathlib.Path(folder) / "squared.npy" if number == 1 else None
            count = make_round(case, number, sites, squared)
            site_count = site_count or count
            # Everyone comes first once, so that no place in the order is always the same one's.
            first = number % len(waiting)
            for measurement in waiting[first:] + waiting[:first]:
                reply = workers[measurement.entry].ask(
                    settings.limit_seconds,
                    sites=str(sites),
                    squared=str(squared) if squared else None,
                    first=crowded or number == 1,
                    slow=settings.slow_seconds * 1e3,
                    drop=crowded,
                )
                take(measurement, reply)
                if any(verdict.closer for verdict in measurement.verdicts.values()):
                    raise AssertionError(f"{case}: {measurement.entry} has nearer sites than us")
            sites.unlink()
            if squared:
                squared.unlink()
            say(f"{case}: round {number} of up to {rounds}")
    return site_count, measurements


def shared_memory():
    """Where rasters are handed over, without a disk if there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def make_round(case, number, sites, squared):
    """Writes the files of a round; the number of its sites."""
    import thiessen

    raster = np.lib.format.open_memmap(sites, "w+", np.int32, case.shape)
    count = make_sites(case.shape, case.kind, number, raster)[1]
    if squared:
        exact = np.lib.format.open_memmap(squared, "w+", np.int64, case.shape)
        thiessen.nearest_site(raster, outputs="squared", out=exact)
        thiessen.release_scratch()
    return count


def wants_turn(measurement, number, settings):
    """Quick ones have all rounds, slow ones as many as fit into the time, at least one."""
    if measurement.failed:
        return False
    if number == 1 or measurement.entry.task == COPY:
        return True
    return sum(measurement.ms) + measurement.median <= settings.seconds * 1e3


def take(measurement, reply):
    if "failed" in reply:
        measurement.failed = reply["failed"]
        return
    measurement.ms.append(round(reply["ms"], 4))
    measurement.cpu_ms.append(round(reply["cpu_ms"], 4))
    if "verdicts" in reply:
        measurement.scratch = reply["scratch"]
        measurement.verdicts = {k: Verdict(**v) for k, v in reply["verdicts"].items()}
