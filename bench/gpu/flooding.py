# SPDX-License-Identifier: Apache-2.0
"""`python3 -m bench.gpu.flooding`: methods of jump flooding on one GPU by turns, by events of the device; the
answers of 1+jfa and jfa-thrust, which are the same method, are compared."""

import argparse
import sys

import cupy as cp

from .cases import Case, make_input
from .library import Library
from .measure import Row, take_turns
from .peers import LABELS, Graph, Ours
from .report import table

METHODS = ("jfa", "1+jfa", "jfa-thrust", "jfa2", "jfa-noise", "jfa-plus", "jfa-star")
CASES = {
    "1280x1280": ("10000",),
    "4096x4096": ("100", "1%"),
    "16384x16384": ("100", "10000", "1%", "50%"),
    "512x512x512": ("10000", "1%"),
}


class Flooding(Ours):
    kept = (*Ours.kept, "method")

    def __init__(self, library, method):
        super().__init__(library, method, LABELS)
        self.method = method

    def call(self, sites):
        return self.context.nearest_site(sites, {LABELS: self.output}, method=self.method)

    def calls(self, inputs, case):
        self.context = self.library.context("cuda", cp.cuda.get_current_stream().ptr)
        self.output = cp.empty(case.shape, cp.int32)
        return [self.call(sites) for sites in inputs]


class FloodingGraph(Graph, Flooding):
    """The captured call is Flooding's."""


def who_runs(library, case):
    methods = [m for m in METHODS if len(case.shape) == 2 or m not in ("jfa-thrust", "jfa-star")]
    peers = [Flooding(library, method) for method in methods]
    if case.cells < 1 << 24:
        graph = FloodingGraph(library, "jfa")
        graph.name = "jfa, as a CUDA graph"
        peers.append(graph)
    return peers


def measure(library, case, rounds, stream):
    inputs = [make_input(case, seed) for seed in (1, 2)]
    peers = who_runs(library, case)
    calls = {peer.name: peer.calls(inputs, case) for peer in peers}
    answers = {}
    for peer in peers:
        peer.output.fill(-7)
        calls[peer.name][0]()
        stream.synchronize()
        answers[peer.name] = peer.output
    same = [n for n in ("1+jfa", "jfa-thrust") if n in answers]
    wrong = [n for n in same if not bool((answers[n] == answers["1+jfa"]).all())]
    graph = answers.get("jfa, as a CUDA graph")
    if graph is not None and not bool((graph == answers["jfa"]).all()):
        wrong.append("jfa, as a CUDA graph")
    turns = [Row(name, LABELS) for name in calls]
    take_turns([(row, calls[row.who]) for row in turns], rounds, stream)
    rows = [
        (
            str(case),
            row.who,
            f"{row.median:.3f}",
            f"{case.cells / row.median / 1e3:,.0f}",
            "DIFFERS" if row.who in wrong else "",
        )
        for row in turns
    ]
    calls.clear()
    for peer in peers:
        peer.free()
    cp.get_default_memory_pool().free_all_blocks()
    return rows, wrong


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench.gpu.flooding", description=__doc__)
    parser.add_argument("--library", default="build/gpu/libthiessen_gpu.so", help="(%(default)s)")
    parser.add_argument("--sizes", help="with commas")
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    options = parser.parse_args(arguments)
    library = Library(options.library)
    rows, wrong = [], []
    with cp.cuda.Stream(non_blocking=True) as stream:
        for size in options.sizes.split(",") if options.sizes else CASES:
            for kind in CASES.get(size, ("10000",)):
                more, bad = measure(library, Case(size, kind), options.rounds, stream)
                rows += more
                wrong += bad
    print(table(("case", "method", "ms", "Mpixel/s", ""), rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
