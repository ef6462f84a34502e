// SPDX-License-Identifier: Apache-2.0
//
// The class NearestSiteSolver.
#include "thiessen/nearest_site_solver.hpp"

#include <nanobind/stl/vector.h>

#include <vector>

#include "array.hpp"
#include "calls.hpp"
#include "module.hpp"
#include "nearest_site_call.hpp"
#include "solver.hpp"

namespace thiessen::python {
namespace {

using Solver = SolverObject<NearestSiteSolver, NearestSiteCall, NearestSiteArrays>;

/// The result is Python's to delete.
Solver* solver_of_raster(nb::handle sites, const nb::dict& outputs,
                         const NearestSiteCall& options) {
  const Array input = Array::readable("sites", sites);
  const View<const void> view = input.const_view();
  return new Solver(
      outputs, options, view.extents().count(),
      [&](Context& context, const NearestSiteOptions& own, const NearestSiteOutputs& out) {
        return NearestSiteSolver(context, view, own, out);
      });
}

Solver* solver_of_points(nb::handle points, nb::handle labels, nb::handle domain,
                         const std::vector<std::int64_t>& shape, const nb::dict& outputs,
                         const NearestSiteCall& options) {
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  const Array cells_of_domain = Array::readable("domain", domain);
  const PointList list{.coordinates = coordinates.const_view(),
                       .labels = point_labels.const_view()};
  const Grid grid{.extents = Extents(shape)};
  return new Solver(
      outputs, options, grid.extents.count(),
      [&](Context& context, const NearestSiteOptions& own, const NearestSiteOutputs& out) {
        return NearestSiteSolver(context, list, grid, own, out, cells_of_domain.const_view());
      });
}

std::int64_t add_points(Solver& solver, nb::handle points, nb::handle labels) {
  const Array coordinates = Array::readable("points", points);
  const Array point_labels = Array::readable("labels", labels);
  return solver.update([&](NearestSiteSolver& own) {
    return own.add_sites(
        {.coordinates = coordinates.const_view(), .labels = point_labels.const_view()});
  });
}

void move_points(Solver& solver, nb::handle sites, nb::handle points) {
  const Indices moved = to_indices("sites", sites);
  const Array coordinates = Array::readable("points", points);
  solver.update([&](NearestSiteSolver& own) { own.move_sites(moved, coordinates.const_view()); });
}

void add_sites(Solver& solver, nb::handle cells, nb::handle labels) {
  const Indices added = to_indices("cells", cells);
  const Array values = Array::readable("labels", labels);
  solver.update([&](NearestSiteSolver& own) { own.add_sites(added, values.const_view()); });
}

void move_sites(Solver& solver, nb::handle from, nb::handle to) {
  const Indices left = to_indices("sites", from);
  const Indices taken = to_indices("to", to);
  solver.update([&](NearestSiteSolver& own) { own.move_sites(left, taken); });
}

void remove_sites(Solver& solver, nb::handle sites) {
  const Indices removed = to_indices("sites", sites);
  solver.update([&](NearestSiteSolver& own) { own.remove_sites(removed); });
}

void update_sites(Solver& solver, nb::handle cells, nb::handle values) {
  const Indices changed = to_indices("cells", cells);
  const Array given = Array::readable("values", values);
  solver.update([&](NearestSiteSolver& own) { own.update_sites(changed, given.const_view()); });
}

void update_box(Solver& solver, const std::vector<std::int64_t>& first, nb::handle values) {
  const Array given = Array::readable("values", values);
  solver.update([&](NearestSiteSolver& own) { own.update_box(first, given.const_view()); });
}

}  // namespace

void bind_nearest_site_solver(nb::module_& module) {
  nb::class_<Solver>(module, "NearestSiteSolver")
      .def_static("of_raster", &solver_of_raster, nb::arg("sites"), nb::kw_only(),
                  nb::arg("outputs"), nb::arg("options"))
      .def_static("of_points", &solver_of_points, nb::arg("points"), nb::kw_only(),
                  nb::arg("labels").none(), nb::arg("domain").none(), nb::arg("shape"),
                  nb::arg("outputs"), nb::arg("options"))
      .def("add_points", &add_points, nb::arg("points"), nb::arg("labels").none())
      .def("move_points", &move_points, nb::arg("sites"), nb::arg("points"))
      .def("add_sites", &add_sites, nb::arg("cells"), nb::arg("labels"))
      .def("move_sites", &move_sites, nb::arg("sites"), nb::arg("to"))
      .def("remove_sites", &remove_sites, nb::arg("sites"))
      .def("update_sites", &update_sites, nb::arg("cells"), nb::arg("values"))
      .def("update_box", &update_box, nb::arg("first"), nb::arg("values"))
      .def(
          "has_site",
          [](Solver& solver, std::int64_t site) {
            return solver.update([&](const NearestSiteSolver& own) { return own.has_site(site); });
          },
          nb::arg("site"))
      .def("positions",
           [](Solver& solver) {
             return solver.update([](const NearestSiteSolver& own) { return own.positions(); });
           })
      .def("solve", &Solver::solve, nb::arg("progress").none())
      .def("enqueue", &Solver::enqueue, nb::arg("progress").none())
      .def("changes", &Solver::changes)
      .def("changed_cells", &Solver::changed_cells);
}

}  // namespace thiessen::python
