# SPDX-License-Identifier: Apache-2.0
"""A process that runs one peer: `python -m bench.worker PEER TASK THREADS`.

Reads requests and writes replies, a line of JSON each. A request:

sites      the file with the raster of sites
squared    the file with the exact squared distances, if the answer is to be checked
first      whether to call once before the call that is timed: kept scratch, the first touch of memory.
           Memory and answer are those of this call; if it took longer than `slow` ms, so is the time
drop       whether to give all memory back afterwards
"""

import ctypes
import json
import os
import resource
import sys
import time

import numpy as np

from .cases import make_sites
from .check import check
from .peers import PEERS

FIRST_SHAPES = {2: (256, 256), 3: (40, 40, 40)}
MARGIN = 1 << 30  # bytes of the machine's memory that nobody gets
SHORT = 0.05  # seconds: calls that take less are repeated for as long, as the first one is cold


def status(file, key):
    """Bytes of an entry of /proc/meminfo or /proc/self/status."""
    with open(f"/proc/{file}") as lines:
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(key + ":"))


def limit_memory():
    """An allocation that the machine has no memory for fails, before others are killed."""
    limit = status("self/status", "VmData") + max(0, status("meminfo", "MemAvailable") - MARGIN)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def trim():
    """Gives free memory back, so that what is taken next can be seen."""
    ctypes.CDLL(None).malloc_trim(0)


def measured(peer, sites):
    """Milliseconds of a call by the clock and of all processors, and bytes of its scratch memory.

    For short calls it is the mean without the first one, which finds nothing of its own in the caches.
    """
    peer.prepare(sites)
    trim()
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # forgets the peak
    before = status("self/status", "VmRSS")
    seconds, cpu_seconds = timed(peer.run, calls=1)
    growth = status("self/status", "VmHWM") - before
    if seconds < SHORT:
        seconds, cpu_seconds = timed(peer.run, calls=int(SHORT / seconds) + 1)
    return {
        "ms": seconds * 1e3,
        "cpu_ms": cpu_seconds * 1e3,
        "scratch": max(0, growth - peer.result_bytes()),
    }


def timed(call, calls):
    """Seconds of a call by the clock and of all processors, on average."""
    cpu, start = time.process_time(), time.perf_counter()
    for _ in range(calls):
        call()
    end, cpu = time.perf_counter(), time.process_time() - cpu
    return (end - start) / calls, cpu / calls


def answer_request(peer, sites, squared=None, first=False, slow=float("inf"), drop=False):
    sites = np.load(sites, mmap_mode="r")
    empty = dict(vars(peer))
    reply = {}
    if first:
        peer.release()
        reply = measured(peer, sites)
        if squared is not None:
            verdicts = check(peer.answer(), sites, np.load(squared, mmap_mode="r"))
            reply["verdicts"] = {name: vars(verdict) for name, verdict in verdicts.items()}
    if not first or reply["ms"] <= slow:
        reply = measured(peer, sites) | {k: reply[k] for k in reply if k not in ("ms", "cpu_ms")}
    if drop:
        empty_out(peer, empty)
    return reply


def empty_out(peer, empty):
    vars(peer).clear()
    vars(peer).update(empty)
    peer.release()
    trim()


def failure(error):
    words = ("alloc", "memory", "Memory")
    if isinstance(error, MemoryError) or any(word in str(error) for word in words):
        return "does not fit in memory"
    return f"{type(error).__name__}: {str(error).splitlines()[0][:200] if str(error) else ''}"


def main(name, task, threads):
    # What libraries print must not get between the replies.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def say(reply):
        print(json.dumps(reply), file=replies, flush=True)

    try:
        peer = PEERS[name](task, int(threads))
    except ImportError as error:
        return say({"failed": f"not installed ({error})"})
    empty = dict(vars(peer))
    for rank in peer.ranks:  # what is loaded or made at the first call is no scratch of the calls
        peer.prepare(make_sites(FIRST_SHAPES[rank], "1%", seed=0)[0])
        peer.run()
    empty_out(peer, empty)
    say({"version": peer.version()})
    for line in sys.stdin:
        limit_memory()
        try:
            say(answer_request(peer, **json.loads(line)))
        except Exception as error:
            empty_out(peer, empty)
            say({"failed": failure(error)})
    return None


if __name__ == "__main__":
    main(*sys.argv[1:])
