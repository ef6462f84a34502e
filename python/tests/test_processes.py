# SPDX-License-Identifier: Apache-2.0
"""Forks, other processes, and the end of Python."""

from __future__ import annotations

import multiprocessing
import os

import numpy as np
import pytest
import thiessen
from processes import LIMIT, in_a_process


@pytest.mark.parametrize(
    "call",
    [
        "thiessen.nearest_site(np.ones((300, 300))); started.set()",
        "thiessen.nearest_site(np.ones((900, 900))); started.set()",
        "thiessen.nearest_site(np.ones((300, 300)), progress=lambda f: started.set())",
        'thiessen.nearest_site(sparse, method="brute-force", progress=lambda f: started.set())',
        "thiessen.nearest_site(sparse, out={'labels': np.empty_like(sparse)}, slab_rows=9, "
        "progress=lambda f: started.set())",
        "thiessen.compat.scipy.distance_transform_cdt(np.ones((3000, 3000))); started.set()",
    ],
)
def test_the_end_of_python_while_a_daemon_thread_calls(call):
    program = f"""
    started = threading.Event()
    def work():
        while True:
            {call}
    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    started.wait()
    print("end")
    """
    assert in_a_process(program) == "end\n"


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


@needs_fork
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("child", ["call()", "call(); call(4)", "thiessen.release_scratch()", "0"])
def test_fork_after_a_call(child, threads):
    program = f"""
    sites = np.random.default_rng(0).random((600, 500)) < 0.01
    wanted = thiessen.nearest_site(sites, threads={threads}).labels
    def call(threads={threads}):
        assert (thiessen.nearest_site(sites, threads=threads).labels == wanted).all()
    call()
    child = os.fork()
    if child == 0:
        {child}
        sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    call()
    """
    assert in_a_process(program) == ""


@needs_fork
def test_fork_while_another_thread_calls():
    program = """
    started, stop = threading.Event(), threading.Event()
    def report(fraction):
        started.set()
        if stop.is_set():
            raise EOFError
    def work():
        try:
            thiessen.nearest_site(sparse, method="brute-force", progress=report)
        except EOFError:
            print("parent", flush=True)
    other = threading.Thread(target=work)
    other.start()
    started.wait()
    child = os.fork()
    if child == 0:
        thiessen.nearest_site(np.ones((600, 700)))
        print("child", flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    stop.set()
    other.join()
    """
    assert in_a_process(program) == "child\nparent\n"


@needs_fork
def test_fork_within_a_call():
    program = """
    sites = sparse
    pids = []
    def report(fraction):
        if not pids:
            pids.append(os.fork())
        elif pids[0]:
            raise EOFError
    try:
        thiessen.nearest_site(sites, method="brute-force", progress=report)
    except RuntimeError as error:
        assert pids == [0] and "forked" in str(error)
        thiessen.nearest_site(np.ones((700, 700)))
        print("child", flush=True)
        sys.exit(0)
    except EOFError:
        assert os.waitpid(pids[0], 0)[1] == 0
        print("parent", flush=True)
    """
    assert in_a_process(program) == "child\nparent\n"


def labels_of(seed):
    return thiessen.nearest_site(np.random.default_rng(seed).random((60, 70)) < 0.02).labels


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_multiprocessing(start):
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip("not on this system")
    wanted = [labels_of(seed) for seed in range(4)]
    with multiprocessing.get_context(start).Pool(2) as pool:
        found = pool.map_async(labels_of, range(4)).get(timeout=LIMIT)
    np.testing.assert_array_equal(found, wanted)
