// SPDX-License-Identifier: Apache-2.0
#include "thiessen/contours.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/tables.hpp"
#include "core/refuse.hpp"

namespace {

using thiessen::c::at_boundary;
using thiessen::c::check_table;
using thiessen::c::column;
using thiessen::c::free_table;
using thiessen::c::required;
using thiessen::c::to_view;
using thiessen::c::write_table;

thiessen::ContourOptions to_contour_options(double interval, const double* levels,
                                            std::int64_t count) {
  if (count < 0 || count > thiessen::kMostContourLevels)
    thiessen::refuse("count = " + std::to_string(count) + "; must be from 0 to " +
                     std::to_string(thiessen::kMostContourLevels));
  thiessen::ContourOptions options{.interval = interval};
  if (count > 0) options.levels.assign(&required("levels", levels), levels + count);
  return options;
}

}  // namespace

thiessen_status thiessen_contour_lines(thiessen_context* context, const thiessen_array* distance,
                                       double interval, const double* levels, int64_t count,
                                       thiessen_contours* contours) {
  return at_boundary([&] {
    thiessen::Context& where = required("context", context).context;
    check_table("contours", contours);
    thiessen::Contours found =
        thiessen::contour_lines(where, to_view("distance", required("distance", distance)),
                                to_contour_options(interval, levels, count));
    write_table("contours", contours, std::move(found), [](const thiessen::Contours& own) {
      thiessen_contours table{};
      table.rows = static_cast<std::int64_t>(own.levels.size());
      table.levels = column(own.levels);
      table.points = column(own.points);
      table.coordinates = column(own.coordinates);
      return table;
    });
  });
}

void thiessen_free_contours(thiessen_contours* contours) {
  free_table<thiessen::Contours>(contours);
}
