// SPDX-License-Identifier: Apache-2.0
//
// From the winner of a cell to the outputs that the caller wants.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/compass.hpp"
#include "core/host_device.hpp"
#include "core/torus.hpp"
#include "core/weights.hpp"
#include "cuda/job.hpp"
#include "cuda/site_class.hpp"

namespace thiessen::cuda {

THIESSEN_HD inline void copy_element(std::byte* to, const std::byte* from, std::int32_t element) {
  switch (element) {
    case 1:
      *to = *from;
      return;
    case 2:
      *reinterpret_cast<std::uint16_t*>(to) = *reinterpret_cast<const std::uint16_t*>(from);
      return;
    case 4:
      *reinterpret_cast<std::uint32_t*>(to) = *reinterpret_cast<const std::uint32_t*>(from);
      return;
    default:
      *reinterpret_cast<std::uint64_t*>(to) = *reinterpret_cast<const std::uint64_t*>(from);
  }
}

/// The number of a site in the list of labels: of a cell that holds points, that of the first.
THIESSEN_HD inline std::int64_t number_in_list(const Job& job, std::int64_t site) {
  return job.point_cells && site >= 0 ? job.point_cells.number(job.extent, site) : site;
}

THIESSEN_HD inline const std::byte* address_of_label(const Job& job, std::int64_t site) {
  return job.labels.bytes + number_in_list(job, site) * job.out.labels.element;
}

/// The label of a site, its bytes in the lowest ones.
THIESSEN_HD inline std::uint64_t load_label(const Job& job, std::int64_t site) {
  std::uint64_t label = 0;
  copy_element(reinterpret_cast<std::byte*>(&label), address_of_label(job, site),
               job.out.labels.element);
  return label;
}

THIESSEN_HD inline void write_label(const Job& job, std::int64_t cell, std::int64_t site) {
  const Cells<std::byte>& out = job.out.labels;
  const std::byte* label = site == kUnreached ? job.unreached.bytes.data()
                           : site == kNodata  ? job.rule.nodata.bytes.data()
                                              : address_of_label(job, site);
  copy_element(out.bytes + cell * out.element, label, out.element);
}

THIESSEN_HD inline void store_distance(const Job& job, std::int64_t cell, double distance) {
  if (job.out.distance.element == 8)
    reinterpret_cast<double*>(job.out.distance.bytes)[cell] = distance;
  else
    reinterpret_cast<float*>(job.out.distance.bytes)[cell] = static_cast<float>(distance);
}

/// Where a site lies, in the units of S.
THIESSEN_HD inline Axes place_of(const Job& job, std::int64_t site) {
  return job.points != nullptr ? job.points[site] : to_cell(job.extent, site);
}

/// From a cell to a site, in the units of S.
THIESSEN_HD inline std::int64_t offset_along(const Job& job, std::size_t axis, const Axes& cell,
                                             const Axes& place) {
  return shortest_offset(cell[axis] << job.fraction_bits, place[axis], job.period[axis]);
}

THIESSEN_HD inline void write_offset(const Job& job, std::int64_t cell, std::int64_t site) {
  const int first = kAxes - job.rank;
  for (int axis = first; axis < kAxes; ++axis) {
    std::int32_t* const out = job.out.offset + (axis - first) * job.cells() + cell;
    *out = site < 0 ? std::numeric_limits<std::int32_t>::min()
                    : static_cast<std::int32_t>(offset_along(job, static_cast<std::size_t>(axis),
                                                             to_cell(job.extent, cell),
                                                             place_of(job, site)));
  }
}

THIESSEN_HD inline void write_direction(const Job& job, std::int64_t cell, std::int64_t site) {
  float direction = std::numeric_limits<float>::quiet_NaN();
  if (site >= 0) {
    const Axes from = to_cell(job.extent, cell);
    const Axes to = place_of(job, site);
    const double longest = job.spacing[1] < job.spacing[2] ? job.spacing[2] : job.spacing[1];
    const std::int64_t right = offset_along(job, 2, from, to);
    const std::int64_t down = offset_along(job, 1, from, to);
    const double east = static_cast<double>(right) * (job.spacing[2] / longest);
    const double north = static_cast<double>(-down) * (job.spacing[1] / longest);
    direction = static_cast<float>(compass_degrees(east, north));
  }
  job.out.direction[cell] = direction;
}

/// The index of a site as the caller counts it: in its own layer, or in the list of points.
THIESSEN_HD inline std::int64_t index_for_caller(const Job& job, std::int64_t site) {
  return job.layered && site >= 0 ? site % (job.extent[1] * job.extent[2])
                                  : number_in_list(job, site);
}

/// Of a run in the complement: minus the distance of cells that are sites.
template <class Scalar>
THIESSEN_HD void write_inside(const Job& job, std::int64_t cell, std::int64_t site, Scalar exact) {
  if (site == kUnreached)
    store_distance(job, cell, -std::numeric_limits<double>::infinity());
  else if (exact != 0)
    store_distance(job, cell, -to_distance(job.unit, job.metric, exact));
}

/// Writes the outputs of a cell whose nearest site is `site`, or kUnreached if there is none.
template <class Scalar>
THIESSEN_NOINLINE THIESSEN_HD void write_result(const Job& job, std::int64_t cell,
                                                std::int64_t site, Scalar exact) {
  if (job.limited && site >= 0 && static_cast<Int128>(exact) > job.limit) site = kUnreached;
  if (job.inside) return write_inside(job, cell, site, exact);
  if (job.rule.has_nodata && class_of(job, cell) == kNodataCell) site = kNodata;
  if (job.out.labels) write_label(job, cell, site);
  if (job.out.site_index != nullptr) job.out.site_index[cell] = index_for_caller(job, site);
  if (job.out.distance)
    store_distance(job, cell,
                   site >= 0            ? to_distance(job.unit, job.metric, exact)
                   : site == kUnreached ? std::numeric_limits<double>::infinity()
                                        : std::numeric_limits<double>::quiet_NaN());
  if (job.out.squared != nullptr)
    job.out.squared[cell] = site >= 0 ? static_cast<std::int64_t>(exact) : site;
  if (job.out.offset != nullptr) write_offset(job, cell, site);
  if (job.out.direction != nullptr) write_direction(job, cell, site);
}

}  // namespace thiessen::cuda
