// SPDX-License-Identifier: Apache-2.0
#include "thiessen/placing.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <vector>

#include "array.hpp"
#include "bytes.hpp"
#include "calls.hpp"
#include "cost_distance_call.hpp"
#include "module.hpp"
#include "solver.hpp"

namespace thiessen::python {
namespace {

/// The options of a call, and how it runs.
struct RelaxCall : CallOptions, RelaxOptions {};
struct FarthestCall : CallOptions, FarthestOptions {};

/// Extents and spacing as Python has them.
using Sizes = std::vector<std::int64_t>;
using Lengths = std::vector<double>;

Grid to_grid(const Sizes& shape, const Lengths& spacing) {
  return {.extents = Extents(shape), .spacing = spacing};
}

nb::dict to_columns(const Relaxation& relaxation, nb::object sites, Told told) {
  nb::dict columns;
  columns["sites"] = std::move(sites);
  columns["energy"] = to_bytes(relaxation.energy);
  columns["farthest_move"] = to_bytes(relaxation.farthest_move);
  columns["end"] = name_of(relaxation.end);
  columns["told"] = std::move(told);
  return columns;
}

nb::dict find_relaxed(nb::handle points, nb::handle density, nb::handle domain, const Sizes& shape,
                      const Lengths& spacing, const RelaxCall& options) {
  const Array coordinates = Array::readable("points", points);
  const Array masses = Array::readable("density", density);
  const Array counting = Array::readable("domain", domain);
  const Grid grid = to_grid(shape, spacing);
  RelaxedPoints found;
  Told told = call(options, false, [&](Context& context) {
    found = relax_sites(context, coordinates.const_view(), grid, options, masses.const_view(),
                        counting.const_view());
  });
  return to_columns(found.relaxation, to_bytes(found.coordinates), std::move(told));
}

nb::dict find_relaxed_cells(nb::handle map, nb::handle cells, nb::handle density,
                            const CostDistanceCall& cost, const RelaxCall& options) {
  const Array resistance = Array::readable("map", map);
  const Indices sites = to_indices("cells", cells);
  const Array masses = Array::readable("density", density);
  RelaxedCells found;
  Told told = call(options, false, [&](Context& context) {
    found = relax_cost_sites(context, resistance.const_view(), sites, cost, options,
                             masses.const_view());
  });
  return to_columns(found.relaxation, to_bytes(found.cells), std::move(told));
}

nb::tuple to_tuple(const FarthestSites& found) {
  return nb::make_tuple(to_bytes(found.cells), to_bytes(found.distance), found.radius);
}

nb::tuple find_farthest(nb::handle points, nb::handle density, nb::handle domain,
                        const Sizes& shape, const Lengths& spacing, const FarthestCall& options) {
  const Array coordinates = Array::readable("points", points);
  const Array masses = Array::readable("density", density);
  const Array counting = Array::readable("domain", domain);
  const Grid grid = to_grid(shape, spacing);
  FarthestSites found;
  call(options, false, [&](Context& context) {
    found = farthest_sites(context, grid, options, coordinates.const_view(), masses.const_view(),
                           counting.const_view());
  });
  return to_tuple(found);
}

nb::tuple find_farthest_cells(nb::handle map, nb::handle cells, nb::handle density,
                              const CostDistanceCall& cost, const FarthestCall& options) {
  const Array resistance = Array::readable("map", map);
  const Indices sites = to_indices("cells", cells);
  const Array masses = Array::readable("density", density);
  FarthestSites found;
  call(options, false, [&](Context& context) {
    found = farthest_cost_sites(context, resistance.const_view(), cost, options, sites,
                                masses.const_view());
  });
  return to_tuple(found);
}

}  // namespace

void bind_placing(nb::module_& module) {
  nb::class_<RelaxCall, CallOptions>(module, "RelaxOptions")
      .def(nb::init<>())
      .def_rw("steps", &RelaxCall::steps)
      .def_rw("tolerance", &RelaxCall::tolerance)
      .def_rw("least_fall", &RelaxCall::least_fall)
      .def_rw("periodic", &RelaxCall::periodic);
  nb::class_<FarthestCall, CallOptions>(module, "FarthestOptions")
      .def(nb::init<>())
      .def_rw("count", &FarthestCall::count)
      .def_rw("within", &FarthestCall::within)
      .def_rw("periodic", &FarthestCall::periodic);
  module.def("relax_sites", &find_relaxed, nb::arg("points"), nb::kw_only(),
             nb::arg("density").none(), nb::arg("domain").none(), nb::arg("shape"),
             nb::arg("spacing"), nb::arg("options"),
             "Calls the C++ function relax_sites() on host buffers.");
  module.def("relax_cost_sites", &find_relaxed_cells, nb::arg("map"), nb::arg("cells"),
             nb::kw_only(), nb::arg("density").none(), nb::arg("cost"), nb::arg("options"),
             "Calls the C++ function relax_cost_sites() on host buffers.");
  module.def("farthest_sites", &find_farthest, nb::arg("points").none(), nb::kw_only(),
             nb::arg("density").none(), nb::arg("domain").none(), nb::arg("shape"),
             nb::arg("spacing"), nb::arg("options"),
             "Calls the C++ function farthest_sites() on host buffers.");
  module.def("farthest_cost_sites", &find_farthest_cells, nb::arg("map"), nb::arg("cells"),
             nb::kw_only(), nb::arg("density").none(), nb::arg("cost"), nb::arg("options"),
             "Calls the C++ function farthest_cost_sites() on host buffers.");
}

}  // namespace thiessen::python
