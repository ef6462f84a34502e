// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_solver.hpp"

#include <cstddef>
#include <cstdint>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/changes.hpp"
#include "api/c/cost_distance.hpp"

struct thiessen_cost_solver {
  thiessen::CostSolver solver;
};

namespace {

using thiessen::CostSolver;
using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::check_changes;
using thiessen::c::required;
using thiessen::c::to_cost_options;
using thiessen::c::to_cost_outputs;
using thiessen::c::to_indices;
using thiessen::c::to_optional_view;
using thiessen::c::to_point_list;
using thiessen::c::to_view;
using thiessen::c::write_changed_cells;
using thiessen::c::write_changes;

}  // namespace

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_cost_solver_create(thiessen_context* context, const thiessen_array* map,
                                            const thiessen_array* sites,
                                            const thiessen_points* points,
                                            const thiessen_cost_distance_options* options,
                                            const thiessen_cost_distance_outputs* outputs,
                                            const thiessen_array* initial_cost,
                                            thiessen_cost_solver** solver) {
  return at_boundary([&] {
    required("solver", solver) = nullptr;
    required("context", context);
    if ((sites == nullptr) == (points == nullptr))
      thiessen::refuse("sites and points: exactly one of the two must be a null pointer");
    const View<const void> view = to_view("map", required("map", map));
    const auto cpp = to_cost_options(options, view.rank());
    const auto out = to_cost_outputs(outputs);
    if (outputs->report != nullptr) thiessen::refuse("report is given; a solver has none");
    const View<const void> costs = to_optional_view("initial_cost", initial_cost);
    *solver = sites != nullptr
                  ? new thiessen_cost_solver{CostSolver(context->context, view,
                                                        to_view("sites", *sites), cpp, out, costs)}
                  : new thiessen_cost_solver{CostSolver(context->context, view,
                                                        to_point_list(*points), cpp, out, costs)};
  });
}

void thiessen_cost_solver_destroy(thiessen_cost_solver* solver) { delete solver; }

thiessen_status thiessen_cost_solver_update_map(thiessen_cost_solver* solver, const int64_t* cells,
                                                int64_t count, const thiessen_array* values) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.update_map(to_indices("cells", cells, count),
                           to_view("values", required("values", values)));
  });
}

thiessen_status thiessen_cost_solver_update_box(thiessen_cost_solver* solver, const int64_t* first,
                                                const thiessen_array* values) {
  return at_boundary([&] {
    const View<const void> box = to_view("values", required("values", values));
    required("solver", solver).solver.update_box(to_indices("first", first, box.rank()), box);
  });
}

thiessen_status thiessen_cost_solver_add_points(thiessen_cost_solver* solver,
                                                const thiessen_points* points,
                                                const thiessen_array* initial_cost,
                                                int64_t* first) {
  return at_boundary([&] {
    const std::int64_t position =
        required("solver", solver)
            .solver.add_sites(to_point_list(required("points", points)),
                              to_optional_view("initial_cost", initial_cost));
    if (first != nullptr) *first = position;
  });
}

thiessen_status thiessen_cost_solver_move_points(thiessen_cost_solver* solver, const int64_t* sites,
                                                 int64_t count, const thiessen_array* coordinates) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.move_sites(to_indices("sites", sites, count),
                           to_view("coordinates", required("coordinates", coordinates)));
  });
}

thiessen_status thiessen_cost_solver_remove_sites(thiessen_cost_solver* solver,
                                                  const int64_t* sites, int64_t count) {
  return at_boundary(
      [&] { required("solver", solver).solver.remove_sites(to_indices("sites", sites, count)); });
}

thiessen_status thiessen_cost_solver_add_sites(thiessen_cost_solver* solver, const int64_t* cells,
                                               int64_t count, const thiessen_array* labels,
                                               const thiessen_array* initial_cost) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.add_sites(to_indices("cells", cells, count), to_optional_view("labels", labels),
                          to_optional_view("initial_cost", initial_cost));
  });
}

thiessen_status thiessen_cost_solver_move_sites(thiessen_cost_solver* solver, const int64_t* from,
                                                const int64_t* to, int64_t count) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.move_sites(to_indices("from", from, count), to_indices("to", to, count));
  });
}

thiessen_status thiessen_cost_solver_set_initial_cost(thiessen_cost_solver* solver,
                                                      const int64_t* sites, int64_t count,
                                                      const thiessen_array* costs) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.set_initial_cost(to_indices("sites", sites, count),
                                 to_view("costs", required("costs", costs)));
  });
}

thiessen_status thiessen_cost_solver_solve(thiessen_cost_solver* solver,
                                           thiessen_changes* changes) {
  return at_boundary([&] {
    check_changes(changes);
    write_changes(changes, required("solver", solver).solver.solve());
  });
}

thiessen_status thiessen_cost_solver_enqueue(thiessen_cost_solver* solver) {
  return at_boundary([&] { required("solver", solver).solver.enqueue(); });
}

thiessen_status thiessen_cost_solver_changes(thiessen_cost_solver* solver,
                                             thiessen_changes* changes) {
  return at_boundary([&] {
    check_changes(changes);
    write_changes(changes, required("solver", solver).solver.changes());
  });
}

thiessen_status thiessen_cost_solver_changed_cells(const thiessen_cost_solver* solver,
                                                   int64_t* cells, int64_t* site_before,
                                                   size_t capacity, size_t* count) {
  return at_boundary([&] {
    write_changed_cells(required("solver", solver).solver.changed_cells(), cells, site_before,
                        capacity, count);
  });
}
