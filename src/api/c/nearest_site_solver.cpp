// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site_solver.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/changes.hpp"
#include "api/c/nearest_site.hpp"

struct thiessen_nearest_site_solver {
  thiessen::NearestSiteSolver solver;
};

namespace {

using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::required;
using thiessen::c::to_domain;
using thiessen::c::to_grid;
using thiessen::c::to_indices;
using thiessen::c::to_options;
using thiessen::c::to_outputs;
using thiessen::c::to_points;
using thiessen::c::to_view;

}  // namespace

thiessen_status thiessen_nearest_site_solver_create(thiessen_context* context,
                                                    const thiessen_array* sites,
                                                    const thiessen_nearest_site_options* options,
                                                    const thiessen_nearest_site_outputs* outputs,
                                                    const thiessen_array* domain,
                                                    thiessen_nearest_site_solver** solver) {
  return at_boundary([&] {
    required("solver", solver) = nullptr;
    required("context", context);
    const View<const void> view = to_view("sites", required("sites", sites));
    *solver =
        new thiessen_nearest_site_solver{{context->context, view, to_options(options, view.rank()),
                                          to_outputs(outputs), to_domain(domain)}};
  });
}

// NOLINTNEXTLINE(readability-function-size): C has no default arguments
thiessen_status thiessen_nearest_site_solver_create_of_points(
    thiessen_context* context, const thiessen_points* points, int32_t rank, const int64_t* extents,
    const thiessen_nearest_site_options* options, const thiessen_nearest_site_outputs* outputs,
    const thiessen_array* domain, thiessen_nearest_site_solver** solver) {
  return at_boundary([&] {
    required("solver", solver) = nullptr;
    required("context", context);
    const thiessen::Grid grid = to_grid(rank, extents);
    *solver = new thiessen_nearest_site_solver{{context->context, to_points(points), grid,
                                                to_options(options, grid.extents.rank()),
                                                to_outputs(outputs), to_domain(domain)}};
  });
}

void thiessen_nearest_site_solver_destroy(thiessen_nearest_site_solver* solver) { delete solver; }

thiessen_status thiessen_nearest_site_solver_add_points(thiessen_nearest_site_solver* solver,
                                                        const thiessen_points* points,
                                                        int64_t* first) {
  return at_boundary([&] {
    const std::int64_t position = required("solver", solver).solver.add_sites(to_points(points));
    if (first != nullptr) *first = position;
  });
}

thiessen_status thiessen_nearest_site_solver_move_points(thiessen_nearest_site_solver* solver,
                                                         const int64_t* sites, int64_t count,
                                                         const thiessen_array* coordinates) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.move_sites(to_indices("sites", sites, count),
                           to_view("coordinates", required("coordinates", coordinates)));
  });
}

thiessen_status thiessen_nearest_site_solver_remove_sites(thiessen_nearest_site_solver* solver,
                                                          const int64_t* sites, int64_t count) {
  return at_boundary(
      [&] { required("solver", solver).solver.remove_sites(to_indices("sites", sites, count)); });
}

thiessen_status thiessen_nearest_site_solver_add_sites(thiessen_nearest_site_solver* solver,
                                                       const int64_t* cells, int64_t count,
                                                       const thiessen_array* labels) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.add_sites(to_indices("cells", cells, count),
                          to_view("labels", required("labels", labels)));
  });
}

thiessen_status thiessen_nearest_site_solver_move_sites(thiessen_nearest_site_solver* solver,
                                                        const int64_t* from, const int64_t* to,
                                                        int64_t count) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.move_sites(to_indices("from", from, count), to_indices("to", to, count));
  });
}

thiessen_status thiessen_nearest_site_solver_update_sites(thiessen_nearest_site_solver* solver,
                                                          const int64_t* cells, int64_t count,
                                                          const thiessen_array* values) {
  return at_boundary([&] {
    required("solver", solver)
        .solver.update_sites(to_indices("cells", cells, count),
                             to_view("values", required("values", values)));
  });
}

thiessen_status thiessen_nearest_site_solver_update_box(thiessen_nearest_site_solver* solver,
                                                        const int64_t* first,
                                                        const thiessen_array* values) {
  return at_boundary([&] {
    const View<const void> box = to_view("values", required("values", values));
    required("solver", solver).solver.update_box(to_indices("first", first, box.rank()), box);
  });
}

thiessen_status thiessen_nearest_site_solver_solve(thiessen_nearest_site_solver* solver,
                                                   thiessen_changes* changes) {
  return at_boundary([&] {
    thiessen::c::check_changes(changes);
    thiessen::c::write_changes(changes, required("solver", solver).solver.solve());
  });
}

thiessen_status thiessen_nearest_site_solver_enqueue(thiessen_nearest_site_solver* solver) {
  return at_boundary([&] { required("solver", solver).solver.enqueue(); });
}

thiessen_status thiessen_nearest_site_solver_changes(thiessen_nearest_site_solver* solver,
                                                     thiessen_changes* changes) {
  return at_boundary([&] {
    thiessen::c::check_changes(changes);
    thiessen::c::write_changes(changes, required("solver", solver).solver.changes());
  });
}

thiessen_status thiessen_nearest_site_solver_changed_cells(
    const thiessen_nearest_site_solver* solver, int64_t* cells, int64_t* site_before,
    size_t capacity, size_t* count) {
  return at_boundary([&] {
    thiessen::c::write_changed_cells(required("solver", solver).solver.changed_cells(), cells,
                                     site_before, capacity, count);
  });
}
