// SPDX-License-Identifier: Apache-2.0
//
// The near search: 64 columns of the raster at a time.
//
// Along a row, the bits say how far each cell is from the nearest site of its row: f, the part of x
// in S. Then S of a cell is the least f + part(k) over the rows k above and below (3-D: the same
// again across the planes, with the S of the pass before as f). Four rows of a vector of columns
// look at the rows k = 1, 2, … away together, two loads, two minima and an addition each. They end
// when part(k) is as great as the greatest S among them: no row beyond can have a lesser one.
//
// If winners are wanted, each lane also keeps a code, which says where its winner is. At
// equal S the site with the smallest index wins, which lies in the upper row, or to the left. So
// the row k above replaces the winner at equal S, as it lies above all rows before it; the row k
// below does not. The search ends when part(k) is greater than the greatest S. Codes are kept for
// sums only: with the chessboard metric the winner of a row is not always its nearest site.
//
// For distances to the boundary, the cells next to the ends of the run of equal values that a cell
// is in, along each axis, are sites to it, and so are their likes in the other rows of its run
// along y. A row beyond the end of that run may count, too, with the wrong sites: the end is
// nearer. So each row is seen with f = 0 where an edge is before it, from above or from below, and
// the search is the same.
//
// What a window sees is bounded: columns and rows in reach, and values that fit a lane. An S up to
// `bound` is final, as every site that was not seen, or not measured, has a greater one. Leaves
// with another cell are left to other searches. Groups that seem to have such a cell are not tried:
// those without any site in reach or with few around them, and for a while those below one that was
// tried in vain.
//
// On a periodic axis, rows, and bits, begin again at the other end. The order of sites is another
// one there. So where winners are wanted, windows that reach across the ends are not tried.
//
// The idea is that of the separable transforms (Saito and Toriwaki, "New algorithms for Euclidean
// distance transformation of an n-dimensional digitized picture with applications", 1994), with
// the search outward from each cell instead of along each line.
//
// Notation: f[y] row y of 64 lanes; far: more than `bound`; reach, part as in WindowPlan; codes as
// in winners-inl.hpp.
#include "cpu/tiles/near/windows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/near/windows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/tiles/near/row-inl.hpp"
#include "cpu/tiles/near/strip_writer-inl.hpp"
#include "cpu/tiles/near/winners-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

WindowKernels windows(const WindowPlan&, WindowResult) { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Rows that share a window's length.
inline constexpr std::int64_t kGroup = 4;
/// The most groups below a failed one that are not tried.
inline constexpr int kMostSkipped = 15;

/// Along which axis a search goes, and for which lines of it.
struct Line {
  std::size_t axis = 0;     ///< 0: z, 1: y
  std::int64_t length = 0;  ///< of the axis
  bool periodic = false;
  std::int64_t begin = 0;  ///< of the rows that are searched
  std::int64_t end = 0;
};

/// In 3-D whole strips are worth windows, or not.
inline constexpr auto kSkipNone = [](std::int64_t) -> std::int64_t { return 0; };

/// The search along one axis of a strip. T: a lane.
template <class T, class Combine, Rows kRows, Codes kCodes>
class WindowSearch {
 public:
  WindowSearch(const WindowPlan& plan, const Line& line, void* memory)
      : plan_(plan),
        line_(line),
        reach_(plan.reach[line.axis]),
        part_(plan.part[line.axis].data()),
        rows_(static_cast<T*>(memory)) {}

  /// load(i, to) puts row i there, and returns whether some lane is not far. skip(i) returns how
  /// many rows from i on are not worth a try. emit(i, count, group) takes the results of the rows
  /// i, …, i + count - 1; if all vectors failed, there may be any number of rows. If kAll, all rows
  /// get a result, which may be far.
  template <bool kAll, class Load, class Skip, class Emit>
  HWY_INLINE void run(const Load& load, const Skip& skip, const Emit& emit) {
    for (std::int64_t row = line_.begin, count = 0; row < line_.end; row += count) {
      const std::int64_t skipped = kAll || plan_.complete ? 0 : skip(row);
      count = std::min(skipped > 0 ? skipped : kGroup, line_.end - row);
      if (skipped > 0) {
        group_.failed = kAllFailed;
      } else {
        load_rows(row - reach_, row + count + reach_, load);
        search_group<kAll>(row, count);
      }
      emit(row, count, group_);
    }
  }

  /// The results of some rows: S and the code of lane x of row i, where bit x / kLanes of `failed`
  /// is not set.
  struct Group {
    alignas(64) T exact[kGroup][kUnitWidth];
    alignas(64) T code[kCodes == Codes::none ? 1 : kGroup][kUnitWidth];
    std::uint32_t failed = 0;
  };

  static constexpr std::int64_t kLanes = kLanesOf<T>;

 private:
  using D = LaneTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kVectors = kUnitWidth / kLanes;
  static constexpr std::uint32_t kAllFailed = (1U << kVectors) - 1;
  /// Where the lanes of a row begin that rows below it see, and those that rows above it see.
  static constexpr std::int64_t kAbove = kRows == Rows::edges ? kUnitWidth : 0;
  static constexpr std::int64_t kBelow = 2 * kAbove;
  static constexpr bool kHasCodes = kCodes != Codes::none;
  static constexpr std::int64_t kLanesPerRow = kRowLanes<kRows>;

  T* row(std::int64_t i) const { return rows_ + (i - first_) * kLanesPerRow; }

  /// Has the rows begin..end-1 in memory. They begin no earlier than in the call before.
  template <class Load>
  HWY_INLINE void load_rows(std::int64_t begin, std::int64_t end, const Load& load) {
    if (begin >= known_) {
      first_ = known_ = begin;
      near_[0] = 0;
    } else if (end - first_ > kWindowRows) {
      move_up(begin);
    }
    for (; known_ < end; ++known_) load_row(known_, load);
  }

  /// Moves the rows from `begin` on to the beginning of the memory.
  HWY_INLINE void move_up(std::int64_t begin) {
    const std::int64_t step = begin - first_;
    const std::int64_t count = known_ - begin;
    std::memmove(rows_, rows_ + step * kLanesPerRow,
                 static_cast<std::size_t>(count * kLanesPerRow) * sizeof(T));
    std::copy_n(near_ + step, count + 1, near_);
    first_ = begin;
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
      fill_far_row<kRows>(plan_, row(i));
    }
    near_[at + 1] = near_[at] + (is_near ? 1 : 0);
  }

  template <bool kAll>
  HWY_INLINE void search_group(std::int64_t first, std::int64_t count) {
    const std::int64_t at = first - first_;
    group_.failed = kAllFailed;
    const bool is_empty = near_[at + count + reach_] == near_[at - reach_];
    if (is_empty || goes_around(first, count)) {
      if (!kAll && !plan_.complete) return;
      for (std::int64_t i = 0; i < count; ++i) {
        fill_row(group_.exact[i], static_cast<T>(plan_.far));
        if constexpr (kHasCodes) fill_row(group_.code[i], T{0});
      }
      group_.failed = 0;
      return;
    }
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
  }

  /// Whether the order of sites is not that of the rows in reach.
  HWY_INLINE bool goes_around(std::int64_t first, std::int64_t count) const {
    return kHasCodes && line_.periodic && (first < reach_ || first + count + reach_ > line_.length);
  }

  /// Searches kGroup rows of a vector of columns; rows behind the last one repeat it. Returns
  /// whether all S are final.
  HWY_INLINE bool search_vector(std::int64_t first, std::int64_t count, std::int64_t vector) {
    const D d;
    const hn::RebindToSigned<D> di;
    const T* f[kGroup];
    V best[kGroup];
    V code[kGroup];
    for (std::int64_t i = 0; i < kGroup; ++i) {
      f[i] = row(first + std::min(i, count - 1)) + vector * kLanes;
      best[i] = hn::Load(d, f[i]);
      code[i] = hn::Zero(d);
      if constexpr (kCodes == Codes::rows) code[i] = hn::Load(d, f[i] + kUnitWidth);
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
      const V down = hn::Set(d, static_cast<T>(kCodes == Codes::rows ? k << kWindowCodeBits : k));
      for (std::int64_t i = 0; i < kGroup; ++i) {
        const T* const above = f[i] - k * kLanesPerRow + kAbove;
        const T* const below = f[i] + k * kLanesPerRow + kBelow;
        if constexpr (kHasCodes) {
          const V s = Combine::combine(d, hn::Load(d, above), part);
          best[i] = hn::Min(best[i], s);
          code[i] = hn::IfThenElse(hn::Eq(best[i], s), hn::Sub(code_of(above), down), code[i]);
          const V least = hn::Min(best[i], Combine::combine(d, hn::Load(d, below), part));
          code[i] = hn::IfThenElse(hn::Eq(best[i], least), code[i], hn::Add(code_of(below), down));
          best[i] = least;
        } else {
          const V nearer = hn::Min(hn::Load(d, above), hn::Load(d, below));
          best[i] = hn::Min(best[i], Combine::combine(d, nearer, part));
        }
      }
    };
    // With codes, a row whose part is the greatest S may have a winner yet.
    constexpr std::int64_t kEqual = kHasCodes ? 1 : 0;
    for (std::int64_t k = 1; k <= reach_ && exceeds(greatest(), part_[k] - kEqual); k += 2) {
      step(k);
      step(k + 1);
    }
    for (std::int64_t i = 0; i < count; ++i) {
      hn::Store(best[i], d, group_.exact[i] + vector * kLanes);
      if constexpr (kHasCodes) hn::Store(code[i], d, group_.code[i] + vector * kLanes);
    }
    return plan_.complete || !exceeds(greatest(), plan_.bound);
  }

  /// The codes of lanes of another row, seen from that row.
  HWY_INLINE static V code_of(const T* lanes) {
    const D d;
    if constexpr (kCodes == Codes::rows)
      return hn::Load(d, lanes + kUnitWidth);
    else
      return hn::Zero(d);
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
  /// The row behind the last one in memory.
  std::int64_t known_ = std::numeric_limits<std::int64_t>::min();
  /// near_[i]: how many of the rows in memory before the i-th one have a lane that is not far.
  std::int32_t near_[kWindowRows + 1];
  Group group_;
  Wait wait_[kVectors];
};

template <class T, class Combine, Rows kRows>
void search_flat(const WindowJob& windows, std::int64_t strip, std::int64_t begin, std::int64_t end,
                 void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  using Search = WindowSearch<T, Combine, kRows, kSites ? Codes::rows : Codes::none>;
  const Job& job = *windows.job;
  const Line line{1, job.extent[1], job.periodic[1], begin, end};
  Search search(*windows.plan, line, memory);
  const RowReader<T, kRows> rows(windows, strip);
  const WinnerFinder<T> winners(windows, strip);
  StripWriter writer(windows, strip);
  const auto load = [&](std::int64_t y, T* to) HWY_ATTR {
    const bool is_near = rows.read(0, y, to);
    if (kSites && is_near) winners.fetch(0, y);
    return is_near;
  };
  const auto skip = [&](std::int64_t y) HWY_ATTR {
    constexpr std::int64_t kUnit = Blocks<2>::kUnitY;
    std::int64_t next = y;
    while (next < end &&
           windows.use[windows.window_use_index(next / kUnit, strip)] == WindowUse::no)
      next = (next / kUnit + 1) * kUnit;
    return next - y;
  };
  const auto emit = [&](std::int64_t y, std::int64_t count,
                        const typename Search::Group& group) HWY_ATTR {
    if (count > kGroup) return writer.leave_rows_open(y, count);
    StripRow<T> row;
    for (std::int64_t i = 0; i < count; ++i) {
      row.exact = group.exact[i];
      if constexpr (kSites)
        winners.find_in_plane(0, y + i, group.code[i], group.failed, row.winner);
      writer.write(0, y + i, row, group.failed);
    }
  };
  search.template run<false>(load, skip, emit);
}

template <class T, class Combine, Rows kRows>
void search_in_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                      std::int64_t end, void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  using Search = WindowSearch<T, Combine, kRows, kSites ? Codes::rows : Codes::none>;
  const Job& job = *windows.job;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  const RowReader<T, kRows> rows(windows, strip);
  const WinnerFinder<T> winners(windows, strip);
  for (std::int64_t z = begin; z < end; ++z) {
    T* const plane = static_cast<T*>(volume.exact) + z * volume.plane_size;
    std::uint32_t* const winner = volume.winner + z * volume.plane_size;
    const Line line{1, job.extent[1], job.periodic[1], 0, job.extent[1]};
    Search search(*windows.plan, line, memory);
    const auto load = [&](std::int64_t y, T* to) HWY_ATTR {
      const bool is_near = rows.read(z, y, to);
      if (kSites && is_near) winners.fetch(z, y);
      return is_near;
    };
    const auto emit = [&](std::int64_t y, std::int64_t count,
                          const typename Search::Group& group) HWY_ATTR {
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t first = (y + i) * kUnitWidth;
        copy_row(group.exact[i], plane + first);
        if constexpr (kSites)
          winners.find_in_plane(z, y + i, group.code[i], group.failed, winner + first);
      }
    };
    search.template run<true>(load, kSkipNone, emit);
  }
}

template <class T, class Combine, Rows kRows>
void search_across_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                          std::int64_t end, void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  constexpr bool kEdges = kRows == Rows::edges;
  using Search = WindowSearch<T, Combine, kEdges ? Rows::edges : Rows::parts,
                              kSites ? Codes::planes : Codes::none>;
  const Job& job = *windows.job;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  const RowReader<T, kRows> edges(windows, strip);
  const WinnerFinder<T> winners(windows, strip);
  StripWriter writer(windows, strip);
  for (std::int64_t y = begin; y < end; ++y) {
    const T* const rows = static_cast<const T*>(volume.exact) + y * kUnitWidth;
    const std::uint32_t* const winner = volume.winner + y * kUnitWidth;
    const Line line{0, job.extent[0], job.periodic[0], 0, job.extent[0]};
    Search search(*windows.plan, line, memory);
    const auto load = [&](std::int64_t z, T* to) HWY_ATTR {
      const T* const from = rows + z * volume.plane_size;
      fetch_row(from + kUnitWidth);  // of the next y
      if (kSites) fetch_row(winner + z * volume.plane_size);
      bool is_near = copy_near_row(from, static_cast<T>(windows.plan->far), to);
      if constexpr (kEdges) is_near |= edges.add_views(0, z, y, to);
      return is_near;
    };
    const auto emit = [&](std::int64_t z, std::int64_t count, const typename Search::Group& group)
                          HWY_ATTR {
                            StripRow<T> row;
                            for (std::int64_t i = 0; i < count; ++i) {
                              row.exact = group.exact[i];
                              if constexpr (kSites) {
                                row.planes = group.code[i];
                                winners.find_across_planes(winner, volume.plane_size, z + i,
                                                           group.code[i], group.failed, row.winner);
                              }
                              writer.write(z + i, y, row, group.failed);
                            }
                          };
    search.template run<false>(load, kSkipNone, emit);
  }
}

template <class T, class Combine, Rows kRows>
WindowKernels windows_of() {
  return {search_flat<T, Combine, kRows>, search_in_planes<T, Combine, kRows>,
          search_across_planes<T, Combine, kRows>};
}

template <class T>
WindowKernels windows_of(bool takes_greatest, WindowResult result) {
  if (result == WindowResult::boundary)
    return takes_greatest ? windows_of<T, Greatest, Rows::edges>()
                          : windows_of<T, Sum, Rows::edges>();
  if (takes_greatest) return windows_of<T, Greatest, Rows::parts>();
  return tells_sites(result) ? windows_of<T, Sum, Rows::sites>()
                             : windows_of<T, Sum, Rows::parts>();
}

WindowKernels windows(const WindowPlan& plan, WindowResult result) {
  return plan.wide ? windows_of<std::uint32_t>(plan.takes_greatest, result)
                   : windows_of<std::uint16_t>(plan.takes_greatest, result);
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(windows);

WindowKernels window_kernels(std::int64_t targets, const WindowPlan& plan, WindowResult result) {
  return HWY_DISPATCH_TABLE(windows)[dispatch_index(targets)](plan, result);
}

Strips plan_strips(const Job& job) {
  constexpr std::int64_t kLine = 64;
  constexpr auto kCell = std::int64_t{sizeof(float)};
  Strips strips;
  const Cells<std::byte>& out = job.large_distance ? job.out_distance : job.out_labels;
  const bool is_large = job.large_distance || job.large_labels;
  if (is_large && out.element == kCell && out.stride[0] % kLine == 0 && out.stride[1] % kLine == 0)
    strips.before =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out.bytes) % kLine) / kCell;
  strips.count = parts(strips.before + job.extent[2], kUnitWidth);
  return strips;
}

}  // namespace thiessen::cpu::tiles
#endif
