// SPDX-License-Identifier: Apache-2.0
//
// The class CostSolver.
#include "thiessen/cost_solver.hpp"

#include <nanobind/stl/vector.h>

#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "cost_distance_call.hpp"
#include "module.hpp"
#include "solver.hpp"

namespace thiessen::python {
namespace {

using Solver = SolverObject<CostSolver, CostDistanceCall, CostDistanceArrays>;

/// With `raster` or `points`, of which the other one is None, for the sites. The result is Python's
/// to delete.
Solver* make_solver(nb::handle map, nb::handle raster, nb::handle points, nb::handle labels,
                    nb::handle initial_cost, const nb::dict& outputs,
                    const CostDistanceCall& options) {
  const Array resistance = Array::readable("map", map);
  const Array sites = Array::readable("sites", raster);
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array initial = Array::readable("initial_cost", initial_cost);
  const PointList list{.coordinates = coordinates.const_view(),
                       .labels = point_labels.const_view()};
  const auto make = [&](Context& context, const CostDistanceOptions& own,
                        const CostDistanceOutputs& out) {
    if (sites.view())
      return CostSolver(context, resistance.const_view(), sites.const_view(), own, out,
                        initial.const_view());
    return CostSolver(context, resistance.const_view(), list, own, out, initial.const_view());
  };
  return new Solver(outputs, options, resistance.view().extents().count(), make);
}

void update_map(Solver& solver, nb::handle cells, nb::handle values) {
  const Indices changed = to_indices("cells", cells);
  const Array given = Array::readable("values", values);
  solver.update([&](CostSolver& own) { own.update_map(changed, given.const_view()); });
}

void update_box(Solver& solver, const std::vector<std::int64_t>& first, nb::handle values) {
  const Array given = Array::readable("values", values);
  solver.update([&](CostSolver& own) { own.update_box(first, given.const_view()); });
}

std::int64_t add_points(Solver& solver, nb::handle points, nb::handle labels,
                        nb::handle initial_cost) {
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array initial = Array::readable("initial_cost", initial_cost);
  return solver.update([&](CostSolver& own) {
    return own.add_sites(
        {.coordinates = coordinates.const_view(), .labels = point_labels.const_view()},
        initial.const_view());
  });
}

void move_points(Solver& solver, nb::handle sites, nb::handle points) {
  const Indices moved = to_indices("sites", sites);
  const Array coordinates = Array::readable("points", points);
  solver.update([&](CostSolver& own) { own.move_sites(moved, coordinates.const_view()); });
}

void add_sites(Solver& solver, nb::handle cells, nb::handle labels, nb::handle initial_cost) {
  const Indices added = to_indices("cells", cells);
  const Array values = Array::readable("labels", labels);
  const Array initial = Array::readable("initial_cost", initial_cost);
  solver.update(
      [&](CostSolver& own) { own.add_sites(added, values.const_view(), initial.const_view()); });
}

void move_sites(Solver& solver, nb::handle from, nb::handle to) {
  const Indices left = to_indices("sites", from);
  const Indices taken = to_indices("to", to);
  solver.update([&](CostSolver& own) { own.move_sites(left, taken); });
}

void remove_sites(Solver& solver, nb::handle sites) {
  const Indices removed = to_indices("sites", sites);
  solver.update([&](CostSolver& own) { own.remove_sites(removed); });
}

void set_initial_cost(Solver& solver, nb::handle sites, nb::handle costs) {
  const Indices chosen = to_indices("sites", sites);
  const Array values = Array::readable("costs", costs);
  solver.update([&](CostSolver& own) { own.set_initial_cost(chosen, values.const_view()); });
}

}  // namespace

void bind_cost_solver(nb::module_& module) {
  nb::class_<Solver>(module, "CostSolver")
      .def_static("make", &make_solver, nb::arg("map"), nb::kw_only(), nb::arg("sites").none(),
                  nb::arg("points").none(), nb::arg("labels").none(),
                  nb::arg("initial_cost").none(), nb::arg("outputs"), nb::arg("options"))
      .def("update_map", &update_map, nb::arg("cells"), nb::arg("values"))
      .def("update_box", &update_box, nb::arg("first"), nb::arg("values"))
      .def("add_points", &add_points, nb::arg("points"), nb::arg("labels").none(),
           nb::arg("initial_cost").none())
      .def("move_points", &move_points, nb::arg("sites"), nb::arg("points"))
      .def("add_sites", &add_sites, nb::arg("cells"), nb::arg("labels").none(),
           nb::arg("initial_cost").none())
      .def("move_sites", &move_sites, nb::arg("sites"), nb::arg("to"))
      .def("remove_sites", &remove_sites, nb::arg("sites"))
      .def("set_initial_cost", &set_initial_cost, nb::arg("sites"), nb::arg("costs"))
      .def("solve", &Solver::solve, nb::arg("progress").none())
      .def("enqueue", &Solver::enqueue, nb::arg("progress").none())
      .def("changes", &Solver::changes)
      .def("told", &Solver::told)
      .def("changed_cells", &Solver::changed_cells);
}

}  // namespace thiessen::python
