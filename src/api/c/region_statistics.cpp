// SPDX-License-Identifier: Apache-2.0
#include "thiessen/region_statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/c/arguments.hpp"
#include "api/c/boundary.hpp"
#include "api/c/changes.hpp"
#include "api/c/statistics.hpp"
#include "api/c/tables.hpp"

struct thiessen_region_statistics {
  thiessen::RegionStatistics regions;
  thiessen::ElementType type;     ///< of the labels
  thiessen::Raster changed = {};  ///< labels, by the last update
};

namespace {

using thiessen::RegionStatistics;
using thiessen::View;
using thiessen::c::at_boundary;
using thiessen::c::check_table;
using thiessen::c::read_struct;
using thiessen::c::required;
using thiessen::c::to_enum;
using thiessen::c::to_fields;
using thiessen::c::to_indices;
using thiessen::c::to_spacing;
using thiessen::c::to_value;
using thiessen::c::to_view;
using thiessen::c::write_struct;
using thiessen::c::write_table;

thiessen_region_statistics_options region_defaults() {
  thiessen_region_statistics_options options{};
  options.size = sizeof options;
  options.background = thiessen_value_i64(0);
  options.connectivity = THIESSEN_FACES;
  return options;
}

thiessen::RegionStatisticsOptions to_options(const thiessen_region_statistics_options* given,
                                             int rank) {
  const auto options = read_struct("options", given, region_defaults());
  return {.spacing = to_spacing(options.spacing, rank),
          .background = to_value("background", options.background),
          .nodata = to_value("nodata", options.nodata),
          .connectivity =
              to_enum("connectivity", options.connectivity, thiessen::Connectivity::knights)};
}

View<const void> to_labels(const thiessen_region_statistics& regions, const void* labels,
                           std::int64_t count) {
  if (count < 0) thiessen::refuse("label_count = " + std::to_string(count) + "; must be >= 0");
  return {static_cast<const std::byte*>(labels), regions.type, {count}};
}

}  // namespace

thiessen_status thiessen_region_statistics_options_init(thiessen_region_statistics_options* options,
                                                        size_t size) {
  return at_boundary([&] { write_struct("options", options, size, region_defaults()); });
}

thiessen_status thiessen_region_statistics_create(thiessen_context* context,
                                                  const thiessen_array* labels,
                                                  const thiessen_site_fields* fields,
                                                  const thiessen_region_statistics_options* options,
                                                  thiessen_region_statistics** regions) {
  return at_boundary([&] {
    required("regions", regions) = nullptr;
    thiessen::Context& where = required("context", context).context;
    const View<const void> view = to_view("labels", required("labels", labels));
    *regions = new thiessen_region_statistics{
        .regions =
            RegionStatistics(where, view, to_fields(fields), to_options(options, view.rank())),
        .type = view.element_type()};
  });
}

void thiessen_region_statistics_destroy(thiessen_region_statistics* regions) { delete regions; }

thiessen_status thiessen_region_statistics_update(thiessen_region_statistics* regions,
                                                  const int64_t* cells, int64_t count,
                                                  const void** labels, int64_t* label_count) {
  return at_boundary([&] {
    thiessen_region_statistics& own = required("regions", regions);
    own.changed = own.regions.update(to_indices("cells", cells, count));
    if (labels != nullptr) *labels = own.changed.bytes();
    if (label_count != nullptr) *label_count = own.changed.extents()[0];
  });
}

thiessen_status thiessen_region_statistics_table(thiessen_region_statistics* regions,
                                                 const void* labels, int64_t label_count,
                                                 thiessen_site_statistics_table* table) {
  return at_boundary([&] {
    RegionStatistics& own = required("regions", regions).regions;
    check_table("table", table);
    write_table(table, labels == nullptr
                           ? own.statistics()
                           : own.statistics(to_labels(*regions, labels, label_count)));
  });
}

thiessen_status thiessen_region_statistics_adjacency(const thiessen_region_statistics* regions,
                                                     const void* labels, int64_t label_count,
                                                     thiessen_adjacency_table* table) {
  return at_boundary([&] {
    const RegionStatistics& own = required("regions", regions).regions;
    check_table("table", table);
    write_table(table, labels == nullptr ? own.adjacency()
                                         : own.adjacency(to_labels(*regions, labels, label_count)));
  });
}
