# SPDX-License-Identifier: Apache-2.0
"""Methods of jump flooding on one GPU, by events of the device. Two answers must be those of others: jfa-thrust is
jfa-coeurjolly on Thrust, and a graph repeats its call.

    python3 -m bench.gpu.flooding [--sizes 4096x4096] [--rounds 5]
"""

import cupy as cp

from .cases import chosen_cases
from .library import Library
from .measure import cases_of, program
from .peers import LABELS, Graph, Ours

METHODS = (
    "jfa",
    "1+jfa",
    "jfa-coeurjolly",
    "jfa-thrust",
    "jfa2",
    "jfa-noise",
    "jfa-plus",
    "jfa-star",
)
FLAT = ("jfa-coeurjolly", "jfa-thrust", "jfa-star")  # 2-D only
GRAPH = "jfa, as a CUDA graph"
TWINS = {"jfa-thrust": "jfa-coeurjolly", GRAPH: "jfa"}


def who_runs(library, case):
    methods = [m for m in METHODS if len(case.shape) == 2 or m not in FLAT]
    return [
        *(Ours(library, method, LABELS, method) for method in methods),
        Graph(library, GRAPH, LABELS, "jfa"),
    ]


def like_its_twin(case):
    answers = {}

    def check(peer):
        answers[peer.name] = peer.output
        if peer.name not in TWINS:
            return ""
        twin = TWINS[peer.name]
        assert bool((peer.output == answers[twin]).all()), f"{case}: {peer.name} is not {twin}"
        return f"that of {twin}"

    return check


@program(__doc__, sizes=[], sites=[])
def cases(options):
    library = Library(options.library)
    with cp.cuda.Stream(non_blocking=True):
        for case in chosen_cases("gpu-flooding", options):
            yield from cases_of(case, who_runs(library, case), 2, like_its_twin(case))
