// SPDX-License-Identifier: Apache-2.0
//
// The near search for distances alone: 64 columns of the raster at a time.
//
// Along a row, the bits say how far each cell is from the nearest site of its row: f, the part of x
// in S. Then S of a cell is the least f + part(k) over the rows k above and below (3-D: the same
// again across the planes, with the S of the pass before as f). Four rows of a vector of columns
// look at the rows k = 1, 2, … away together, two loads, two minima and an addition each. They end
// when part(k) is as great as the greatest S among them: no row beyond can have a lesser one.
//
// What a window sees is bounded: columns and rows in reach, and values that fit a lane. An S up to
// `bound` is final, as every site that was not seen, or not measured, has a greater one. Leaves
// with another cell are left to other searches. Groups that seem to have such a cell are not tried:
// those without any site in reach or with few around them, and for a while those below one that was
// tried in vain.
//
// Ties do not matter to distances. So an axis may be periodic: rows, and bits, begin again at the
// other end.
//
// The idea is that of the separable transforms (Saito and Toriwaki, "New algorithms for Euclidean
// distance transformation of an n-dimensional digitized picture with applications", 1994), with
// the search outward from each cell instead of along each line.
//
// Notation: f[y] row y of 64 lanes; far: more than `bound`; reach, part as in WindowPlan.
#include "cpu/tiles/near/windows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/near/windows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/tiles/near/row-inl.hpp"
#include "cpu/tiles/near/strip_writer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

WindowKernels windows(const WindowPlan&) { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Rows that share a window's length.
inline constexpr std::int64_t kGroup = 4;
/// The most groups below a failed one that are not tried.
inline constexpr int kMostSkipped = 15;

struct Sum {
  template <class D, class V>
  HWY_INLINE static V join(D, V a, V b) {
    return hn::Add(a, b);
  }
};
struct Greatest {
  template <class D, class V>
  HWY_INLINE static V join(D, V a, V b) {
    return hn::Max(a, b);
  }
};

/// Along which axis a search goes, and for which lines of it.
struct Line {
  std::size_t axis = 0;     ///< 0: z, 1: y
  std::int64_t length = 0;  ///< of the axis
  bool periodic = false;
  std::int64_t begin = 0;  ///< of the rows that are searched
  std::int64_t end = 0;
};

/// In 3-D whole strips are worth windows, or not.
inline constexpr auto kAlways = [](std::int64_t) { return true; };

/// The search along one axis of a strip. T: a lane.
template <class T, class Join>
class WindowSearch {
 public:
  WindowSearch(const WindowPlan& plan, const Line& line, void* memory)
      : plan_(plan),
        line_(line),
        reach_(plan.reach[line.axis]),
        part_(plan.part[line.axis].data()),
        rows_(static_cast<T*>(memory)) {}

  /// load(i, to) puts f of row i there, and returns whether some lane is not far. is_worth(i) says
  /// whether rows from i on are tried. emit(i, count, group) takes the results of the rows i, …,
  /// i + count - 1; if all vectors failed, there may be any number of rows. If kAll, all rows get a
  /// result, which may be far.
  template <bool kAll, class Load, class IsWorth, class Emit>
  HWY_INLINE void run(const Load& load, const IsWorth& is_worth, const Emit& emit) {
    std::int64_t known = line_.begin - reach_;
    for (std::int64_t block = line_.begin; block < line_.end; block += kWindowBlock) {
      const std::int64_t block_end = std::min(block + kWindowBlock, line_.end);
      if (!kAll && !is_any_worth(block, block_end, is_worth)) {
        group_.failed = kAllFailed;
        emit(block, block_end - block, group_);
        known = block_end - reach_;
        continue;
      }
      const std::int64_t before = std::exchange(first_, block - reach_);
      if (known > first_)
        keep_rows(first_ - before);
      else
        near_[0] = 0;
      for (; known < block_end + reach_; ++known) load_row(known, load);
      for (std::int64_t row = block; row < block_end; row += kGroup)
        search_group<kAll>(row, std::min(kGroup, block_end - row), is_worth, emit);
    }
  }

  /// The results of some rows: lane x of row i is S, where bit x / kLanes of `failed` is not set.
  struct Group {
    alignas(64) T exact[kGroup][kUnitWidth];
    std::uint32_t failed = 0;
  };

  static constexpr std::int64_t kLanes = kLanesOf<T>;

 private:
  using D = LaneTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kVectors = kUnitWidth / kLanes;
  static constexpr std::uint32_t kAllFailed = (1U << kVectors) - 1;

  T* row(std::int64_t i) const { return rows_ + (i - first_) * kUnitWidth; }

  template <class IsWorth>
  HWY_INLINE bool is_any_worth(std::int64_t begin, std::int64_t end,
                               const IsWorth& is_worth) const {
    if (plan_.complete) return true;
    for (std::int64_t i = begin; i < end; i += kGroup)
      if (is_worth(i)) return true;
    return false;
  }

  /// Moves the last rows of the block before, which begins `step` rows up, to their place.
  void keep_rows(std::int64_t step) {
    std::memmove(rows_, rows_ + step * kUnitWidth,
                 static_cast<std::size_t>(2 * reach_ * kUnitWidth) * sizeof(T));
    std::copy_n(near_ + step, 2 * reach_ + 1, near_);
  }

  template <class Load>
  HWY_INLINE void load_row(std::int64_t i, const Load& load) {
    const std::int64_t at = i - first_;
    bool is_near = false;
    if (line_.periodic) {
      const std::int64_t inside = (i % line_.length + line_.length) % line_.length;
      is_near = load(inside, row(i));
    } else if (i >= 0 && i < line_.length) {
      is_near = load(i, row(i));
    } else {
      fill_row(row(i), static_cast<T>(plan_.far));
    }
    near_[at + 1] = near_[at] + (is_near ? 1 : 0);
  }

  template <bool kAll, class IsWorth, class Emit>
  HWY_INLINE void search_group(std::int64_t first, std::int64_t count, const IsWorth& is_worth,
                               const Emit& emit) {
    const std::int64_t at = first - first_;
    group_.failed = kAllFailed;
    if (near_[at + count + reach_] == near_[at - reach_]) {
      if (kAll || plan_.complete) {
        for (std::int64_t i = 0; i < count; ++i)
          fill_row(group_.exact[i], static_cast<T>(plan_.far));
        group_.failed = 0;
      }
      return emit(first, count, group_);
    }
    if (!kAll && !plan_.complete && !is_worth(first)) return emit(first, count, group_);
    for (std::int64_t vector = 0; vector < kVectors; ++vector) {
      auto& wait = wait_[vector];
      if (!kAll && wait.left > 0) {
        --wait.left;
        continue;
      }
      const bool found = search_vector(first, count, vector);
      if (kAll || found) group_.failed &= ~(1U << vector);
      if (found)
        wait.next = 0;
      else
        wait.left = wait.next = std::min(2 * wait.next + 1, kMostSkipped);
    }
    emit(first, count, group_);
  }

  /// Searches kGroup rows of a vector of columns; rows behind the last one repeat it. Returns
  /// whether all S are final.
  HWY_INLINE bool search_vector(std::int64_t first, std::int64_t count, std::int64_t vector) {
    const D d;
    const hn::RebindToSigned<D> di;
    const T* f[kGroup];
    V best[kGroup];
    for (std::int64_t i = 0; i < kGroup; ++i) {
      f[i] = row(first + std::min(i, count - 1)) + vector * kLanes;
      best[i] = hn::Load(d, f[i]);
    }
    const auto greatest = [&]() HWY_ATTR {
      return hn::Max(hn::Max(best[0], best[1]), hn::Max(best[2], best[3]));
    };
    // No S is greater than `far`, the greatest signed value at most.
    const auto exceeds = [&](V v, std::int64_t value) HWY_ATTR {
      const auto limit = static_cast<hn::TFromD<decltype(di)>>(value);
      return !hn::AllFalse(di, hn::Gt(hn::BitCast(di, v), hn::Set(di, limit)));
    };
    const auto step = [&](std::int64_t k) HWY_ATTR {
      const V part = hn::Set(d, static_cast<T>(part_[k]));
      for (std::int64_t i = 0; i < kGroup; ++i) {
        const V nearer =
            hn::Min(hn::Load(d, f[i] - k * kUnitWidth), hn::Load(d, f[i] + k * kUnitWidth));
        best[i] = hn::Min(best[i], Join::join(d, nearer, part));
      }
    };
    for (std::int64_t k = 1; k <= reach_ && exceeds(greatest(), part_[k]); k += 2) {
      step(k);
      step(k + 1);
    }
    for (std::int64_t i = 0; i < count; ++i)
      hn::Store(best[i], d, group_.exact[i] + vector * kLanes);
    return plan_.complete || !exceeds(greatest(), plan_.bound);
  }

  /// How many groups to pass over, and how many the last failure made it.
  struct Wait {
    int left = 0;
    int next = 0;
  };

  const WindowPlan& plan_;
  const Line& line_;
  std::int64_t reach_;
  const std::uint32_t* part_;
  T* rows_;
  std::int64_t first_ = 0;  ///< the first row in memory
  /// near_[i]: how many of the rows in memory before the i-th one have a lane that is not far.
  std::int32_t near_[kWindowBlock + 2 * kMostReach + 1];
  Group group_;
  Wait wait_[kVectors];
};

template <class T, class Join>
void search_flat(const WindowJob& windows, std::int64_t strip, std::int64_t begin, std::int64_t end,
                 void* memory) {
  const Job& job = *windows.job;
  const Line line{1, job.extent[1], job.periodic[1], begin, end};
  WindowSearch<T, Join> search(*windows.plan, line, memory);
  const RowReader<T> rows(windows, strip);
  StripWriter writer(windows, strip);
  const std::int64_t unit = unit_of_strip(job, strip);
  using Group = typename WindowSearch<T, Join>::Group;
  const auto load = [&](std::int64_t y, T* to) HWY_ATTR { return rows.read(0, y, to); };
  const auto is_worth = [&](std::int64_t y) HWY_ATTR {
    return windows.worth[job.unit_index(0, y / Blocks<2>::kUnitY, unit)] != 0;
  };
  const auto emit = [&](std::int64_t y, std::int64_t count, const Group& group) HWY_ATTR {
    if (count > kGroup) return writer.leave_open(y, count);
    for (std::int64_t i = 0; i < count; ++i) writer.write(0, y + i, group.exact[i], group.failed);
  };
  search.template run<false>(load, is_worth, emit);
}

template <class T, class Join>
void search_in_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                      std::int64_t end, void* memory) {
  const Job& job = *windows.job;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  const RowReader<T> rows(windows, strip);
  using Group = typename WindowSearch<T, Join>::Group;
  for (std::int64_t z = begin; z < end; ++z) {
    T* const plane = static_cast<T*>(volume.lanes) + z * volume.plane_size;
    const Line line{1, job.extent[1], job.periodic[1], 0, job.extent[1]};
    WindowSearch<T, Join> search(*windows.plan, line, memory);
    const auto load = [&](std::int64_t y, T* to) HWY_ATTR { return rows.read(z, y, to); };
    const auto emit = [&](std::int64_t y, std::int64_t count, const Group& group) HWY_ATTR {
      for (std::int64_t i = 0; i < count; ++i)
        copy_row(group.exact[i], plane + (y + i) * kUnitWidth);
    };
    search.template run<true>(load, kAlways, emit);
  }
}

template <class T, class Join>
void search_across_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                          std::int64_t end, void* memory) {
  const Job& job = *windows.job;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  StripWriter writer(windows, strip);
  using Group = typename WindowSearch<T, Join>::Group;
  for (std::int64_t y = begin; y < end; ++y) {
    const T* const rows = static_cast<const T*>(volume.lanes) + y * kUnitWidth;
    const Line line{0, job.extent[0], job.periodic[0], 0, job.extent[0]};
    WindowSearch<T, Join> search(*windows.plan, line, memory);
    const auto load = [&](std::int64_t z, T* to) HWY_ATTR {
      const T* const from = rows + z * volume.plane_size;
      fetch_row(from + kUnitWidth);  // of the next y
      return copy_near_row(from, static_cast<T>(windows.plan->far), to);
    };
    const auto emit = [&](std::int64_t z, std::int64_t count, const Group& group) HWY_ATTR {
      for (std::int64_t i = 0; i < count; ++i) writer.write(z + i, y, group.exact[i], group.failed);
    };
    search.template run<false>(load, kAlways, emit);
  }
}

template <class T, class Join>
WindowKernels windows_of() {
  return {search_flat<T, Join>, search_in_planes<T, Join>, search_across_planes<T, Join>};
}

WindowKernels windows(const WindowPlan& plan) {
  if (plan.takes_greatest)
    return plan.wide ? windows_of<std::uint32_t, Greatest>()
                     : windows_of<std::uint16_t, Greatest>();
  return plan.wide ? windows_of<std::uint32_t, Sum>() : windows_of<std::uint16_t, Sum>();
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(windows);

WindowKernels window_kernels(std::int64_t targets, const WindowPlan& plan) {
  return HWY_DISPATCH_TABLE(windows)[dispatch_index(targets)](plan);
}

Strips plan_strips(const Job& job) {
  constexpr std::int64_t kLine = 64;
  constexpr auto kCell = std::int64_t{sizeof(float)};
  Strips strips;
  const Cells<std::byte>& out = job.out_distance;
  if (job.large_distance && out.stride[0] % kLine == 0 && out.stride[1] % kLine == 0)
    strips.before =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out.bytes) % kLine) / kCell;
  strips.count = parts(strips.before + job.extent[2], kUnitWidth);
  return strips;
}

}  // namespace thiessen::cpu::tiles
#endif
