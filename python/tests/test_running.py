# SPDX-License-Identifier: Apache-2.0
"""Calls while they run: other threads, signals, progress, and what is left behind.

Nothing here measures time: events say when to go on, and time limits only end what hangs.
"""

from __future__ import annotations

import gc
import itertools
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import oracle
import pytest
import thiessen
from processes import LIMIT, in_a_process


def make_sites(shape=(60, 70), seed=0, density=0.02):
    random = np.random.default_rng(seed)
    return ((random.random(shape) < density) * random.integers(1, 100, shape)).astype(np.int32)


def endless():
    """Arguments of a call that takes long, and reports progress all the time."""
    sites = np.zeros((6000, 6000), np.uint8)
    sites[::200, ::200] = 1
    return {"sites": sites, "method": "brute-force"}


class Stop(Exception):
    pass


def test_progress_grows_to_1():
    for sites in (make_sites(), make_sites((1500, 1500)), np.zeros((0, 5)), np.ones((1, 1))):
        heard = []
        result = thiessen.nearest_site(sites, progress=heard.append)
        assert heard[-1] == 1
        assert all(0 < a < b <= 1 for a, b in itertools.pairwise(heard))
        np.testing.assert_array_equal(result.labels, thiessen.nearest_site(sites).labels)
    heard = []
    thiessen.voronoi([(1, 2), (3, 4)], (50, 60), progress=heard.append)
    assert heard[-1] == 1


def test_an_exception_in_progress_ends_the_call():
    def report(fraction):
        raise Stop(fraction)

    with pytest.raises(Stop):
        thiessen.nearest_site(**endless(), progress=report)
    with pytest.raises(Stop):  # at the last report
        thiessen.nearest_site(make_sites(), progress=report)
    with pytest.raises(TypeError):
        thiessen.nearest_site(make_sites(), progress=lambda: None)
    oracle.assert_equal(thiessen.nearest_site(make_sites()), oracle.nearest_site(make_sites()))


def test_a_call_from_within_a_call():
    inner = make_sites((30, 40), seed=5)
    wanted = thiessen.nearest_site(inner).labels
    found = []

    def report(fraction):
        found.append(thiessen.nearest_site(inner, progress=lambda _: None).labels)
        thiessen.release_scratch()
        if len(found) == 3:
            raise Stop

    with pytest.raises(Stop):
        thiessen.nearest_site(**endless(), progress=report)
    for labels in found:
        np.testing.assert_array_equal(labels, wanted)
    found.clear()
    sites = make_sites()
    result = thiessen.nearest_site(sites, progress=lambda _: found.append(0))
    np.testing.assert_array_equal(result.labels, thiessen.nearest_site(sites).labels)


def test_bars_of_tqdm():
    tqdm = pytest.importorskip("tqdm")
    sites = make_sites()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for total in (1.0, 100, None):
            with tqdm.tqdm(total=total, file=nowhere) as bar:
                thiessen.nearest_site(sites, progress=bar)
                assert bar.n == pytest.approx(1.0 if total is None else total)
    assert "100%" in in_a_process(
        """
        thiessen.nearest_site(np.ones((50, 50)), progress=True)
        from tqdm import tqdm
        thiessen.nearest_site(np.ones((50, 50)), progress=tqdm)
        """
    )


def test_other_threads_run_meanwhile():
    """Only the other thread can end this call."""
    started, ended = threading.Event(), threading.Event()

    def report(fraction):
        started.set()
        if ended.is_set():
            raise Stop

    def work():
        assert started.wait(LIMIT)
        ended.set()

    other = threading.Thread(target=work)
    other.start()
    with pytest.raises(Stop):
        thiessen.nearest_site(**endless(), progress=report)
    other.join(LIMIT)
    assert not other.is_alive()


def test_threads_with_a_small_stack():
    """As others ask for who have thousands of threads, and as musl has them by default."""
    in_a_process(
        """
        faults = []

        def work():
            try:
                for shape in (200, 300), (30, 40, 50):
                    sites = np.zeros(shape, np.uint8)
                    sites[::9, 3::7] = 1
                    for metric in "euclidean", "manhattan", "chessboard":
                        thiessen.nearest_site(sites, metric=metric, threads=1)
                        thiessen.distance_transform(sites, metric=metric, threads=1)
                thiessen.cost_distance(np.eye(50, 60, dtype=np.uint8), cost=np.ones((50, 60)), threads=1)
            except BaseException as fault:
                faults.append(fault)

        for size in 65536, 131072, 262144:
            threading.stack_size(size)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        assert not faults, faults
        """
    )


def test_threads_that_cannot_start():
    in_a_process(
        """
        import resource
        sites = np.zeros((900, 900), np.uint8)
        sites[::9, 3::7] = 1
        with open("/proc/self/statm") as statm:
            now = int(statm.read().split()[0]) * resource.getpagesize()
        # A thread takes 4 MiB of it or more.
        resource.setrlimit(resource.RLIMIT_AS, (now + (1 << 30), resource.RLIM_INFINITY))
        for progress in None, lambda _: None:
            try:
                thiessen.nearest_site(sites, threads=1024, device="cpu", progress=progress)
            except MemoryError as error:
                assert "threads = 1024; only" in str(error), error
            else:
                raise AssertionError("1024 threads in 1 GiB")
        thiessen.nearest_site(sites, threads=2, device="cpu")
        """
    )


def test_calls_of_many_threads():
    rasters = [make_sites((5 + 7 * i, 90 - 6 * i), seed=i, density=0.1) for i in range(12)]
    wanted = [thiessen.nearest_site(sites, threads=1, outputs="site_index") for sites in rasters]

    def work(i):
        sites = rasters[i % 12]
        options = {"threads": 1 + i % 3} if i % 2 else {}
        progress = (lambda _: None) if i % 5 == 0 else None
        result = thiessen.nearest_site(sites, outputs="site_index", progress=progress, **options)
        np.testing.assert_array_equal(result.site_index, wanted[i % 12].site_index)
        return i

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(work, range(240), timeout=LIMIT)) == list(range(240))


def test_an_error_in_another_thread_is_its_own():
    def work(i):
        if i % 2:
            with pytest.raises(ValueError, match="spacing"):
                thiessen.nearest_site(make_sites(), spacing=-i)
        else:
            thiessen.nearest_site(make_sites())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(40), timeout=LIMIT))


INTERRUPTED = """
    sites = sparse
    def later(_=None):
        {interrupt}
    try:
        {call}
    except KeyboardInterrupt:
        print("interrupted")
    small = np.zeros((2, 3), np.uint8)
    small[0, 2] = 5
    print(thiessen.nearest_site(small).labels.tolist())
    print(thiessen.nearest_site(small, method="brute-force").labels.tolist())
"""
RIGHT = "[[5, 5, 5], [5, 5, 5]]\n"


@pytest.mark.parametrize(
    "call",
    [
        'timer.start(); thiessen.nearest_site(sites, method="brute-force")',
        'timer.start(); thiessen.nearest_site(sites, method="brute-force", progress=lambda f: None)',
        'thiessen.nearest_site(sites, method="brute-force", progress=later)',
        'timer.start(); thiessen.voronoi(np.random.rand(4000, 2), (20000, 2000), method="brute-force")',
    ],
)
def test_ctrl_c(call):
    program = INTERRUPTED.format(
        interrupt="os.kill(os.getpid(), signal.SIGINT)",
        call="timer = threading.Timer(0.2, later); " + call,
    )
    assert in_a_process(program) == "interrupted\n" + RIGHT + RIGHT


def test_a_signal_handler_that_raises():
    program = INTERRUPTED.format(
        interrupt="signal.raise_signal(signal.SIGUSR1)",
        call='thiessen.nearest_site(sites, method="brute-force", progress=later)',
    )
    handler = """
    class Enough(KeyboardInterrupt): pass
    def handle(*_): raise Enough
    signal.signal(signal.SIGUSR1, handle)
    """
    assert in_a_process(handler + program) == "interrupted\n" + RIGHT + RIGHT


def test_a_signal_handler_that_does_not_raise():
    program = """
    handled = []
    signal.signal(signal.SIGUSR1, lambda *_: handled.append(thiessen.nearest_site(np.eye(3))))
    def report(fraction):
        signal.raise_signal(signal.SIGUSR1)
        if len(handled) > 1:
            raise EOFError
    try:
        thiessen.nearest_site(sparse, method="brute-force", progress=report)
    except EOFError:
        print(handled[1].labels.tolist())
    """
    assert in_a_process(program) == "[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]\n"


def test_only_the_main_thread_handles_signals():
    program = """
    def work():
        def report(fraction):
            signal.raise_signal(signal.SIGINT)
            raise EOFError
        try:
            thiessen.nearest_site(sparse, method="brute-force", progress=report)
        except EOFError:
            print("ended by its own exception")
    other = threading.Thread(target=work)
    try:
        other.start()
        other.join()
    except KeyboardInterrupt:
        pass
    try:
        other.join()
    except KeyboardInterrupt:
        pass
    """
    assert in_a_process(program) == "ended by its own exception\n"


def test_threads_and_memory_are_bounded():
    program = """
    sites = np.ones((300, 400), np.uint8)
    def status(key):
        with open("/proc/self/status") as lines:
            return int(next(line for line in lines if line.startswith(key)).split()[1])
    def work():
        for threads in range(1, 41):
            thiessen.nearest_site(sites, threads=threads)
        for device in ("auto", "cpu", "cpu:0"):
            thiessen.nearest_site(sites, device=device)
    work()
    memory = status("VmRSS")
    for _ in range(4):
        other = threading.Thread(target=work)
        other.start()
        other.join()
    assert status("VmRSS") < memory + 60_000, (memory, status("VmRSS"))
    assert status("Threads") < 100, status("Threads")
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    in_a_process(program)


def test_memory_does_not_grow():
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    program = """
    import tracemalloc
    sites = np.eye(100, dtype=np.uint8)
    masked = np.ma.MaskedArray(sites, sites == 3)
    out = np.zeros((100, 100), np.float32)
    points = [(1, 2), (5, 6)]
    def work(times):
        for i in range(times):
            thiessen.nearest_site(sites, progress=(lambda f: None) if i % 50 == 0 else None)
            thiessen.distance_transform(sites, out=out)
            thiessen.nearest_site(masked, outputs=("labels", "offset"))
            thiessen.voronoi(points, (20, 20))
            for bad in ({"spacing": -1}, {"nodata": 300}, {"out": out[1:]}, {"method": "x"}):
                try:
                    thiessen.nearest_site(sites, outputs="distance", **bad)
                except ValueError:
                    pass
    def resident():
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    work(100)
    tracemalloc.start()
    before, resident_before = tracemalloc.get_traced_memory()[0], resident()
    work(1000)
    grown, resident_grown = tracemalloc.get_traced_memory()[0] - before, resident() - resident_before
    assert grown < 200_000, grown
    assert resident_grown < 30_000_000, resident_grown
    """
    in_a_process(program)


def test_solvers_that_are_dropped_leave_nothing():
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    program = """
    points = [(1.5, 2), (5, 6.5), (30, 40)]
    def work(times):
        for _ in range(times):
            thiessen.NearestSiteSolver.of_points(points, (60, 60), threads=2)
    def resident():
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    work(200)
    before = resident()
    work(1000)
    assert resident() < before + 2_000_000, resident() - before
    """
    in_a_process(program)


def test_references_are_given_back():
    sites = make_sites((40, 50))
    points = np.array([(1.0, 2), (3, 4)])
    labels = np.zeros((40, 50), np.int32)
    distance = np.zeros((40, 50), np.float32)
    unreached = 10**6 + 1
    callback = [].append
    objects = [sites, points, labels, distance, unreached, callback]
    out = {"labels": labels, "distance": distance}

    def calls():
        thiessen.nearest_site(sites, out=out, unreached=unreached)
        thiessen.nearest_site(sites, out=out, progress=callback, values=[unreached])
        thiessen.voronoi(points, (40, 50), out=out)
        for bad in ({"spacing": -1}, {"nodata": 0.5}, {"metric": "x"}, {"device": "x"}):
            with pytest.raises(ValueError, match="must be|this build has"):
                thiessen.nearest_site(sites, out=out, progress=callback, **bad)
        with pytest.raises(ValueError, match="overlaps"):
            thiessen.nearest_site(sites, outputs="labels", out=sites)
        with pytest.raises(TypeError):
            thiessen.nearest_site(sites, out=out, progress=lambda: None)

    calls()
    gc.collect()
    before = [sys.getrefcount(each) for each in objects]
    for _ in range(5):
        calls()
    gc.collect()
    assert [sys.getrefcount(each) for each in objects] == before
    for array in (sites, points, labels, distance):
        array.resize(array.shape, refcheck=False)  # raises while somebody holds the buffer


def test_release_scratch():
    sites = make_sites()
    wanted = thiessen.nearest_site(sites).labels
    for _ in range(3):
        thiessen.release_scratch()
        thiessen.release_scratch()
        np.testing.assert_array_equal(thiessen.nearest_site(sites).labels, wanted)
    ThreadPoolExecutor(1).submit(thiessen.release_scratch).result(timeout=LIMIT)


def test_an_input_that_another_thread_changes_meanwhile():
    """What comes out is nobody's, but nothing breaks and the next call is right."""
    program = """
    random = np.random.default_rng(0)
    rasters = [(random.random((120, 130)) < density).astype(np.uint8) for density in (0, .01, .5, 1)]
    sites = rasters[1].copy()
    ground = np.ones(sites.shape, np.float32)
    done = threading.Event()
    def change():
        while not done.is_set():
            for raster in rasters:
                sites[...] = raster
                sites[::2] = raster[::-2]
    other = threading.Thread(target=change)
    other.start()
    for i in range(60):
        for metric in ("euclidean", "manhattan", "chessboard"):
            for array in (sites, sites.view(bool), np.broadcast_to(sites, (2, 120, 130))):
                thiessen.nearest_site(array, metric=metric, outputs=("labels", "offset", "distance"),
                                      signed_distance=i % 2 == 1, periodic=i % 3 == 1)
        thiessen.distance_transform(sites, distance_to="boundary")
        thiessen.connected_components(sites)
        for periodic in (False, True):
            thiessen.nearest_site(sites[:30, :30], method="brute-force", periodic=periodic)
        thiessen.cost_distance(sites, stiffness=ground)
    done.set()
    other.join()
    thiessen.nearest_site(sites)
    """
    assert in_a_process(program) == ""


def test_nothing_is_printed_whatever_the_number_of_threads():
    program = """
    sites = np.ones((300, 400), np.uint8)
    def work():
        for threads in (1, 3, 8, 2, 40, 7):
            thiessen.nearest_site(sites, threads=threads)
    others = [threading.Thread(target=work) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    """
    assert in_a_process(program) == ""


def test_strict_is_of_functions_that_have_it() -> None:
    sites, cost = np.eye(3, dtype=np.uint8), np.ones((3, 3))
    with thiessen.running(strict=True):
        thiessen.CostSolver(sites, cost=cost)
        thiessen.farthest_cost_sites(2, cost=cost)
        slab = thiessen.slabs.CostSlab(sites, shape=(3, 3), first=0, count=3, cost=cost)
        slab.visit("costs", is_first=True)
        with pytest.raises(ValueError, match="no site"):
            thiessen.nearest_site(np.zeros((3, 3), np.uint8))


def test_defaults_that_are_given() -> None:
    sites = np.eye(3, dtype=np.uint8)
    for name, value in {
        "memory": None, "overwrite": np.False_, "keep_sites": np.False_, "metric": np.str_("euclidean"),
    }.items():  # fmt: skip
        assert thiessen.nearest_site(sites, **{name: value}).labels.dtype == np.uint8
    array = pytest.importorskip("dask.array")
    for name, value in {
        "strict": False, "device": "cpu", "batch_axes": (), "ties_unreached": np.False_,
    }.items():  # fmt: skip
        thiessen.nearest_site(array.from_array(sites), **{name: value})
