# SPDX-License-Identifier: Apache-2.0
"""Ways between places: an origin-destination table and a least-cost network, against scikit-image and SciPy.

A table of n places is a search from each by scikit-image's MCP_Geometric, or by SciPy's Dijkstra on a graph of all steps,
which is how gdistance's costDistance works. A network of them is the minimum spanning tree of that table, while
least_cost_network() makes one search. The column has the sum of the costs, which all must agree about.

    python -m bench.compare.networks [--rounds 3] [--threads 1]
"""

import numpy as np
import thiessen

from .. import harness


def graph_of(cost):
    """The steps of a map to 8 neighbours, as scikit-image and thiessen cost them."""
    from scipy import sparse

    index = np.arange(cost.size).reshape(cost.shape)
    rows, columns, costs = [], [], []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        height, width = cost.shape
        left, right = max(0, -dx), width - max(0, dx)
        a = np.s_[: height - dy, left:right]
        b = np.s_[dy:, left + dx : right + dx]
        rows.append(index[a].ravel())
        columns.append(index[b].ravel())
        costs.append((np.hypot(dy, dx) * (cost[a] + cost[b]) / 2).ravel())
    ends = np.concatenate(rows), np.concatenate(columns)
    return sparse.csr_matrix((np.concatenate(costs), ends), (cost.size, cost.size))


def tables(cost, places):
    """The table of all pairs by each program."""

    def scikit():
        from skimage.graph import MCP_Geometric

        return np.array(
            [MCP_Geometric(cost).find_costs([place])[0][tuple(places.T)] for place in places]
        )

    def scipy():
        from scipy.sparse import csgraph

        cells = np.ravel_multi_index(tuple(places.T), cost.shape)
        return csgraph.dijkstra(graph_of(cost), directed=False, indices=cells)[:, cells]

    return {
        "thiessen": lambda: thiessen.cost_table(places, cost=cost).costs,
        "scikit-image": scikit,
        "SciPy": scipy,
    }


def tree_of(table):
    """The sum of the minimum spanning tree of a table."""
    from scipy.sparse import csgraph

    return csgraph.minimum_spanning_tree(np.triu(table)).sum()


def case_of(what, side, count):
    def make(number):
        random = np.random.default_rng(number)
        cost = random.uniform(0.2, 2, (side, side))
        cells = random.choice(side * side, count, replace=False)
        places = np.column_stack(np.unravel_index(cells, cost.shape))

        def told(cost):
            return harness.Told(round(float(cost), 6), figures={"sum": float(cost)})

        programs = tables(cost, places)
        if what == "table":
            return {name: lambda run=run: told(run().sum()) for name, run in programs.items()}

        def network():
            found = thiessen.least_cost_network(places, cost=cost)
            return told(found.costs[found.in_tree].sum())

        others = {name: lambda run=run: told(tree_of(run())) for name, run in programs.items()}
        return {"thiessen": network, "thiessen, all pairs": others.pop("thiessen"), **others}

    def check(answers):
        sums = list(answers.values())
        if not np.allclose(sums, sums[0], rtol=1e-9):
            raise AssertionError(f"costs differ: {answers}")

    return harness.Case(f"{what} of {count} places, {side} x {side}", make, check, side * side)


@harness.program(__doc__, "scikit-image", "scipy", timer=harness.processor, rounds=3, threads=1)
def cases(options):
    yield case_of("table", 120, 6)
    yield case_of("network", 120, 6)
    if options.quick:
        return
    yield case_of("table", 500, 20)
    yield case_of("network", 500, 20)
    yield case_of("network", 500, 100)
