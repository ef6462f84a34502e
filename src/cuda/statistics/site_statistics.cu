// SPDX-License-Identifier: Apache-2.0
//
// A warp lists where the runs of equal labels in a part of a row begin; then its lanes take one run
// each, and add closed forms of its length and place to its label by atomic additions, first for
// the labels of a patch of the raster, then for all: they are integers, so their order does not
// matter. The device makes the rows of the table, too, and rounds by the functions by which the CPU
// does.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <array>
#include <cub/device/device_scan.cuh>

#include "core/statistics/tables.hpp"
#include "cuda/statistics/label_call.cuh"
#include "cuda/statistics/statistics.hpp"

namespace thiessen::cuda::statistics {
namespace {

__device__ void add(std::int64_t& sum, std::int64_t value) {
  atomicAdd(reinterpret_cast<Word*>(&sum), static_cast<Word>(value));
}
__device__ void add(std::uint64_t& sum, std::uint64_t value) {
  atomicAdd(reinterpret_cast<Word*>(&sum), static_cast<Word>(value));
}
/// The carry follows: what is read when all is done is the sum.
__device__ void add(UInt128& sum, UInt128 value) {
  auto* const words = reinterpret_cast<Word*>(&sum);
  const Word low = static_cast<Word>(value);
  const Word former = atomicAdd(words, low);
  const Word high = static_cast<Word>(value >> 64) + (former + low < former ? 1 : 0);
  if (high != 0) atomicAdd(words + 1, high);
}

/// The least box around a label. Bytes of 0xFF are an empty one.
template <int kRank>
struct GrowingBox {
  std::uint32_t first[kRank];
  std::int32_t last[kRank];
};

/// What is known of the places of labels.
template <int kRank, class Sum>
struct PlaceSums {
  CellMoments<kRank, Sum>* moments;
  GrowingBox<kRank>* boxes;
};

template <int kRank, class Sum>
__device__ void add_share(const PlaceSums<kRank, Sum>& sums, std::uint32_t place,
                          const CellMoments<kRank, Sum>& share, const CellBox<kRank>& box) {
  CellMoments<kRank, Sum>& moments = sums.moments[place];
  GrowingBox<kRank>& whole = sums.boxes[place];
  add(moments.cells, share.cells);
  for (int i = 0; i < kRank; ++i) add(moments.sum[i], share.sum[i]);
  for (int i = 0; i < CellMoments<kRank, Sum>::kProducts; ++i)
    add(moments.product[i], share.product[i]);
  for (int i = 0; i < kRank; ++i) {
    // Most shares are inside of the box.
    const auto first = static_cast<std::uint32_t>(box.first[i]);
    if (__ldcg(whole.first + i) > first) atomicMin(whole.first + i, first);
    if (__ldcg(whole.last + i) < box.last[i]) atomicMax(whole.last + i, box.last[i]);
  }
}

/// The cells of a patch by labels, in memory of the block: the cells of a region in one patch are
/// many runs, and shared memory takes them faster than the table. Counted from the first cell of
/// the patch, sums have 32 bits, but for one. A hash table; for runs that find no place in it there
/// is the table.
class PatchSums {
 public:
  __device__ void clear() {
    for (int i = static_cast<int>(threadIdx.x); i < kPlaces; i += kPatchThreads) {
      place_[i] = LabelTable::kNone;
      for (auto& sum : sums_) sum[i] = 0;
      for (int axis = 0; axis < 2; ++axis) {
        first_[axis][i] = INT32_MAX;
        last_[axis][i] = INT32_MIN;
      }
    }
  }

  /// Adds the cells (y, x) … (y, x + length - 1) of the label with that place; false if it has none
  /// here.
  __device__ bool add_run(std::uint32_t place, int y, int x, int length) {
    int i = 0;
    if (!find_own_place(place_, place, LabelTable::kNone, i)) return false;
    CellMoments<2, std::uint32_t> run;
    run.add_run({y, x}, length);
    atomicAdd(&sums_[kCells][i], static_cast<std::uint32_t>(length));
    atomicAdd(&sums_[kY][i], run.sum[0]);
    atomicAdd(&sums_[kX][i], run.sum[1]);
    atomicAdd(&sums_[kYy][i], run.product[0]);
    atomicAdd(&sums_[kYx][i], run.product[1]);
    const std::uint32_t former = atomicAdd(&sums_[kXx][i], run.product[2]);
    if (former + run.product[2] < former) atomicAdd(&sums_[kXxHigh][i], 1u);
    atomicMin(&first_[0][i], y);
    atomicMax(&last_[0][i], y);
    atomicMin(&first_[1][i], x);
    atomicMax(&last_[1][i], x + length - 1);
    return true;
  }

  /// Adds all to the table.
  template <int kRank, class Sum>
  __device__ void add_to(const PlaceSums<kRank, Sum>& sums, const Patch& patch) const {
    for (int i = static_cast<int>(threadIdx.x); i < kPlaces; i += kPatchThreads)
      if (place_[i] != LabelTable::kNone)
        add_share(sums, place_[i], moments<kRank, Sum>(i, patch), box<kRank>(i, patch));
  }

 private:
  static constexpr int kPlaces = 256;
  enum { kCells, kY, kX, kYy, kYx, kXx, kXxHigh, kSums };

  /// The moments counted from the first cell of the raster.
  template <int kRank, class Sum>
  __device__ CellMoments<kRank, Sum> moments(int i, const Patch& patch) const {
    using Moments = CellMoments<kRank, Sum>;
    constexpr int kAlongY = kRank - 2;
    constexpr int kAlongX = kRank - 1;
    const auto y = static_cast<Sum>(patch.y);
    const auto x = static_cast<Sum>(patch.x);
    const Sum n = sums_[kCells][i];
    const Sum of_y = sums_[kY][i];
    const Sum of_x = sums_[kX][i];
    const Sum of_xx = static_cast<Sum>(std::uint64_t{sums_[kXxHigh][i]} << 32 | sums_[kXx][i]);
    Moments moments;
    moments.cells = sums_[kCells][i];
    moments.sum[kAlongY] = n * y + of_y;
    moments.sum[kAlongX] = n * x + of_x;
    moments.product[Moments::place(kAlongY, kAlongY)] = n * y * y + 2 * y * of_y + sums_[kYy][i];
    moments.product[Moments::place(kAlongY, kAlongX)] =
        n * y * x + y * of_x + x * of_y + sums_[kYx][i];
    moments.product[Moments::place(kAlongX, kAlongX)] = n * x * x + 2 * x * of_x + of_xx;
    if constexpr (kRank == 3) {
      const auto z = static_cast<Sum>(patch.z);
      moments.sum[0] = n * z;
      moments.product[Moments::place(0, 0)] = n * z * z;
      moments.product[Moments::place(0, 1)] = z * moments.sum[1];
      moments.product[Moments::place(0, 2)] = z * moments.sum[2];
    }
    return moments;
  }

  template <int kRank>
  __device__ CellBox<kRank> box(int i, const Patch& patch) const {
    CellBox<kRank> box;
    if constexpr (kRank == 3) box.first[0] = box.last[0] = static_cast<std::int32_t>(patch.z);
    const std::int32_t origin[2] = {static_cast<std::int32_t>(patch.y),
                                    static_cast<std::int32_t>(patch.x)};
    for (int axis = 0; axis < 2; ++axis) {
      box.first[kRank - 2 + axis] = origin[axis] + first_[axis][i];
      box.last[kRank - 2 + axis] = origin[axis] + last_[axis][i];
    }
    return box;
  }

  std::uint32_t place_[kPlaces];
  std::uint32_t sums_[kSums][kPlaces];
  std::int32_t first_[2][kPlaces];
  std::int32_t last_[2][kPlaces];
};

/// Lists where runs begin, counted from the first cell of the segment; returns how many there are.
template <class T>
__device__ int list_runs(const LabelCells& raster, const Segment& segment, SegmentList& begins) {
  const int lane = lane_of_thread();
  LabelWord<T> own[kLanes];
  const std::uint32_t first = lane == 0 ? 1 : 0;
  return list_cells(
      read_runs<T>(raster, segment, own) | first, [&](int bit) { return lane * kLanes + bit; },
      begins);
}

template <class T, int kRank, class Sum>
__global__ void __launch_bounds__(kPatchThreads)
    add_cells(const __grid_constant__ LabelCells raster, const LabelTable table,
              const PlaceSums<kRank, Sum> sums) {
  __shared__ SegmentList lists[kPatchWarps];
  __shared__ PatchSums own;
  SegmentList& begins = lists[threadIdx.x / kLanes];
  const Patch patch = find_patch(raster);
  own.clear();
  __syncthreads();
  visit_segments(patch, [&](const Segment& segment) {
    if (table.is_full()) return;
    const int count = list_runs<T>(raster, segment, begins);
    __syncwarp();
    for (int run = lane_of_thread(); run < count; run += kLanes) {
      const int begin = begins[run];
      const int length = (run + 1 < count ? begins[run + 1] : segment.length) - begin;
      const std::int64_t x = segment.begin + begin;
      const std::uint32_t place =
          table.place_of(raster, raster.template at<T>(segment.z, segment.y, x));
      if (place == LabelTable::kNone ||
          own.add_run(place, static_cast<int>(segment.y - patch.y), begin, length))
        continue;
      std::array<std::int64_t, kRank> cell;
      if constexpr (kRank == 2)
        cell = {segment.y, x};
      else
        cell = {segment.z, segment.y, x};
      CellMoments<kRank, Sum> share;
      CellBox<kRank> box;
      share.add_run(cell, length);
      box.add_run(cell, length);
      add_share(sums, place, share, box);
    }
    __syncwarp();
  });
  __syncthreads();
  own.add_to(sums, patch);
}

/// Columns of a table of so many rows, one behind the other.
template <int kRank>
struct Columns {
  /// Bytes of a row without its label.
  static constexpr std::int64_t kRowBytes =
      8 + 8 + 8 * kRank + 8 * kRank * kRank + 4 * kRank + 4 * kRank;

  THIESSEN_HD Columns(std::byte* bytes, std::int64_t rows, ElementType type, int width)
      : cells(reinterpret_cast<std::int64_t*>(bytes)),
        volume(reinterpret_cast<double*>(cells + rows)),
        centroid(volume + rows),
        second_moments(centroid + rows * kRank),
        first(reinterpret_cast<std::int32_t*>(second_moments + rows * kRank * kRank)),
        last(first + rows * kRank),
        labels{reinterpret_cast<std::byte*>(last + rows * kRank), type, width} {}

  std::int64_t* cells;
  double* volume;
  double* centroid;
  double* second_moments;
  std::int32_t* first;
  std::int32_t* last;
  LabelColumn labels;
};

/// 1 if the nth place in the order of labels has cells, else 0.
template <int kRank, class Sum>
struct HasCells {
  const CellMoments<kRank, Sum>* moments;
  const std::uint32_t* in_order;

  THIESSEN_HD std::uint32_t operator()(std::int64_t n) const {
    return moments[nth_place(in_order, n)].cells != 0 ? 1 : 0;
  }
};

/// What the device must know of the raster to make rows.
struct RasterForm {
  double spacing[kAxes];
  double volume;
  ElementType type;
  int width;  ///< bytes of a label
};

/// `ends`: how many of the places up to each have cells.
template <int kRank, class Sum>
__global__ void __launch_bounds__(kGridStrideThreads)
    make_rows(const LabelTable table, const PlaceSums<kRank, Sum> sums,
              const std::uint32_t* in_order, const std::uint32_t* ends, const RasterForm form,
              std::byte* bytes) {
  const std::int64_t rows = ends[table.places() - 1];
  const Columns<kRank> columns(bytes, rows, form.type, form.width);
  if (blockIdx.x == 0 && threadIdx.x == 0) table.state->rows = static_cast<std::uint32_t>(rows);
  grid_stride_loop(table.places(), [&](std::int64_t n) {
    const std::int64_t row = n == 0 ? 0 : ends[n - 1];
    if (ends[n] == row) return;
    const std::uint32_t place = nth_place(in_order, n);
    const CellMoments<kRank, Sum>& moments = sums.moments[place];
    const Spread<kRank> spread = spread_of(moments, form.spacing + kAxes - kRank);
    columns.cells[row] = moments.cells;
    columns.volume[row] = static_cast<double>(moments.cells) * form.volume;
    columns.labels.put(row, table.key(place));
    for (int i = 0; i < kRank; ++i) {
      columns.centroid[row * kRank + i] = spread.centroid[i];
      columns.first[row * kRank + i] = static_cast<std::int32_t>(sums.boxes[place].first[i]);
      columns.last[row * kRank + i] = sums.boxes[place].last[i];
      for (int j = 0; j < kRank; ++j)
        columns.second_moments[(row * kRank + i) * kRank + j] = spread.second_moments[i][j];
    }
  });
}

/// Rows on the device with what it takes to make them.
template <int kRank, class Sum>
class RowMaker {
 public:
  RowMaker(CudaSession& session, const LabelRaster& raster, std::uint32_t capacity)
      : session_(session),
        device_(session.scratch),
        empty_(allocate_table(session, capacity,
                              std::int64_t{sizeof(CellMoments<kRank, Sum>)} * 2 * capacity,
                              device_)),
        table_(empty_.labels),
        sums_{reinterpret_cast<CellMoments<kRank, Sum>*>(empty_.zeros),
              allocate_filled<GrowingBox<kRank>>(session, table_.places(), 0xFF, device_)},
        form_{{raster.spacing[0], raster.spacing[1], raster.spacing[2]},
              volume_of_cell(raster),
              raster.labels.element_type(),
              static_cast<int>(size_of(raster.labels.element_type()))},
        ends_(device_.array<std::uint32_t>(table_.places())),
        bytes_(allocate_rows(table_.places(), row_bytes(), device_)) {}

  /// False if the table was too small.
  bool find(const LabelRaster& raster, SiteStatistics& table) {
    const LabelCells cells = make_label_cells(raster);
    visit_element_type(form_.type, [&]<class T>(std::type_identity<T>) {
      launch(session_, "sums of labels", grid_of_patches(cells), add_cells<T, kRank, Sum>, cells,
             table_, sums_);
    });
    // Most rasters have small labels alone, whose order is known.
    const HostRows found = rows_of(nullptr);
    if (found.state().full != 0) return false;
    if (found.state().hashed == 0)
      fill(found, table);
    else
      fill(rows_of(sort_places(session_, table_, form_.type, device_)), table);
    return true;
  }

 private:
  std::int64_t row_bytes() const { return Columns<kRank>::kRowBytes + form_.width; }

  HostRows rows_of(const std::uint32_t* in_order) {
    const auto has_cells = thrust::make_transform_iterator(
        thrust::counting_iterator<std::int64_t>(0), HasCells<kRank, Sum>{sums_.moments, in_order});
    call_with_memory(
        session_, "numbers of rows",
        [&](void* memory, std::size_t& bytes) {
          return cub::DeviceScan::InclusiveSum(memory, bytes, has_cells, ends_,
                                               std::int64_t{table_.places()}, session_.stream());
        },
        device_);
    launch(session_, "rows of labels", grid_stride_shape(session_, table_.places()),
           make_rows<kRank, Sum>, table_, sums_, in_order, ends_, form_, bytes_);
    return {session_, table_.state, bytes_, row_bytes()};
  }

  void fill(const HostRows& found, SiteStatistics& table) const {
    const std::int64_t rows = found.count();
    const Columns<kRank> columns(bytes_, rows, form_.type, form_.width);
    table.labels = found.labels(columns.labels.bytes, form_.type);
    found.copy_column(columns.cells, rows, table.cells);
    found.copy_column(columns.volume, rows, table.volume);
    found.copy_column(columns.centroid, rows * kRank, table.centroid);
    found.copy_column(columns.second_moments, rows * kRank * kRank, table.second_moments);
    found.copy_column(columns.first, rows * kRank, table.first);
    found.copy_column(columns.last, rows * kRank, table.last);
  }

  CudaSession& session_;
  Scratch::Frame device_;
  EmptyTable empty_;
  LabelTable table_;
  PlaceSums<kRank, Sum> sums_;
  RasterForm form_;
  std::uint32_t* ends_;  ///< how many of the places up to each have cells
  std::byte* bytes_;     ///< of the rows
};

template <int kRank, class Sum>
SiteStatistics make_table(ContextState& state, const LabelRaster& raster) {
  SiteStatistics table{.rank = kRank};
  const std::int64_t cells = raster.extent[0] * raster.extent[1] * raster.extent[2];
  if (cells == 0) {
    table.labels = Raster(raster.labels.element_type(), Extents{0});
    return table;
  }
  with_capacity(state, cells, [&](CudaSession& session, std::uint32_t capacity) {
    return RowMaker<kRank, Sum>(session, raster, capacity).find(raster, table);
  });
  return table;
}

}  // namespace

SiteStatistics run_site_statistics(ContextState& state, const StatisticsProblem& problem) {
  if (problem.field || problem.distance)
    throw Error(ErrorCode::unsupported,
                std::string(problem.field ? "field" : "distance") +
                    " is given; labels in memory of a CUDA device are counted without");
  const Axes& extent = problem.raster.extent;
  const bool is_short = has_short_sums(extent[0] * extent[1] * extent[2],
                                       *std::max_element(extent.begin(), extent.end()));
  if (problem.raster.rank == 2)
    return is_short ? make_table<2, std::uint64_t>(state, problem.raster)
                    : make_table<2, UInt128>(state, problem.raster);
  return is_short ? make_table<3, std::uint64_t>(state, problem.raster)
                  : make_table<3, UInt128>(state, problem.raster);
}

}  // namespace thiessen::cuda::statistics
