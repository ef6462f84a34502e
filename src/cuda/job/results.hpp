// SPDX-License-Identifier: Apache-2.0
//
// Writes the outputs that the caller wants from the winner of a cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/base/host_device.hpp"
#include "core/order/compass.hpp"
#include "core/order/nearest_image.hpp"
#include "core/order/weights.hpp"
#include "core/search/special_values.hpp"
#include "core/search/written_key.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_class.hpp"

namespace thiessen::cuda {
inline namespace job {

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

/// The number of a site in the list of labels; for a cell that holds points, the number of the
/// first.
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

/// Writes a label; address_of(site) is that of a site's.
template <class AddressOf>
THIESSEN_HD void write_label(const Job& job, std::int64_t cell, std::int64_t site,
                             const AddressOf& address_of) {
  const Cells<std::byte>& out = job.out.labels;
  const std::byte* label = site == kUnreached ? job.unreached.bytes.data()
                           : site == kNodata  ? job.rule.nodata.bytes.data()
                                              : address_of(site);
  copy_element(out.bytes + cell * out.element, label, out.element);
}

THIESSEN_HD inline void write_label(const Job& job, std::int64_t cell, std::int64_t site) {
  write_label(job, cell, site, [&](std::int64_t own) { return address_of_label(job, own); });
}

THIESSEN_HD inline void store_double(const Cells<std::byte>& to, std::int64_t cell, double value) {
  if (to.element == 8)
    reinterpret_cast<double*>(to.bytes)[cell] = value;
  else
    reinterpret_cast<float*>(to.bytes)[cell] = static_cast<float>(value);
}

THIESSEN_HD inline void store_distance(const Job& job, std::int64_t cell, double distance) {
  store_double(job.out.distance, cell, distance);
}

template <class Distance, class Scalar>
THIESSEN_NOINLINE THIESSEN_HD Distance any_distance_as(const Unit& unit, Metric metric,
                                                       Scalar exact) {
  return static_cast<Distance>(to_distance(unit, metric, exact));
}

/// The root of a whole number of at most 2^24, correctly rounded.
THIESSEN_HD inline float root_of_whole(float number) {
#ifdef __CUDA_ARCH__
  // One step of Newton's method is enough for these numbers; sqrtf() treats 0 on a slow path.
  const float inverse = rsqrtf(fmaxf(number, 1));
  const float root = number * inverse;
  return fmaf(fmaf(-root, root, number), 0.5F * inverse, root);
#else
  return sqrtf(number);
#endif
}

/// S as a distance of a type. A root in floats is that in doubles, rounded, while S is a float.
template <class Distance, class Scalar>
THIESSEN_HD Distance distance_as(const Job& job, Scalar exact) {
  if constexpr (sizeof(Distance) == sizeof(float)) {
    constexpr bool kIsSmall = sizeof(Scalar) <= sizeof(std::uint16_t);
    constexpr std::int32_t kMostFloat = 1 << 24;
    if (job.metric == Metric::euclidean && job.unit.is_one() && (kIsSmall || exact <= kMostFloat))
      return root_of_whole(static_cast<float>(exact));
  }
  return any_distance_as<Distance>(job.unit, job.metric, exact);
}

/// Writes S as a distance.
template <class Scalar>
THIESSEN_HD void write_distance(const Job& job, std::int64_t cell, Scalar exact) {
  if (job.out.distance.element == 8)
    reinterpret_cast<double*>(job.out.distance.bytes)[cell] = distance_as<double>(job, exact);
  else
    reinterpret_cast<float*>(job.out.distance.bytes)[cell] = distance_as<float>(job, exact);
}

/// The place of a site, in the units of S.
THIESSEN_HD inline Axes place_of(const Job& job, std::int64_t site) {
  return job.points != nullptr ? job.points[site] : to_cell(job.extent, site);
}

/// The difference from a cell to the winning image of a site, in the units of S.
THIESSEN_HD inline Axes way_of(const Job& job, std::int64_t cell, std::int64_t site) {
  Axes from = to_cell(job.extent, cell);
  for (std::size_t axis = 0; axis < kAxes; ++axis) from[axis] <<= job.fraction_bits;
  return Images{job.metric, job.factor, job.period}.way(from, place_of(job, site));
}

/// Writes the way from a cell to its site, which is `site` < 0 for one without.
THIESSEN_HD inline void write_offset(const Job& job, std::int64_t cell, std::int64_t site,
                                     const Axes& way) {
  const int first = kAxes - job.rank;
  for (int axis = first; axis < kAxes; ++axis)
    job.out.offset[(axis - first) * job.cells() + cell] =
        site < 0 ? kNoOffset : static_cast<std::int32_t>(way[static_cast<std::size_t>(axis)]);
}

THIESSEN_HD inline void write_direction(const Job& job, std::int64_t cell, std::int64_t site,
                                        const Axes& way) {
  job.out.direction[cell] =
      site < 0 ? kNoDirection : Compass(job.spacing[1], job.spacing[2]).direction(way);
}

/// The index of a site as the caller counts it: in its own layer, in the raster of which this one
/// is a slab, or in the list of points.
THIESSEN_HD inline std::int64_t index_for_caller(const Job& job, std::int64_t site) {
  if (site < 0) return site;
  return job.layered ? site % (job.extent[1] * job.extent[2])
                     : job.first_site + number_in_list(job, site);
}

/// In a run in the complement: writes minus the distance of cells that are sites.
template <class Scalar>
THIESSEN_HD void write_inside(const Job& job, std::int64_t cell, std::int64_t site, Scalar exact) {
  if (site == kUnreached)
    store_distance(job, cell, -std::numeric_limits<double>::infinity());
  else if (exact != 0)
    store_distance(job, cell, -to_distance(job.unit, job.metric, exact));
}

/// The sites of a job, as the results tell of them.
struct JobSites {
  THIESSEN_HD const std::byte* label(const Job& job, std::int64_t site) const {
    return address_of_label(job, site);
  }
  THIESSEN_HD std::int64_t index(const Job& job, std::int64_t site) const {
    return index_for_caller(job, site);
  }
  THIESSEN_HD Axes way(const Job& job, std::int64_t cell, std::int64_t site) const {
    return way_of(job, cell, site);
  }
};

/// Writes the outputs of a cell whose nearest site is `site`, or kUnreached if there is none.
/// `sites` tells of sites what JobSites does of those of a job.
template <class Scalar, class Sites>
THIESSEN_NOINLINE THIESSEN_HD void write_result(const Job& job, std::int64_t cell,
                                                std::int64_t site, Scalar exact,
                                                const Sites& sites) {
  if (job.limited && site >= 0 && static_cast<Int128>(exact) > job.limit) site = kUnreached;
  if (job.inside) return write_inside(job, cell, site, exact);
  if (job.rule.has_nodata && class_of(job, cell) == kNodataCell) site = kNodata;
  if (job.out.labels)
    write_label(job, cell, site, [&](std::int64_t own) { return sites.label(job, own); });
  if (job.out.site_index != nullptr) job.out.site_index[cell] = sites.index(job, site);
  if (job.out.distance && site >= 0)
    write_distance(job, cell, exact);
  else if (job.out.distance)
    store_distance(job, cell, site == kUnreached ? kUnreachedDistance : kNodataDistance);
  if (job.out.squared != nullptr)
    job.out.squared[cell] = site >= 0 ? static_cast<std::int64_t>(exact) : site;
  if (job.out.offset == nullptr && job.out.direction == nullptr) return;
  Axes way{};
  if (site >= 0) way = sites.way(job, cell, site);
  if (job.out.offset != nullptr) write_offset(job, cell, site, way);
  if (job.out.direction != nullptr) write_direction(job, cell, site, way);
}

template <class Scalar>
THIESSEN_HD void write_result(const Job& job, std::int64_t cell, std::int64_t site, Scalar exact) {
  write_result(job, cell, site, exact, JobSites{});
}

/// The key of a site as written.
template <class Scalar>
THIESSEN_HD double key_of(const Job& job, std::int64_t site, Scalar exact) {
  const JobWeights& weights = job.weights;
  if (weights.typed == nullptr) return written_key(weights.keys, exact, 0, weights.exact[site], 0);
  return written_key(weights.keys, exact, to_distance(job.unit, job.metric, exact),
                     weights.exact[site], weights.typed[site]);
}

/// write_result() of sites with weights: also writes the key, and limits it.
template <class Scalar>
THIESSEN_NOINLINE THIESSEN_HD void write_weighted_result(const Job& job, std::int64_t cell,
                                                         std::int64_t site, Scalar exact) {
  if (job.weights.limited || job.out.weighted_distance) {
    double key = site >= 0 ? key_of(job, site, exact) : kUnreachedDistance;
    if (job.weights.limited && key > job.weights.max_distance) {
      key = kUnreachedDistance;
      site = kUnreached;
    }
    if (job.rule.has_nodata && class_of(job, cell) == kNodataCell) key = kNodataDistance;
    if (job.out.weighted_distance) store_double(job.out.weighted_distance, cell, key);
  }
  write_result(job, cell, site, exact);
}

}  // namespace job
}  // namespace thiessen::cuda
