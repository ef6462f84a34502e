// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site, one axis after the other, as cpu/separable.cpp does it: of all sites in a
// column only the best one can win in a row, so every pass leaves one candidate a cell. A thread
// goes along a line. Its winners are intervals, kept as (position, first cell); the next kernel
// looks them up by bisection, a cell a thread, and so writes in the order of memory.
//
//   1. Along the first axis (y in 2-D, z in 3-D): nearest site of every column, from the bits.
//   2. 3-D only, along y: lower envelope of the columns' sites, then the winner of every cell.
//   3. Along x: lower envelope, then the outputs.
//
// Notation: nearest[cell] first coordinate of the site of its column seen from the cell;
// winner_y[cell] the y of the column that wins pass 2; kNoSite: none.
#include "core/lower_envelope.hpp"
#include "core/slab.hpp"
#include "cuda/bits.hpp"
#include "cuda/launch.hpp"
#include "cuda/results.hpp"
#include "cuda/separable.hpp"

namespace thiessen::cuda {
namespace {

constexpr int kThreads = 128;

/// An interval as it is kept: the rest of it follows from the position.
struct Entry {
  std::int32_t position;
  std::int32_t begin;
};

template <class Scalar>
struct Passes {
  Job job;
  Bits bits;
  const std::int32_t* open = nullptr;  ///< 0: there is nothing to do
  Scalar factor[kAxes];
  std::int32_t* nearest = nullptr;
  std::int32_t* winner_y = nullptr;
  Entry* entries = nullptr;             ///< of all lines of a pass
  std::int64_t* entry_count = nullptr;  ///< of each line
};

/// Intervals of one line in device memory: entry i lies at i * stride.
template <class Scalar, class Candidate>
struct EntryStack {
  Entry* entries;
  std::int64_t stride;
  Candidate candidate;  ///< (position) -> the interval, but for its begin

  __device__ Interval<Scalar> load(std::int64_t i) const {
    const Entry entry = entries[i * stride];
    Interval<Scalar> site = candidate(entry.position);
    site.begin = entry.begin;
    return site;
  }
  __device__ void store(std::int64_t i, const Interval<Scalar>& site) const {
    entries[i * stride] = {site.position, site.begin};
  }
};

/// Calls visit(i) for i = 0 .. count - 1, one a thread: grids are no larger than the device.
template <class Visit>
__device__ void for_each_index(std::int64_t count, const Visit& visit) {
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < count; i += threads)
    visit(i);
}

template <class Geometry, class Scalar>
__device__ Scalar along_axis(const Passes<Scalar>& passes, std::size_t axis, std::int64_t a,
                             std::int64_t b) {
  return Geometry::along(passes.factor[axis], apart(a, b, passes.job.period[axis]));
}

// ---- 1. along the first axis

struct Nearest {
  std::int64_t image = 0;
  std::int32_t coordinate = kNoSite;
};

/// Whether `b` is the one to keep, seen from `at`.
__device__ bool is_nearer(std::int64_t at, const Nearest& a, const Nearest& b) {
  if (b.coordinate == kNoSite) return false;
  if (a.coordinate == kNoSite) return true;
  const std::int64_t to_a = at < a.image ? a.image - at : at - a.image;
  const std::int64_t to_b = at < b.image ? b.image - at : at - b.image;
  return to_b < to_a || (to_b == to_a && b.coordinate < a.coordinate);
}

template <class Scalar>
__device__ void nearest_in_column(const Passes<Scalar>& passes, std::int64_t column) {
  const Axes& extent = passes.job.extent;
  const bool is_flat = passes.job.rank == 2;
  const std::int64_t length = is_flat ? extent[1] : extent[0];
  const std::int64_t period = passes.job.period[is_flat ? 1 : 0];
  const std::int64_t width = extent[2];
  const std::int64_t row = column / width;  // in 2-D the layer
  const std::int64_t x = column % width;
  const std::int64_t rows = is_flat ? 1 : extent[1];
  const std::int64_t first = is_flat ? row * length : row;
  const auto is_site = [&](std::int64_t k) { return passes.bits.has(first + k * rows, x); };
  std::int32_t* const nearest = passes.nearest + first * width + x;
  const std::int64_t step = rows * width;

  Nearest last;
  Nearest next;
  if (period != kNoPeriod) {
    for (std::int64_t k = 0; k < length; ++k) {
      if (!is_site(k)) continue;
      const auto at = static_cast<std::int32_t>(k);
      if (next.coordinate == kNoSite) next = {k + period, at};
      last = {k - period, at};
    }
  }
  for (std::int64_t k = 0; k < length; ++k) {
    if (is_site(k)) last = {k, static_cast<std::int32_t>(k)};
    nearest[k * step] = last.coordinate;
  }
  for (std::int64_t k = length - 1; k >= 0; --k) {
    const std::int32_t before = nearest[k * step];
    if (before == k) next = {k, before};
    const Nearest behind{before <= k ? before : before - period, before};
    if (is_nearer(k, behind, next)) nearest[k * step] = next.coordinate;
  }
}

template <class Scalar>
__global__ void __launch_bounds__(kThreads)
    columns(const __grid_constant__ Passes<Scalar> passes, std::int64_t count) {
  if (*passes.open == 0) return;
  for_each_index(count, [&](std::int64_t column) { nearest_in_column(passes, column); });
}

// ---- 2. and 3. along y and x

/// The candidate of the column x in the row (z, y) of pass 3.
template <class Geometry, class Scalar>
struct RowCandidate {
  const Passes<Scalar>& passes;
  std::int64_t z, y;

  __device__ bool exists(std::int64_t x) const { return site_y(x) != kNoSite; }
  __device__ std::int32_t site_y(std::int64_t x) const {
    const Axes& extent = passes.job.extent;
    const std::int64_t cell = to_index(extent, {z, y, x});
    return passes.job.rank == 2 ? passes.nearest[cell] : passes.winner_y[cell];
  }
  __device__ Interval<Scalar> operator()(std::int32_t position) const {
    const Axes& extent = passes.job.extent;
    const std::int64_t x = unwrap(position, passes.job.period[2]);
    const std::int64_t at_y = site_y(x);
    const std::int64_t at_z =
        passes.job.rank == 2 ? z : passes.nearest[to_index(extent, {z, at_y, x})];
    const Scalar base = Geometry::join(along_axis<Geometry>(passes, 0, z, at_z),
                                       along_axis<Geometry>(passes, 1, y, at_y));
    return {base, to_index(extent, {at_z, at_y, x}), position, 0};
  }
};

/// The candidate of row y in the line (z, x) of pass 2; its order is z·height + y.
template <class Geometry, class Scalar>
struct ColumnCandidate {
  const Passes<Scalar>& passes;
  std::int64_t z, x;

  __device__ std::int32_t site_z(std::int64_t y) const {
    return passes.nearest[to_index(passes.job.extent, {z, y, x})];
  }
  __device__ bool exists(std::int64_t y) const { return site_z(y) != kNoSite; }
  __device__ Interval<Scalar> operator()(std::int32_t position) const {
    const std::int64_t y = unwrap(position, passes.job.period[1]);
    const std::int64_t at_z = site_z(y);
    return {along_axis<Geometry>(passes, 0, z, at_z), at_z * passes.job.extent[1] + y, position, 0};
  }
};

template <class Geometry, class Scalar, class Candidate>
__device__ std::int64_t build_envelope(const Passes<Scalar>& passes, std::size_t axis,
                                       Entry* entries, std::int64_t stride,
                                       const Candidate& candidate) {
  const std::int64_t length = passes.job.extent[axis];
  LowerEnvelope<Geometry, Scalar, EntryStack<Scalar, Candidate>> envelope(
      {entries, stride, candidate}, passes.factor[axis], 0, static_cast<std::int32_t>(length - 1));
  for_each_image(length, passes.job.period[axis], [&](std::int64_t position, std::int64_t at) {
    if (!candidate.exists(at)) return;
    const Interval<Scalar> site = candidate(static_cast<std::int32_t>(position));
    envelope.add(site.base, site.order, site.position);
  });
  return envelope.size();
}

/// The last entry that begins at `at` or before.
__device__ Entry find_entry(const Entry* entries, std::int64_t stride, std::int64_t count,
                            std::int64_t at) {
  std::int64_t low = 0;
  for (std::int64_t high = count - 1; low < high;) {
    const std::int64_t middle = (low + high + 1) / 2;
    if (entries[middle * stride].begin <= at)
      low = middle;
    else
      high = middle - 1;
  }
  return entries[low * stride];
}

/// Lines along y lie side by side: entry i of all lines of a plane, then entry i + 1.
template <class Geometry, class Scalar>
__global__ void __launch_bounds__(kThreads)
    envelopes_along_y(const __grid_constant__ Passes<Scalar> passes, std::int64_t most) {
  if (*passes.open == 0) return;
  const std::int64_t width = passes.job.extent[2];
  for_each_index(passes.job.extent[0] * width, [&](std::int64_t line) {
    const std::int64_t z = line / width;
    const std::int64_t x = line % width;
    passes.entry_count[line] =
        build_envelope<Geometry>(passes, 1, passes.entries + z * most * width + x, width,
                                 ColumnCandidate<Geometry, Scalar>{passes, z, x});
  });
}

template <class Scalar>
__global__ void __launch_bounds__(kThreads)
    winners_along_y(const __grid_constant__ Passes<Scalar> passes, std::int64_t most) {
  if (*passes.open == 0) return;
  const std::int64_t width = passes.job.extent[2];
  for_each_index(passes.job.cells(), [&](std::int64_t cell) {
    const Axes at = to_cell(passes.job.extent, cell);
    const std::int64_t count = passes.entry_count[at[0] * width + at[2]];
    std::int32_t winner = kNoSite;
    if (count > 0) {
      const Entry entry =
          find_entry(passes.entries + at[0] * most * width + at[2], width, count, at[1]);
      winner = static_cast<std::int32_t>(unwrap(entry.position, passes.job.period[1]));
    }
    passes.winner_y[cell] = winner;
  });
}

template <class Geometry, class Scalar>
__global__ void __launch_bounds__(kThreads)
    envelopes_along_x(const __grid_constant__ Passes<Scalar> passes, std::int64_t most) {
  if (*passes.open == 0) return;
  const std::int64_t height = passes.job.extent[1];
  for_each_index(passes.job.extent[0] * height, [&](std::int64_t row) {
    passes.entry_count[row] = build_envelope<Geometry>(
        passes, 2, passes.entries + row * most, 1,
        RowCandidate<Geometry, Scalar>{passes, row / height, row % height});
  });
}

template <class Geometry, class Scalar>
__device__ void write_cell(const Passes<Scalar>& passes, std::int64_t most, std::int64_t cell) {
  const Axes at = to_cell(passes.job.extent, cell);
  const std::int64_t row = cell / passes.job.extent[2];
  const std::int64_t count = passes.entry_count[row];
  if (count == 0) return write_result(passes.job, cell, kUnreached, Scalar{0});
  const Entry entry = find_entry(passes.entries + row * most, 1, count, at[2]);
  const RowCandidate<Geometry, Scalar> candidate{passes, at[0], at[1]};
  const Interval<Scalar> site = candidate(entry.position);
  const Scalar exact =
      Geometry::join(site.base, Geometry::along(passes.factor[2], at[2] - entry.position));
  write_result(passes.job, cell, site.order, exact);
}

template <class Geometry, class Scalar>
__global__ void __launch_bounds__(kThreads)
    write_results(const __grid_constant__ Passes<Scalar> passes, std::int64_t most) {
  if (*passes.open == 0) return;
  for_each_index(passes.job.cells(),
                 [&](std::int64_t cell) { write_cell<Geometry>(passes, most, cell); });
}

template <class Geometry, class Scalar>
void run(const CudaSession& session, const Job& job, const Bits& bits, const std::int32_t* open,
         Scratch::Frame& device) {
  const cudaStream_t stream = session.stream();
  const Axes& extent = job.extent;
  const std::int64_t cells = job.cells();
  Passes<Scalar> passes{.job = job, .bits = bits, .open = open};
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    passes.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  const std::int64_t most_x = images_of(extent[2], job.period[2]);
  const std::int64_t most_y = job.rank == 3 ? images_of(extent[1], job.period[1]) : 0;
  passes.nearest = device.array<std::int32_t>(cells);
  passes.entries =
      device.array<Entry>(extent[0] * std::max(most_x * extent[1], most_y * extent[2]));
  passes.entry_count = device.array<std::int64_t>(extent[0] * std::max(extent[1], extent[2]));

  const auto blocks = [&](std::int64_t count) {
    constexpr std::int64_t kBlocksOfAProcessor = 16;
    return static_cast<unsigned>(
        std::min(parts(count, kThreads), session.processors() * kBlocksOfAProcessor));
  };
  const std::int64_t lines = (job.rank == 2 ? extent[0] : extent[1]) * extent[2];
  columns<<<blocks(lines), kThreads, 0, stream>>>(passes, lines);
  check_launch("first axis");
  if (job.rank == 3) {
    passes.winner_y = device.array<std::int32_t>(cells);
    envelopes_along_y<Geometry>
        <<<blocks(extent[0] * extent[2]), kThreads, 0, stream>>>(passes, most_y);
    check_launch("envelopes along y");
    winners_along_y<<<blocks(cells), kThreads, 0, stream>>>(passes, most_y);
    check_launch("winners along y");
  }
  envelopes_along_x<Geometry>
      <<<blocks(extent[0] * extent[1]), kThreads, 0, stream>>>(passes, most_x);
  check_launch("envelopes along x");
  write_results<Geometry><<<blocks(cells), kThreads, 0, stream>>>(passes, most_x);
  check_launch("results");
}

}  // namespace

void run_separable(const CudaSession& session, const Problem& problem, const Job& job,
                   const Bits& bits, const std::int32_t* open, Scratch::Frame& device) {
  const auto with_scalar = [&]<class Geometry>(Geometry) {
    if (problem.wide) return run<Geometry, Int128>(session, job, bits, open, device);
    run<Geometry, std::int64_t>(session, job, bits, open, device);
  };
  if (problem.metric == Metric::euclidean) return with_scalar(Euclidean{});
  with_scalar(Manhattan{});
}

}  // namespace thiessen::cuda
