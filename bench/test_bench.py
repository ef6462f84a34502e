# SPDX-License-Identifier: Apache-2.0
"""What the tables are made of: cases, checks, and the comparisons between rows."""

import argparse
import pathlib

import numpy as np
import pytest

from bench import cluster, harness, record, report
from bench.cases import (
    KINDS,
    OWN_KINDS,
    TABLE,
    Case,
    kinds_by_size,
    make_sites,
    parse_size,
    shape_cases,
    standard_cases,
)
from bench.check import Verdict, check
from bench.peers import BOTH, COPY, DISTANCE, LABELS
from bench.report import CaseResult, figure
from bench.run import Entry, Measurement, Settings, entries_of, wants_turn
from bench.shapes import SHAPES, mark

EXTENTS = [(37, 50), (12, 15, 18)]


@pytest.mark.parametrize(
    ("shape", "kind"),
    [(shape, kind) for shape in EXTENTS for kind in (*KINDS, *OWN_KINDS, *SHAPES[len(shape)])],
)
def test_sites_are_numbered_in_order(shape, kind):
    sites, count = make_sites(shape, kind, seed=1)
    assert sites.dtype == np.int32
    assert sites.shape == shape
    assert sites[sites > 0].tolist() == list(range(1, count + 1))
    assert count == sites.size or (sites != make_sites(shape, kind, seed=2)[0]).any()
    assert np.array_equal(sites, make_sites(shape, kind, seed=1)[0])


def test_shares_and_numbers_of_sites():
    assert make_sites((100, 100), "123", 1)[1] == 123
    assert make_sites((1000, 1000), "10%", 1)[1] == pytest.approx(100_000, rel=0.02)
    assert make_sites((3, 3), "0.001%", 1)[1] == 1
    assert make_sites((3, 3), "100", 1)[1] == 9


def test_sizes():
    assert parse_size("1000x800") == (800, 1000)
    assert parse_size("3x4x5") == (5, 4, 3)
    for text in ("5", "0x3", "1x2x3x4"):
        with pytest.raises(ValueError):
            parse_size(text)


def test_standard_cases():
    cases = standard_cases(["1000x800", "16384x16384"])
    assert [case.kind for case in cases[:11]] == [*KINDS, *OWN_KINDS]
    assert [case.kind for case in cases[11:]] == ["100", "1%", "50%", "lines"]
    assert [case.kind for case in cases if case.peers] == [*KINDS, "1%"]
    assert len(standard_cases(["16384x16384"], full=True)) == len(KINDS + OWN_KINDS)
    assert all(case.peers for case in standard_cases(["16384x16384"], ["10%", "2%"]))


def test_shapes():
    cases = shape_cases(["4096x4096", "256x256x256"])
    assert [len(SHAPES[axes]) for axes in (2, 3)] == [8, 8]
    assert {case.kind for case in cases if len(case.shape) == 3} == set(SHAPES[3])
    nuclei, count = make_sites((300, 300), "nuclei", 1)
    assert 0.15 < count / nuclei.size < 0.5
    assert count + make_sites((300, 300), "inside", 1)[1] == nuclei.size
    assert 0 < make_sites((300, 300), "coast", 1)[1] < 0.2 * nuclei.size


def test_peers_of_large_shapes_give_both_results_at_once():
    land = shape_cases(["512x512x512"])[0]
    entries, _ = entries_of(land, ["thiessen", "SciPy"], [LABELS, BOTH], [1])
    assert [entry.task for entry in entries if entry.peer == "SciPy"] == [BOTH]
    assert [entry.task for entry in entries if entry.peer == "thiessen"] == [LABELS, BOTH]


def test_all_kinds_of_the_list_can_be_drawn():
    """But for those of the conformance suite, which are drawn there."""
    suites = {line.split()[0] for line in TABLE.read_text().splitlines() if line[:1].isalpha()}
    for suite in suites - {"conformance"}:
        for size, kinds in kinds_by_size(suite).items():
            for kind in kinds:
                mask = np.zeros((9, 10, 11) if size.count("x") == 2 else (30, 40), bool)
                assert mark(mask, kind.removesuffix("-fractional"), np.random.default_rng(1)).any()


def test_comparisons_check_every_round_and_leave_out_who_is_slow():
    seen = []

    def make(number):
        times = {"ours": 1.0, "slow": 8.0, "quick": 0.5}
        return {who: lambda who=who: harness.Told(who, times[who]) for who in times}

    def check(answers):
        seen.append("".join(name[0] for name in answers))
        return {"slow": "wrong"}

    options = argparse.Namespace(rounds=3, seconds=10, json=True, output=None, folder=None)
    with harness.Report(options, (), harness.wall, 0) as shown:
        rows = shown.rows_of(harness.Case("case", make, check, cells=2_000_000))
    assert seen == ["osq", "oq", "oq", "oq"]
    assert [row["ratio"] for row in rows] == [1, 8, 0.5]
    assert [row["Mcell/s"] for row in rows] == [2, 0.25, 4]
    assert [row["answer"] for row in rows] == ["", "wrong", ""]


@pytest.fixture(params=EXTENTS, ids=str)
def solved(request):
    """Sites, and by brute force the squared distances and the last of the nearest sites."""
    shape = request.param
    sites, _ = make_sites(shape, "1%", seed=3)
    places = np.argwhere(sites)
    cells = np.indices(shape).reshape(len(shape), -1).T
    every = ((cells[:, np.newaxis] - places) ** 2).sum(axis=2)
    last = every.shape[1] - 1 - every[:, ::-1].argmin(axis=1)
    return sites, every.min(axis=1).reshape(shape), places[last].T.reshape(len(shape), *shape)


def answers(sites, squared, indices):
    return {
        "distance": np.sqrt(squared).astype(np.float32),
        "labels": sites[tuple(indices)].astype(np.int64),
        "indices": indices.astype(np.int32),
    }


def test_exact_answers_are_exact_whatever_the_ties(solved):
    verdicts = check(answers(*solved), *solved[:2])
    assert verdicts == dict.fromkeys(verdicts, Verdict(cells=solved[0].size))


def test_errors_are_found(solved):
    sites, squared, indices = solved
    cell = np.unravel_index(squared.argmin() + 1, sites.shape)  # beside a site, and free
    other = np.argwhere(sites != sites[tuple(indices[(slice(None), *cell)])])
    other = next(at for at in other if sites[tuple(at)])
    wrong = answers(*solved)
    wrong["distance"][cell] = np.nan
    wrong["labels"][cell] = sites[tuple(other)]
    wrong["indices"][(slice(None), *cell)] = cell  # a real cell without a site
    verdicts = check(wrong, sites, squared)
    assert {name: verdict.wrong for name, verdict in verdicts.items()} == dict.fromkeys(wrong, 1)
    assert all(np.isinf(verdicts[name].worst) for name in ("distance", "indices"))
    far = np.sqrt(((other - cell) ** 2).sum()) - np.sqrt(squared[cell])
    assert verdicts["labels"].worst == pytest.approx(far)


def test_a_site_nearer_than_ours_is_noticed(solved):
    sites, squared, _ = solved
    labels = {"labels": answers(*solved)["labels"]}
    verdict = check(labels, sites, squared + (squared > 0))["labels"]
    assert verdict.closer == verdict.wrong == np.count_nonzero(squared)


def test_inside_of_areas_signed_distances_may_be_negative():
    sites = np.array([[1, 2, 0]], np.int32)
    squared = np.array([[0, 0, 1]])
    assert check({"distance": np.array([[-1.0, -1, 1]])}, sites, squared)["distance"].wrong == 0
    assert check({"distance": np.array([[0.0, 0, -1]])}, sites, squared)["distance"].wrong == 1


def measured(peer, task, threads, ms, wrong=0):
    return Measurement(
        Entry(peer, task, threads), [ms], [ms], verdicts={task: Verdict(800_000, wrong)}
    )


def test_rivals_give_as_much_are_exact_and_have_no_more_threads():
    ours = measured("thiessen", LABELS, 1, 10)
    result = CaseResult(
        Case("1000x800", "1%"),
        8000,
        [
            measured("memcpy", COPY, 1, 1),
            ours,
            measured("SciPy", LABELS, 1, 60),
            measured("SciPy", BOTH, 1, 50),
            measured("edt", DISTANCE, 1, 40),
            measured("edt", DISTANCE, 2, 20),
            measured("OpenCV", DISTANCE, 1, 30, wrong=3),
            measured("GDAL", DISTANCE, 1, 5),
        ],
        {},
    )
    assert result.fastest_peer(1, LABELS).entry == Entry("SciPy", BOTH, 1)
    assert result.fastest_peer(1).entry == Entry("edt", DISTANCE, 1)
    assert result.fastest_peer(2).entry == Entry("edt", DISTANCE, 2)
    assert result.row(ours)[3:8] == ["10.0", "80.0", "10.0", "5.00", "4.00"]


def test_who_takes_part():
    entries, left_out = entries_of(
        Case("512x512x512", "1%"), ["thiessen", "OpenCV", "k-d tree", "SciPy"], [LABELS], [1, 2]
    )
    assert {(entry.peer, entry.threads) for entry in entries} == {
        ("thiessen", 1),
        ("thiessen", 2),
        ("SciPy", 1),
    }
    assert left_out == {
        "OpenCV": "2-D only",
        "k-d tree": "too slow for more than 5,000,000 cells",
    }
    alone, _ = entries_of(Case("1000x800", "2%", peers=False), ["thiessen", "SciPy"], [LABELS], [1])
    assert alone == [Entry("thiessen", LABELS, 1)]


def test_slow_ones_have_fewer_turns():
    settings = Settings(seconds=1)
    assert wants_turn(measured("SciPy", LABELS, 1, 5000), 1, settings)
    assert wants_turn(measured("SciPy", LABELS, 1, 400), 2, settings)
    assert not wants_turn(measured("SciPy", LABELS, 1, 600), 2, settings)


def test_figures_have_three_digits():
    assert [figure(n) for n in (0, 0.01234, 0.5, 12.345, 1234567.8, None, np.inf)] == [
        "0",
        "0.0123",
        "0.500",
        "12.3",
        "1,234,568",
        "-",
        "inf",
    ]


def test_tables_on_record_come_from_the_measurements_on_record(tmp_path):
    """Also after the measurements have been written once more."""
    folder = pathlib.Path(__file__).parent / "results"
    again = tmp_path / "results.json"
    record.write(again, *record.read(folder / "results.json"))
    assert again.read_text() == (folder / "results.json").read_text()
    assert report.markdown(*record.read(again)) == (folder / "results.md").read_text()


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 64, 100])
def test_a_simulated_cluster_has_the_bits_of_one_call(workers):
    """Also with workers that have no row, and with slabs within the slabs of workers."""
    thiessen = pytest.importorskip("thiessen")
    rounds = (workers - 1).bit_length()
    for shape in [(70, 40), (66, 9, 8)]:
        sites, _ = make_sites(shape, "30", seed=workers)
        job = cluster.Trial(sites, workers, rows=4)
        machines = cluster.Cluster(workers, cluster.Rates())
        cluster.run(machines, job)
        wanted = thiessen.nearest_site(sites)
        assert np.array_equal(job.result("labels"), wanted.labels)
        assert np.array_equal(job.result("distance"), wanted.distance)
        assert max(machines.faces) <= 2 * rounds
        assert machines.bytes == [count * job.face_bytes for count in machines.faces]
        on_paper = cluster.Cluster(workers, cluster.Rates())
        cluster.run(on_paper, cluster.Paper(shape, workers))
        assert on_paper.faces == machines.faces
        columns = np.prod(shape[1:])
        assert 0 <= job.face_bytes - columns * 8 < 100  # coordinates and labels, and what they are


def test_rasters_beyond_our_machines():
    """Every worker knows of all others, and takes no more memory than it may."""
    rates = cluster.Rates()
    flat = cluster.estimate((10**6, 10**6), 64, rates, memory=64e9)
    assert flat["faces received by a worker"] <= 12
    assert flat["memory of a worker, GB"] <= 64
    assert flat["share of computing"] > 0.99
    deep = cluster.estimate((10**4,) * 3, 64, rates, memory=64e9)
    assert deep["GB received by a worker"] > 90 * flat["GB received by a worker"]
    more = cluster.estimate((10**4,) * 3, 4096, rates, memory=64e9)
    assert more["share of computing"] < 0.5


def test_workers_with_too_little_memory():
    assert cluster.rows_within(1e6, rows=10, columns=1000, cell_bytes=40, face_bytes=8000)[0] == 10
    assert cluster.rows_within(1e5, rows=10, columns=1000, cell_bytes=40, face_bytes=8000)[0] == 0
    with pytest.raises(ValueError, match="do not lie side by side"):
        cluster.Paper((4, 4), 2).join(range(1), range(2, 3))
