# SPDX-License-Identifier: Apache-2.0
"""Method exact against jump flooding on a device of OpenCL, whole calls from and to arrays of NumPy; the answers of exact
must be those of the CPU.

    python3 -m bench.gpu.opencl [--device opencl] [--sizes 4096x4096] [--sites 1%] [--outputs labels,distance]
"""

import numpy as np

from .. import harness
from ..cases import Case, kinds_by_size, make_sites
from .library import Library

HOST = 0  # thiessen_memory


def outputs_of(shape, names):
    """Touched before, so that no page is new in a call."""
    types = {"labels": np.int32, "distance": np.float32}
    return {name: np.full(shape, -7, types[name]) for name in names}


def case_of(cpu, context, case, names):
    outputs = {method: outputs_of(case.shape, names) for method in ("exact", "jfa")}
    truth = outputs_of(case.shape, names)

    def make(number):
        sites, _ = make_sites(case.shape, case.kind, number)
        cpu.nearest_site(sites, truth, HOST)()
        return {
            method: context.nearest_site(sites, of_method, HOST, method)
            for method, of_method in outputs.items()
        }

    def check(answers):
        wrong = {
            method: max(np.count_nonzero(outputs[method][name] != truth[name]) for name in names)
            for method in answers
        }
        assert not wrong["exact"], f"{case}: {wrong['exact']} cells wrong"
        return {method: f"{count / case.cells:.2g} wrong" for method, count in wrong.items()}

    return harness.Case(str(case), make, check, case.cells)


@harness.program(
    __doc__,
    library="build/gpu/libthiessen_gpu.so",
    device="opencl",
    sizes=[],
    sites=[],
    outputs=["labels", "distance"],
)
def cases(options):
    library = Library(options.library)
    cpu, context = library.context("cpu"), library.context(options.device)
    table = kinds_by_size("gpu-opencl")
    others = table.pop("*")
    for size in options.sizes or table:
        for kind in options.sites or table.get(size, others):
            yield case_of(cpu, context, Case(size, kind), options.outputs)
