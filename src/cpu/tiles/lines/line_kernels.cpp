// SPDX-License-Identifier: Apache-2.0
//
// The line search: all rows of a raster around the 64 columns of a strip.
//
// As in the near search, S of a cell is the least f[k] ⊕ part(|y - k|) over all rows k: f[k] is the
// part of x in S, ⊕ is + or the greater one. In 3-D the same is done across planes, with the S of
// the pass within planes as f. Here every row may win, however far it is, so the rows to look at
// are halved again and again.
//
// In a column, the winners of lower rows do not lie above those of higher rows: of two rows j < k,
// if k is better than j in row y, it is so in all rows below. So the winner of the row in the
// middle bounds those of the rows above it and below it, and so on in each half. For the lanes of a
// vector together, the first and the last of their winners are the bounds; they are close together,
// as the columns are neighbours. Where the rows in question are few, all of them are looked at.
// With n rows and winners of neighbours at most d rows apart, this takes n·(log n + d) steps for a
// vector. If all vectors together have taken as many steps as the linear method takes time for
// (EngineLimits::line_work), what is left goes there.
//
// At equal S the upper row wins, and the bounds hold for this rule, too. For distances to the
// boundary, rows are seen as in the near search. The winner of the last row of a run of equal
// values may be the row behind the run, while that of the next row is the one before it: so bounds
// are one row wider.
//
// The idea is that of searching matrices whose least entries move to the right from row to row
// (Aggarwal, Klawe, Moran, Shor and Wilber, "Geometric applications of a matrix-searching
// algorithm", 1987), by halves as is usual in dynamic programming.
//
// Notation: a line is a row, or across planes a row of a plane; a candidate is a line with a site
// in it; codes as in winners-inl.hpp.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>

#include "cpu/simd/dispatch.hpp"
#include "cpu/tiles/lines/lines.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tiles/lines/line_kernels.cpp"
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

WindowKernels lines(const LinePlan&, WindowResult) { return {}; }
GapKernel gaps(WindowResult) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

/// A part of a worker's memory, cut off from the front.
template <class Element>
Element* cut(std::byte*& memory, std::int64_t count) {
  auto* const first = reinterpret_cast<Element*>(memory);
  memory += (count * std::int64_t{sizeof(Element)} + 63) / 64 * 64;
  return first;
}

/// The search along one axis of a strip. T: a lane.
template <class T, class Combine, Rows kRows, Codes kCodes>
class LineSearch {
 public:
  /// `length`: of the axis; columns `begin` to before `end` of the strip lie in the raster.
  LineSearch(const WindowJob& windows, std::int64_t strip, std::size_t axis, void* memory)
      : work_(*windows.work),
        length_(windows.job->extent[axis]),
        begin_(std::max<std::int64_t>(-windows.strips.first_column(strip), 0)),
        end_(std::min(kUnitWidth, windows.job->extent[2] - windows.strips.first_column(strip))) {
    auto* at = static_cast<std::byte*>(memory);
    lanes_ = cut<T>(at, length_ * kLanesPerRow);
    exact_ = cut<T>(at, length_ * kUnitWidth);
    code_ = cut<T>(at, kCodes == Codes::none ? 0 : length_ * kUnitWidth);
    line_ = cut<T>(at, length_);
    part_ = cut<T>(at, 2 * length_) + length_;
    for (std::int64_t delta = 0; delta < length_; ++delta)
      part_[delta] = part_[-delta] = static_cast<T>(
          windows.lines->factor_across[axis] * (windows.lines->squared ? delta * delta : delta));
  }

  /// Forgets the candidates.
  void clear() { count_ = 0; }
  bool is_empty() const { return count_ == 0; }

  /// Adds a candidate, behind all that were added before.
  void add(std::int64_t line, const T* lanes) {
    for (std::int64_t vector = 0; vector < kVectors; ++vector)
      for (std::int64_t view = 0; view < kViews; ++view)
        hn::Store(hn::Load(d_, lanes + view * kUnitWidth + vector * kLanes), d_,
                  lanes_of(vector, count_) + view * kLanes);
    line_[count_++] = static_cast<T>(line);
  }

  /// Finds the winners of some lines, in order. Returns false if it takes too long.
  bool search(const std::int64_t* wanted, std::int64_t count) {
    for (std::int64_t vector = 0; vector < kVectors; ++vector) {
      const bool is_outside = vector * kLanes >= end_ || (vector + 1) * kLanes <= begin_;
      if (is_outside)
        clear_vector(count, vector);
      else if (!search_vector(wanted, count, vector))
        return false;
    }
    return true;
  }

  /// S, and the codes, of the lanes of the i-th of the lines that were wanted.
  const T* exact(std::int64_t i) const { return exact_ + i * kUnitWidth; }
  const T* code(std::int64_t i) const { return code_ + i * kUnitWidth; }

 private:
  using D = LaneTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::int64_t kLanes = kLanesOf<T>;
  static constexpr std::int64_t kVectors = kUnitWidth / kLanes;
  static constexpr std::int64_t kLanesPerRow = kRowLanes<kRows>;
  static constexpr std::int64_t kViews = kLanesPerRow / kUnitWidth;
  static constexpr bool kHasCodes = kCodes != Codes::none;
  static constexpr bool kEdges = kRows == Rows::edges;
  /// Lines whose winners are looked for together.
  static constexpr std::int64_t kGroup = 4;
  /// So few candidates are not halved any more.
  static constexpr std::int64_t kFew = 16;

  /// Lines that are wanted, from the `first` to the `last`, and the candidates that may win there.
  struct Task {
    std::int64_t first;
    std::int64_t last;
    std::int64_t low;
    std::int64_t high;

    std::int64_t lines() const { return last - first + 1; }
    std::int64_t candidates() const { return high - low + 1; }
  };

  /// The best candidate of each lane: its S and its number.
  struct Best {
    V exact;
    V at;
  };

  T* lanes_of(std::int64_t vector, std::int64_t candidate) const {
    return lanes_ + (vector * length_ + candidate) * kViews * kLanes;
  }

  /// The results of columns outside of the raster.
  void clear_vector(std::int64_t count, std::int64_t vector) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t first = i * kUnitWidth + vector * kLanes;
      hn::Store(hn::Zero(d_), d_, exact_ + first);
      if (kHasCodes) hn::Store(hn::Zero(d_), d_, code_ + first);
    }
  }

  bool search_vector(const std::int64_t* wanted, std::int64_t count, std::int64_t vector) {
    constexpr std::size_t kMostTasks = 128;  // two for each halving
    std::array<Task, kMostTasks> tasks;
    std::size_t open = 1;
    tasks[0] = {0, count - 1, 0, count_ - 1};
    const std::int64_t most = work_.load(std::memory_order_relaxed);
    std::int64_t work = 0;
    while (open > 0 && work < most) {
      const Task task = tasks[--open];
      if (task.candidates() <= kFew || task.lines() <= kGroup) {
        work += task.candidates() * task.lines();
        search_all(wanted, task, vector);
      } else {
        work += task.candidates();
        const std::int64_t middle = task.first + (task.last - task.first) / 2;
        Best best[1];
        look_at<1>(wanted + middle, 1, task, vector, best);
        store(wanted[middle], middle, vector, best[0]);
        const auto [low, high] = bounds_of(best[0], task, vector);
        tasks[open++] = {middle + 1, task.last, low, task.high};
        if (middle > task.first) tasks[open++] = {task.first, middle - 1, task.low, high};
      }
    }
    work_.fetch_sub(work, std::memory_order_relaxed);
    return open == 0;
  }

  /// Looks at all candidates of a task for each of its lines.
  void search_all(const std::int64_t* wanted, const Task& task, std::int64_t vector) {
    for (std::int64_t i = task.first; i <= task.last; i += kGroup) {
      const std::int64_t count = std::min(kGroup, task.last + 1 - i);
      Best best[kGroup];
      look_at<kGroup>(wanted + i, count, task, vector, best);
      for (std::int64_t line = 0; line < count; ++line)
        store(wanted[i + line], i + line, vector, best[line]);
    }
  }

  /// Finds the best candidates of a task for `count` lines. If kLines are more, the others repeat
  /// the last one.
  template <int kLines>
  HWY_NOINLINE void look_at(const std::int64_t* wanted, std::int64_t count, const Task& task,
                            std::int64_t vector, Best* best) const {
    constexpr bool kTracks = kHasCodes || kLines == 1;
    const T* lanes = lanes_of(vector, task.low);
    std::int64_t line[kLines];
    V exact[kLines];
    V at[kLines];
    for (int i = 0; i < kLines; ++i) {
      line[i] = wanted[std::min<std::int64_t>(i, count - 1)];
      exact[i] = hn::Set(d_, std::numeric_limits<T>::max());
      at[i] = hn::Zero(d_);
    }
    for (std::int64_t j = task.low; j <= task.high; ++j, lanes += kViews * kLanes) {
      const std::int64_t candidate = line_[j];
      for (int i = 0; i < kLines; ++i) {
        const std::int64_t apart = line[i] - candidate;
        const T* const seen = kEdges ? lanes + kLanes * view_from(apart) : lanes;
        const V part = hn::Set(d_, part_[apart]);
        const V s = Combine::combine(d_, hn::Load(d_, seen), part);
        if constexpr (kTracks)
          at[i] = hn::IfThenElse(hn::Lt(s, exact[i]), hn::Set(d_, static_cast<T>(j)), at[i]);
        exact[i] = hn::Min(exact[i], s);
      }
    }
    for (int i = 0; i < kLines; ++i) best[i] = {exact[i], at[i]};
  }

  /// As which of its views a candidate is seen from a line so many lines below it.
  HWY_INLINE static std::int64_t view_from(std::int64_t apart) {
    return apart == 0 ? 0 : apart > 0 ? 1 : 2;
  }

  HWY_NOINLINE void store(std::int64_t line, std::int64_t i, std::int64_t vector,
                          const Best& best) {
    const std::int64_t first = i * kUnitWidth + vector * kLanes;
    hn::Store(best.exact, d_, exact_ + first);
    if constexpr (kHasCodes) {
      const V down =
          hn::Sub(hn::GatherIndex(d_, line_, best.at), hn::Set(d_, static_cast<T>(line)));
      V code = down;
      if constexpr (kCodes == Codes::rows) {
        const V step = hn::Set(d_, static_cast<T>(kViews * kLanes));
        const V lane = hn::Iota(d_, static_cast<T>(kLanes));  // of the second view
        const V right =
            hn::GatherIndex(d_, lanes_of(vector, 0), hn::Add(hn::Mul(best.at, step), lane));
        code = hn::Add(hn::ShiftLeft<kLineCodeBits>(down), right);
      }
      hn::Store(code, d_, code_ + first);
    }
  }

  struct Bounds {
    std::int64_t low;
    std::int64_t high;
  };

  /// The first and the last winner of a vector: no lines below have winners before the former, and
  /// none above have winners behind the latter.
  HWY_NOINLINE Bounds bounds_of(const Best& best, const Task& task, std::int64_t vector) const {
    constexpr std::int64_t kWider = kEdges ? 1 : 0;
    alignas(64) T at[kLanes];
    hn::Store(best.at, d_, at);
    std::int64_t low = task.high;
    std::int64_t high = task.low;
    const std::int64_t first = std::max<std::int64_t>(begin_ - vector * kLanes, 0);
    const std::int64_t end = std::min(end_ - vector * kLanes, kLanes);
    for (std::int64_t lane = first; lane < end; ++lane) {
      low = std::min<std::int64_t>(low, at[lane]);
      high = std::max<std::int64_t>(high, at[lane]);
    }
    return {std::max(low - kWider, task.low), std::min(high + kWider, task.high)};
  }

  static constexpr D d_{};
  std::atomic<std::int64_t>& work_;
  std::int64_t length_;
  std::int64_t begin_;  ///< of the strip's columns, the first that lies in the raster
  std::int64_t end_;    ///< and the one behind the last
  T* lanes_;            ///< of the candidates, vector by vector, each with all its views
  T* exact_;
  T* code_;
  T* line_;  ///< of each candidate
  T* part_;  ///< of differences -length_ + 1 .. length_ - 1
  std::int64_t count_ = 0;
};

/// The rows (planes) of some that have open leaves in a strip, in memory from its front on.
struct OpenLines {
  std::int64_t* line = nullptr;
  std::int64_t count = 0;
};

/// is_open(leaf): of the leaves along the axis.
template <class IsOpen>
OpenLines find_open(std::int64_t begin, std::int64_t end, std::int64_t leaf, const IsOpen& is_open,
                    void*& memory) {
  auto* at = static_cast<std::byte*>(memory);
  OpenLines open{cut<std::int64_t>(at, end - begin)};
  memory = at;
  for (std::int64_t i = begin; i < end; i = (i / leaf + 1) * leaf) {
    if (!is_open(i / leaf)) continue;
    const std::int64_t behind = std::min((i / leaf + 1) * leaf, end);
    for (std::int64_t line = i; line < behind; ++line) open.line[open.count++] = line;
  }
  return open;
}

/// The rows of a volume, of which a plane has some with open leaves.
OpenLines find_open_rows(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                         std::int64_t end, void*& memory) {
  const Axes& leaves = windows.job->leaves;
  const auto is_open = [&](std::int64_t y) {
    for (std::int64_t z = 0; z < leaves[0]; ++z)
      if (windows.is_open(strip, z * leaves[1] + y)) return true;
    return false;
  };
  return find_open(begin, end, windows.leaf[1], is_open, memory);
}

template <class T, class Combine, Rows kRows>
void search_flat(const WindowJob& windows, std::int64_t strip, std::int64_t begin, std::int64_t end,
                 void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  const OpenLines open = find_open_rows(windows, strip, begin, end, memory);
  if (open.count == 0) return;
  LineSearch<T, Combine, kRows, kSites ? Codes::rows : Codes::none> search(windows, strip, 1,
                                                                           memory);
  const RowReader<T, kRows> rows(windows, strip);
  alignas(64) T lanes[kRowLanes<kRows>];
  for (std::int64_t y = 0; y < windows.job->extent[1]; ++y)
    if (rows.read(0, y, lanes)) search.add(y, lanes);
  StripWriter writer(windows, strip);
  if (search.is_empty() || !search.search(open.line, open.count))
    return writer.leave_rows_open(begin, end - begin);
  const WinnerFinder<T> winners(windows, strip);
  StripRow<T> row{};
  for (std::int64_t i = 0; i < open.count; ++i) {
    row.exact = search.exact(i);
    if constexpr (kSites) winners.widen(search.code(i), row.winner);
    writer.write(0, open.line[i], row, 0);
  }
}

template <class T, class Combine, Rows kRows>
void search_in_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                      std::int64_t end, void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  const Axes& extent = windows.job->extent;
  const OpenLines open = find_open_rows(windows, strip, 0, extent[1], memory);
  if (open.count == 0) return;
  LineSearch<T, Combine, kRows, kSites ? Codes::rows : Codes::none> search(windows, strip, 1,
                                                                           memory);
  const RowReader<T, kRows> rows(windows, strip);
  const WinnerFinder<T> winners(windows, strip);
  alignas(64) T lanes[kRowLanes<kRows>];
  for (std::int64_t z = begin; z < end; ++z) {
    search.clear();
    for (std::int64_t y = 0; y < extent[1]; ++y)
      if (rows.read(z, y, lanes)) search.add(y, lanes);
    if (!search.is_empty() && !search.search(open.line, open.count)) {
      std::atomic_ref(*volume.gave_up).store(1, std::memory_order_relaxed);
      return;
    }
    for (std::int64_t i = 0; i < open.count; ++i) {
      const std::int64_t first = z * volume.plane_size + open.line[i] * kUnitWidth;
      T* const exact = static_cast<T*>(volume.exact) + first;
      if (search.is_empty()) {
        fill_row(exact, static_cast<T>(windows.rows->far));
      } else {
        copy_row(search.exact(i), exact);
        if constexpr (kSites) winners.widen(search.code(i), volume.winner + first);
      }
    }
  }
}

template <class T, class Combine, Rows kRows>
void search_across_planes(const WindowJob& windows, std::int64_t strip, std::int64_t begin,
                          std::int64_t end, void* memory) {
  constexpr bool kSites = kRows == Rows::sites;
  constexpr bool kEdges = kRows == Rows::edges;
  constexpr Rows kLines = kEdges ? Rows::edges : Rows::parts;
  const StripVolume& volume = windows.volumes[strip - windows.first_strip];
  const Axes& extent = windows.job->extent;
  const RowReader<T, kRows> edges(windows, strip);
  const WinnerFinder<T> winners(windows, strip);
  StripWriter writer(windows, strip);
  alignas(64) T lanes[kRowLanes<kLines>];
  StripRow<T> row{};
  for (std::int64_t y = begin; y < end; ++y) {
    void* rest = memory;
    const auto is_open = [&](std::int64_t z) {
      return windows.is_open(strip, z * windows.job->leaves[1] + y / windows.leaf[1]);
    };
    const OpenLines open = find_open(0, extent[0], windows.leaf[0], is_open, rest);
    if (open.count == 0) continue;
    LineSearch<T, Combine, kLines, kSites ? Codes::planes : Codes::none> search(windows, strip, 0,
                                                                                rest);
    const std::int64_t first = y * kUnitWidth;
    bool is_found = *volume.gave_up == 0;
    for (std::int64_t z = 0; is_found && z < extent[0]; ++z) {
      const T* const from = static_cast<const T*>(volume.exact) + z * volume.plane_size + first;
      bool is_near = copy_near_row(from, static_cast<T>(windows.rows->far), lanes);
      if constexpr (kEdges) is_near |= edges.add_views(0, z, y, lanes);
      if (is_near) search.add(z, lanes);
    }
    is_found = is_found && !search.is_empty() && search.search(open.line, open.count);
    for (std::int64_t i = 0; i < open.count; ++i) {
      const std::int64_t z = open.line[i];
      if (!is_found) {
        writer.leave_open(z, y);
        continue;
      }
      row.exact = search.exact(i);
      if constexpr (kSites) {
        row.planes = search.code(i);
        winners.find_across_planes(volume.winner + first, volume.plane_size, z, row.planes, 0,
                                   row.winner);
      }
      writer.write(z, y, row, 0);
    }
  }
}

template <class T, class Combine, Rows kRows>
WindowKernels lines_of() {
  return {search_flat<T, Combine, kRows>, search_in_planes<T, Combine, kRows>,
          search_across_planes<T, Combine, kRows>};
}

template <class T>
WindowKernels lines_of(WindowResult result) {
  if (result == WindowResult::boundary) return lines_of<T, Sum, Rows::edges>();
  return tells_sites(result) ? lines_of<T, Sum, Rows::sites>() : lines_of<T, Sum, Rows::parts>();
}

WindowKernels lines(const LinePlan& plan, WindowResult result) {
  if (plan.takes_greatest)
    return result == WindowResult::boundary ? lines_of<std::int64_t, Greatest, Rows::edges>()
                                            : lines_of<std::int64_t, Greatest, Rows::parts>();
  return plan.wide ? lines_of<std::int64_t>(result) : lines_of<std::int32_t>(result);
}

template <Rows kRows>
void find_gaps(const WindowJob& windows, std::int64_t begin, std::int64_t end, Gap* gaps) {
  const std::int64_t height = windows.job->extent[1];
  for (std::int64_t row = begin; row < end; ++row)
    RowReader<std::int32_t, kRows>::find_gaps(windows, row / height, row % height,
                                              gaps + row * windows.strips.count);
}

GapKernel gaps(WindowResult result) {
  return result == WindowResult::boundary ? find_gaps<Rows::edges> : find_gaps<Rows::parts>;
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::tiles {

HWY_EXPORT(lines);
HWY_EXPORT(gaps);

WindowKernels line_kernels(std::int64_t targets, const LinePlan& plan, WindowResult result) {
  return HWY_DISPATCH_TABLE(lines)[dispatch_index(targets)](plan, result);
}

GapKernel gap_kernel(std::int64_t targets, WindowResult result) {
  return HWY_DISPATCH_TABLE(gaps)[dispatch_index(targets)](result);
}

std::int64_t line_memory(const LinePlan& plan, WindowResult result, std::int64_t length) {
  constexpr std::int64_t kRounding = 512;  // 64 bytes for each array
  const std::int64_t views = result == WindowResult::boundary ? 3 : tells_sites(result) ? 2 : 1;
  const std::int64_t codes = tells_sites(result) ? 1 : 0;
  return length * ((views + 1 + codes) * kUnitWidth + 3) * plan.lane() +
         length * std::int64_t{sizeof(std::int64_t)} + kRounding;
}

}  // namespace thiessen::cpu::tiles
#endif
