# SPDX-License-Identifier: Apache-2.0
"""The figures of the papers as readers see them: all of them are drawn, with every line and nothing cut off."""

import sys

import numpy as np
import pytest

from bench.papers import plots

# Tables of thiessen-bench, shortened; tests/papers compares the columns.
PASSES = """\
method,pass,step,entropy,differing,wrong,wrong_percent,unreached,largest_error_cells
jfa,0,0,0.017,100,100,99.6,100,0.0
jfa,1,4,1.5,10,10,50.0,0,3.0
jfa-star,0,0,3.1,90,90,99.0,0,9.5
jfa-star,1,4,0.2,0,0,0.0,0,0.0
"""
SWEEP = """\
height,width,sites,method,passes,ms,differing,wrong,wrong_percent,unreached,largest_error_cells,worst_cell,disconnected,entropy,steps
16,16,4,jfa,4,0.2,1,1,0.4,0,0.1,3 4,0,0.4,8 4 2 1
16,16,4,exact,,0.1,,,,,,,0,0.4,
8,8,4,jfa,3,0.1,0,0,0.0,0,0.0,,0,0.5,4 2 1
8,8,4,exact,,0.1,,,,,,,0,0.5,
"""
BY_SIZE = """\
height,width,sites,method,device,threads,ms,copies_ms,agrees,whole_raster
70,90,100,brute-force,cpu,1,0.3,0.0,true,
70,90,100,dilation,cpu,1,0.9,0.0,true,true
30,40,100,brute-force,cpu,1,0.1,0.0,true,
30,40,100,dilation,cpu,1,0.5,0.0,true,true
"""
PAPER = """\
height,width,sites,scan_ms,distance_transform_ms,gpu_ms
800,1000,100,126.4,67.9,109.1
1000,1500,100,230.3,117.7,131.5
"""
TIMES = """\
map,height,width,sites,method,device,threads,mean_ms,deviation_ms,iterations,active_cells,active_percent
gradient,32,64,5,dijkstra,cpu,1,0.2,0.0,2048,,
gradient,32,64,5,relaxation,cpu,2,0.4,0.0,33,70.5,3.4
gradient,32,64,5,paper,Core i7-930,1,8.323,2.668,2048,,
gradient,32,64,5,paper,GTX 480,,1.164,0.004,32,64.0,3.125
uniform,32,32,5,dijkstra,cpu,1,0.1,0.0,1024,,
uniform,32,32,5,relaxation,cpu,2,0.05,0.0,20,60.0,5.9
uniform,32,32,5,paper,Core i7-930,1,4.743,1.144,1024,,
uniform,32,32,5,paper,GTX 480,,0.707,0.002,20,51.2,5.0
uniform,256,256,64,dijkstra,cpu,1,20.0,0.0,65536,,
uniform,256,256,64,relaxation,cpu,2,9.0,0.0,99,700.0,1.1
"""


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """Draws tables and rasters; the figures by their names, before they are written."""

    def draw(tables, rasters=()):
        for name, text in tables.items():
            (tmp_path / f"{name}.csv").write_text(text)
        for name, raster in dict(rasters).items():
            np.save(tmp_path / f"{name}.npy", raster)
        figures = {}
        save = plots.save
        monkeypatch.setattr(
            plots,
            "save",
            lambda figure, path, **how: (
                figures.setdefault(path.name, figure) and save(figure, path, **how)
            ),
        )
        plots.main([tmp_path])
        assert sorted(figures) == sorted(
            path.name for path in tmp_path.iterdir() if path.suffix in (".svg", ".png")
        )
        return figures

    return draw


def lines_of(figure, panel=0):
    """The lines of a plot by their names in the legend, each sorted from left to right."""
    axes = figure.axes[panel]
    assert len(axes.get_legend().get_texts()) == len(axes.lines)
    for line in axes.lines:
        assert sorted(line.get_xdata()) == list(line.get_xdata())
    # Nothing lies beyond what is written.
    box, extent = figure.get_tightbbox(), axes.get_legend().get_window_extent()
    assert extent.x1 / figure.dpi <= box.x1 + 1e-6
    return {line.get_label(): line.get_xydata().tolist() for line in axes.lines}


def test_passes_and_sweep(drawn):
    figures = drawn({"passes": PASSES, "sweep": SWEEP})
    assert lines_of(figures["entropy-by-pass.svg"])["jfa"] == [[0, 0.017], [1, 1.5]]
    assert lines_of(figures["wrong-by-pass.svg"])["jfa-star"] == [[0, 99], [1, 0]]
    assert lines_of(figures["time-by-size-4.svg"]) == {
        "jfa": [[8, 0.1], [16, 0.2]],
        "exact": [[8, 0.1], [16, 0.1]],
    }
    assert lines_of(figures["wrong-by-size-4.svg"]) == {"jfa": [[8, 0], [16, 0.4]]}


def test_table_of_raster_methods_with_the_lines_of_the_paper(drawn):
    figures = drawn({"by_size": BY_SIZE, "by_sites": BY_SIZE, "paper": PAPER})
    by_size = lines_of(figures["time-by-size.svg"])
    assert by_size["brute-force, cpu, 1 thread"] == [[0.0012, 0.1], [0.0063, 0.3]]
    assert by_size["paper: GPU"] == [[0.8, 109.1], [1.5, 131.5]]
    assert len(by_size) == 4  # those that grow are not in the paper's figure
    assert list(lines_of(figures["time-by-sites.svg"])) == ["brute-force, cpu, 1 thread"]


def test_paper_has_no_line_beside_other_numbers_of_sites(drawn):
    figures = drawn({"by_size": BY_SIZE.replace(",100,", ",20,"), "paper": PAPER})
    assert list(lines_of(figures["time-by-size.svg"])) == ["brute-force, cpu, 1 thread"]


def test_speed_up_has_two_panels(drawn):
    figure = drawn({"times": TIMES})["figure-2.svg"]
    assert [axes.get_title() for axes in figure.axes] == [
        "(a) Uniform stiffness",
        "(b) Gradient stiffness",
    ]
    uniform, gradient = lines_of(figure, 0), lines_of(figure, 1)
    assert uniform["relaxation, cpu, 2 threads"] == [[1024, 2]]  # larger maps are not of the paper
    assert gradient["relaxation, cpu, 2 threads"] == [[2048, 0.5]]
    assert gradient["paper, GTX 480"] == [[2048, pytest.approx(8.323 / 1.164)]]


def pixels(path):
    return (plots.pyplot.imread(path)[..., :3] * 255).round().astype(int)


def test_pictures_show_every_cell(drawn, tmp_path):
    labels = np.arange(1, 31, dtype=np.int32).reshape(5, 6)
    empty = np.zeros_like(labels)
    bits = np.linspace(0, plots.MOST_ENTROPY, 30, dtype=np.float32).reshape(5, 6)
    names = ("circle", "grid", "exact")
    drawn(
        {},
        {"answers-circle": labels, "answers-grid": empty}
        | {f"same-step-{name}": labels for name in names}
        | {f"entropy-{name}": bits for name in names},
    )
    answers = pixels(tmp_path / "answers.png")
    assert answers.shape[1] == 2 * 6 + 10
    assert (answers[-5:, :6] == plots.colours(labels)).all()
    assert (answers[-5:, -6:] == 255).all()
    entropy = pixels(tmp_path / "entropy.png")
    assert entropy.shape[1] == 3 * 12 + 20  # a cell has 2 x 2 pixels
    assert (entropy[-10, 0] == 0).all() and (entropy[-1, 11] == 255).all()


def test_sites_are_red_on_the_cells_of_the_map(drawn, tmp_path):
    cells = np.ones((4, 10), dtype=np.int32)
    sites = np.zeros_like(cells)
    sites[1, 3] = 1
    drawn({}, {"map": np.linspace(0.1, 1, 40).reshape(4, 10), "cells": cells, "sites": sites})
    picture = pixels(tmp_path / "figure-1b.png")
    assert (picture == (255, 0, 0)).all(axis=2).sum() == 9  # a cell has 3 x 3 pixels
    softness = pixels(tmp_path / "figure-1a.png")
    assert (softness[-12, 0] == 0).all() and (softness[-1, 29] == 255).all()


def test_middle_of_a_large_raster():
    assert plots.middle(np.zeros((400, 90))).shape == (180, 90)


def test_usage(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["plots.py"])
    with pytest.raises(SystemExit, match="usage"):
        plots.main(sys.argv[1:])
