// SPDX-License-Identifier: Apache-2.0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "core/problem/points.hpp"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/job/site_class.hpp"
#include "cuda/transfer/inputs.hpp"

namespace thiessen::cuda {
inline namespace transfer {
namespace {

constexpr int kThreads = 256;

// ---- values

struct FewValues {
  LabelBits bits[128];
};

__global__ void put(const __grid_constant__ FewValues values, LabelBits* to, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads) to[i] = values.bits[i];
}

// ---- points

struct Coordinates {
  const std::byte* bytes;
  std::int64_t point_stride;
  std::int64_t axis_stride;
  bool is_double;

  /// Loads a coordinate, aligned or not.
  __device__ double load(std::int64_t point, int axis) const {
    const std::byte* const address = bytes + point * point_stride + axis * axis_stride;
    return is_double ? load_as<double>(address) : load_as<float>(address);
  }

 private:
  template <class T>
  __device__ static T load_as(const std::byte* address) {
    T value;
    memcpy(&value, address, sizeof value);
    return value;
  }
};

struct Snap {
  int rank;
  int fraction_bits;
  std::int64_t count;
  std::int64_t margin;
  Axes extent;
  Axes period;
};

/// A coordinate in units of 2^-fraction_bits of a cell; 0 if it is a fault.
__device__ std::int64_t snap_one(const Snap& snap, double coordinate, int axis, FaultKind& kind,
                                 bool& is_fault) {
  is_fault = true;
  kind = FaultKind::not_finite;
  if (!(fabs(coordinate) <= kFarthestPoint)) return 0;
  const auto place = static_cast<std::int64_t>(rint(ldexp(coordinate, kFractionBits)));
  const std::int64_t beyond = snap.margin << kFractionBits;
  const std::int64_t last = (snap.extent[axis] - 1) << kFractionBits;
  kind = FaultKind::too_far;
  if (snap.period[axis] == kNoPeriod && (place < -beyond || place > last + beyond)) return 0;
  kind = FaultKind::off_centre;
  const int unused = kFractionBits - snap.fraction_bits;
  if ((place & ((std::int64_t{1} << unused) - 1)) != 0) return 0;
  is_fault = false;
  const std::int64_t own = place >> unused;
  const std::int64_t period = snap.period[axis];
  return period == kNoPeriod ? own : (own % period + period) % period;
}

__global__ void __launch_bounds__(kGridStrideThreads)
    snap_all(const __grid_constant__ Snap snap, const Coordinates coordinates, Axes* at,
             Fault* fault) {
  follow();
  grid_stride_loop(snap.count, [&](std::int64_t i) {
    Axes place{0, 0, 0};
    for (int axis = 0; axis < snap.rank; ++axis) {
      FaultKind kind;
      bool is_fault;
      const int own = kAxes - snap.rank + axis;
      place[own] = snap_one(snap, coordinates.load(i, axis), own, kind, is_fault);
      if (is_fault) atomicMin(fault, make_fault(kind, i, axis));
    }
    at[i] = place;
  });
}

// ---- numbers

/// 1 at a site, else 0.
template <class Label>
struct IsSite {
  Rule rule;
  const std::byte* cells;
  __host__ __device__ Label operator()(std::int64_t cell) const {
    return class_of_value(rule, static_cast<std::uint8_t>(cells[cell])) == kSiteCell ? 1 : 0;
  }
};

struct LayerOf {
  std::int64_t cells;
  __host__ __device__ std::int64_t operator()(std::int64_t cell) const { return cell / cells; }
};

template <class Label>
void scan_sites(const CudaSession& session, const Job& job, Label* numbers,
                Scratch::Frame& device) {
  const thrust::counting_iterator<std::int64_t> all(0);
  const auto sites = thrust::make_transform_iterator(all, IsSite<Label>{job.rule, job.sites.bytes});
  const auto layers = thrust::make_transform_iterator(all, LayerOf{job.extent[1] * job.extent[2]});
  const auto scan = [&](void* memory, std::size_t& bytes) {
    check(job.layered ? cub::DeviceScan::InclusiveSumByKey(memory, bytes, layers, sites, numbers,
                                                           job.cells(), ::cuda::std::equal_to<>{},
                                                           session.stream())
                      : cub::DeviceScan::InclusiveSum(memory, bytes, sites, numbers, job.cells(),
                                                      session.stream()),
          "numbers of the sites");
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  scan(device.array<std::byte>(static_cast<std::int64_t>(bytes)), bytes);
}

template <class Label>
__global__ void __launch_bounds__(kGridStrideThreads) count_up(Label* labels, std::int64_t count) {
  follow();
  grid_stride_loop(count, [&](std::int64_t i) { labels[i] = static_cast<Label>(i + 1); });
}

template <class Label>
Label* number_from_one(const CudaSession& session, std::int64_t count, Scratch::Frame& device) {
  auto* const labels = device.array<Label>(count);
  if (count == 0) return labels;
  launch_next(session, "numbers of the points", grid_stride_shape(session, count), count_up<Label>,
              labels, count);
  return labels;
}

template <class Label>
Cells<const std::byte> as_cells(const Label* labels) {
  return {reinterpret_cast<const std::byte*>(labels), sizeof(Label)};
}

}  // namespace

void put_values(const CudaSession& session, const LabelBits* values, std::int64_t count,
                LabelBits* to) {
  constexpr std::int64_t kFew = std::size(FewValues{}.bits);
  for (std::int64_t first = 0; first < count; first += kFew) {
    const std::int64_t few = std::min(kFew, count - first);
    FewValues some;
    std::copy_n(values + first, few, some.bits);
    launch(session, "values of the sites", {1, kThreads}, put, some, to + first,
           static_cast<int>(few));
  }
}

void snap_points(const CudaSession& session, const Problem& problem,
                 const View<const void>& coordinates, Axes* at) {
  const std::int64_t count = coordinates.extent(0);
  if (count == 0) return;
  const Snap snap{problem.rank,   problem.fraction_bits, count,
                  problem.margin, problem.extent,        problem.period};
  const Coordinates from{coordinates.bytes(), coordinates.stride(0), coordinates.stride(1),
                         coordinates.element_type() == ElementType::f64};
  launch_next(session, "places of the points", grid_stride_shape(session, count), snap_all, snap,
              from, at, session.fault());
}

void number_sites(const CudaSession& session, const Job& job, const Cells<std::byte>& numbers,
                  Scratch::Frame& device) {
  if (job.cells() == 0) return;
  if (numbers.element == sizeof(std::int32_t))
    return scan_sites(session, job, reinterpret_cast<std::int32_t*>(numbers.bytes), device);
  scan_sites(session, job, reinterpret_cast<std::int64_t*>(numbers.bytes), device);
}

Cells<const std::byte> number_points(const CudaSession& session, std::int64_t count,
                                     ElementType type, Scratch::Frame& device) {
  if (type == ElementType::i32)
    return as_cells(number_from_one<std::int32_t>(session, count, device));
  return as_cells(number_from_one<std::int64_t>(session, count, device));
}

}  // namespace transfer
}  // namespace thiessen::cuda
