// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of rasters whose coordinates fit 16 bits: 16 cells an instruction, and several
// passes each time that memory is read (plan.hpp). The first group makes its rows from the sites
// themselves, and the last one hands its rows to the outputs, unless an observer needs the states
// in between.
//
// Notation: pass i of a group does the rows begin[i]..end[i]-1 of a class, numbered as plan.hpp
// says, `delay[i]` rows behind the first read.
#include "cpu/flood/packed.hpp"

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/problem/flooding_passes.hpp"
#include "cpu/flood/ends.hpp"
#include "cpu/flood/kernels.hpp"
#include "cpu/flood/plan.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::flood {
namespace {

constexpr std::size_t kMostSources = kMostCirclePoints + 1;

/// Rows of one class that are done at a time.
struct Band {
  std::int64_t first = 0;  ///< remainder of the class
  std::int64_t apart = 1;
  std::int64_t rows = 0;  ///< of the class
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t y(std::int64_t row) const { return first + row * apart; }
};

/// The last rows that one pass left for the next.
struct Ring {
  Code* rows = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 0;

  Code* row(std::int64_t number) const { return rows + number % size * stride; }
};

class PackedFlood {
 public:
  PackedFlood(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        flooding_(*problem.flooding),
        views_(views),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        scratch_(state.scratch),
        kernels_(kernels(state.instruction_sets, problem.metric)),
        starts_(problem, views.sites, kernels_.start, kNone),
        stride_((width() + 2 * kSlack - 1) / kSlack * kSlack),
        labels_(make_labels(write)),
        watcher_(problem, problem.rule.complement),
        watched_(static_cast<bool>(watcher_)) {}

  void run() {
    const bool begun = watched_ || is_counted(flooding_) || flooding_.noise != FloodingNoise::none;
    if (begun) start();
    const std::vector<std::int64_t> steps = flooding_steps(flooding_, problem_.extent, sites_);
    count_ = static_cast<std::int64_t>(steps.size());
    state_.phases.reserve(state_.phases.size() + steps.size() + 2);
    show(0);
    // What the first pass sees in place is what it would see of a mask.
    if (flooding_.noise == FloodingNoise::in_place && sites_ > 0) put_noise();
    const std::int64_t window = kWindowBytes / (stride_ * std::int64_t{sizeof(Code)});
    const std::vector<Group> groups =
        plan_groups(flooding_, steps, problem_.extent, window, watched_);
    for (const Group& group : groups) {
      const bool reads = !begun && &group == &groups.front();
      const bool writes = !watched_ && &group == &groups.back();
      run_group(group, {.reads = reads, .writes = writes});
    }
    if (watched_ || groups.empty()) write_state();
  }

 private:
  /// Where rows are whole pages, reads and writes must not lie at the same place of a page: the
  /// processor would take a read behind a write for one of the same address, and wait. So the two
  /// states begin at 0 and 2 KiB of a page, and rings in turn at 1 and 3 KiB.
  static constexpr std::int64_t kSkew = 512;
  /// Half of a second-level cache, or less.
  static constexpr std::int64_t kWindowBytes = 1 << 20;

  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }

  /// Room for a state.
  Code* allocate() {
    skew_ = kSkew - skew_;
    return scratch_.array<Code>(height() * stride_ + kSlack + kSkew) + skew_;
  }
  template <class Cells>
  Cells* row_of(Cells* cells, std::int64_t y) const {
    return cells + y * stride_;
  }

  Labels make_labels(Write write) const {
    if (write != Write::all || !has_plain_labels()) return {};
    Labels labels{.of_cells = reinterpret_cast<const std::uint32_t*>(views_.labels.bytes()),
                  .width = width()};
    std::memcpy(&labels.unreached, problem_.unreached.bytes.data(), sizeof labels.unreached);
    labels.streams =
        problem_.cells() * std::int64_t{sizeof(std::uint32_t)} > state_.limits.cache_bytes;
    return labels;
  }

  /// Whether only labels of 4 bytes are wanted, of sites that lie as their raster does.
  bool has_plain_labels() const {
    const NearestSiteOutputs& out = views_.out;
    return out.labels && !wants_besides(out, {"labels"}) &&
           size_of(out.labels.element_type()) == sizeof(std::uint32_t) && is_plain(out.labels) &&
           is_plain(views_.labels) && is_packed(views_.labels) && !problem_.limited &&
           !problem_.rule.nodata && views_.solved == nullptr;
  }

  /// Whether rows can be read and written as they are.
  static bool is_plain(const View<const void>& view) {
    const auto address = reinterpret_cast<std::uintptr_t>(view.bytes());
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(std::uint32_t));
    return view.stride(2) == kBytes && view.stride(1) % kBytes == 0 && address % kBytes == 0;
  }

  template <class Visit>
  void for_each_row(const Visit& visit) {
    parallel_for(state_, height(), rows_at_once(width()), width(),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t y = begin; y < end; ++y) visit(y);
                 });
  }

  void start() {
    const PhaseTimer phase(state_, "start");
    old_ = allocate();
    for_each_row([&](std::int64_t y) { start_row(y, row_of(old_, y)); });
    sites_ = problem_.cells() - count_empty();
    if (flooding_.noise == FloodingNoise::none || sites_ == 0) return;
    list_sites();
    if (flooding_.noise == FloodingNoise::mask) put_noise();
  }

  std::int64_t count_empty() const {
    std::int64_t empty = 0;
    for (std::int64_t y = 0; y < height(); ++y)
      empty += std::count(row_of(old_, y), row_of(old_, y) + width(), kNone);
    return empty;
  }

  void start_row(std::int64_t y, Code* out) const {
    starts_.write_row(0, y, static_cast<Code>(y) << 16, out);
  }

  /// Lists the codes of the sites by rank.
  void list_sites() {
    by_rank_ = scratch_.array<Code>(sites_);
    Code* next = by_rank_;
    for (std::int64_t y = 0; y < height(); ++y)
      next = std::copy_if(row_of(old_, y), row_of(old_, y) + width(), next,
                          [](Code code) { return code != kNone; });
  }

  /// Puts a random site into every empty cell.
  void put_noise() {
    for_each_row([&](std::int64_t y) {
      Code* const row = row_of(old_, y);
      for (std::int64_t x = 0; x < width(); ++x)
        if (row[x] == kNone) row[x] = by_rank_[noise_rank(flooding_.seed, y * width() + x, sites_)];
    });
  }

  /// Where the first pass of a group takes its rows, and where its last one leaves them.
  struct Ends {
    bool reads = false;   ///< from the sites instead of the old state
    bool writes = false;  ///< to the outputs instead of the new state
  };

  void run_group(const Group& group, const Ends& ends) {
    PhaseTimer phase(state_, group.passes.size() == 1 ? "pass" : "passes");
    phase.note(describe(group));
    if (!ends.writes && new_ == nullptr) new_ = allocate();
    Scratch::Frame scratch(state_.scratch);
    std::int64_t rows = ends.writes ? 1 : 0;
    for (std::size_t i = ends.reads ? 0 : 1; i < group.passes.size(); ++i)
      rows += 2 * group.passes[i].reach + 1;
    const auto passes = static_cast<std::int64_t>(group.passes.size());
    const std::int64_t codes = rows * stride_ + (passes + 1) * kSkew + kSlack;
    auto* const rings = scratch.array<Code>(codes * state_.threads);
    const std::vector<Band> bands = cut(group);
    const std::int64_t units = problem_.cells() * passes / static_cast<std::int64_t>(bands.size());
    parallel_for(state_, static_cast<std::int64_t>(bands.size()), 1, units,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     Pipeline(*this, group, bands[static_cast<std::size_t>(i)], ends,
                              rings + worker * codes)
                         .run();
                   if (ends.writes) hwy::FlushStream();
                 });
    std::swap(old_, new_);
    done_ += passes;
    show(group.passes.back().step);
  }

  static std::string describe(const Group& group) {
    std::string text = group.passes.size() == 1 ? "step " : "steps ";
    for (const PackedPass& pass : group.passes)
      text += (&pass == &group.passes.front() ? "" : ", ") + std::to_string(pass.step);
    return text;
  }

  /// Bands for all threads, so long that the work which bands do twice hardly counts.
  std::vector<Band> cut(const Group& group) const {
    std::int64_t twice = 0;
    for (const PackedPass& pass : group.passes) twice += 2 * pass.reach;
    const std::int64_t classes = std::min(group.apart, height());
    const std::int64_t wanted = (std::int64_t{4} * state_.threads + classes - 1) / classes;
    std::vector<Band> bands;
    for (std::int64_t first = 0; first < classes; ++first) {
      const std::int64_t rows = (height() - first + group.apart - 1) / group.apart;
      const std::int64_t parts = std::clamp<std::int64_t>(rows / (16 * twice + 16), 1, wanted);
      for (std::int64_t part = 0; part < parts; ++part)
        bands.push_back({.first = first,
                         .apart = group.apart,
                         .rows = rows,
                         .begin = rows * part / parts,
                         .end = rows * (part + 1) / parts});
    }
    return bands;
  }

  /// The passes of a group over a band.
  class Pipeline {
   public:
    Pipeline(const PackedFlood& flood, const Group& group, const Band& band, const Ends& ends,
             Code* codes)
        : flood_(flood), group_(group), band_(band), ends_(ends) {
      stages_.resize(group.passes.size());
      std::int64_t halo = 0;
      for (std::size_t i = stages_.size(); i-- > 0; halo += group.passes[i].reach) {
        stages_[i].begin = std::max<std::int64_t>(band.begin - halo, 0);
        stages_[i].end = std::min(band.end + halo, band.rows);
      }
      read_begin_ = std::max<std::int64_t>(band.begin - halo, 0);
      read_end_ = std::min(band.end + halo, band.rows);
      std::int64_t delay = 0;
      codes += kSkew / 2;
      for (std::size_t i = 0; i < stages_.size(); ++i) {
        delay += group.passes[i].reach;
        stages_[i].delay = delay;
        if (i == 0 && !ends.reads) continue;
        stages_[i].source = {codes, 2 * group.passes[i].reach + 1, flood.stride_};
        codes += stages_[i].source.size * flood.stride_ + kSkew;
      }
      written_ = codes;
    }

    void run() {
      const std::int64_t last = band_.end + stages_.back().delay;
      for (std::int64_t now = read_begin_; now < last; ++now) {
        if (ends_.reads && now < read_end_)
          flood_.start_row(band_.y(now), stages_[0].source.row(now));
        for (std::size_t i = 0; i < stages_.size(); ++i) {
          const std::int64_t row = now - stages_[i].delay;
          if (row >= stages_[i].begin && row < stages_[i].end) flood_row(i, row);
        }
      }
    }

   private:
    struct Stage {
      std::int64_t begin = 0;
      std::int64_t end = 0;
      std::int64_t delay = 0;
      Ring source = {};  ///< none: the old state
    };

    const Code* source(std::size_t stage, std::int64_t row) const {
      if (row < 0 || row >= band_.rows) return nullptr;
      const Ring& ring = stages_[stage].source;
      if (ring.rows != nullptr) return ring.row(row);
      return flood_.row_of(flood_.old_, band_.y(row));
    }

    Code* target(std::size_t stage, std::int64_t row) const {
      if (stage + 1 < stages_.size()) return stages_[stage + 1].source.row(row);
      return ends_.writes ? written_ : flood_.row_of(flood_.new_, band_.y(row));
    }

    void flood_row(std::size_t stage, std::int64_t row) const {
      const PackedPass& pass = group_.passes[stage];
      std::array<const Code*, kMostSources> rows;
      for (std::size_t i = 0; i < pass.rows.size(); ++i)
        rows[i] = source(stage, row + pass.rows[i]);
      Code* const out = target(stage, row);
      const std::int64_t y = band_.y(row);
      for (const Stretch& stretch : pass.stretches) {
        std::array<const Code*, kMostSources> in;
        int count = 0;
        for (const Stretch::Source& each : stretch.sources) {
          const Code* const from = rows[each.row];
          if (from != nullptr) in[static_cast<std::size_t>(count++)] = from + each.shift;
        }
        flood_.kernels_.flood(in.data(), count, out,
                              {static_cast<std::uint32_t>(y), stretch.begin, stretch.end});
      }
      if (ends_.writes && stage + 1 == stages_.size()) flood_.write_row(y, out);
    }

    const PackedFlood& flood_;
    const Group& group_;
    const Band& band_;
    const Ends& ends_;
    std::vector<Stage> stages_;
    std::int64_t read_begin_ = 0;
    std::int64_t read_end_ = 0;
    Code* written_ = nullptr;
  };

  /// Shows what there is after `done_` passes, the last of them this one.
  void show(std::int64_t step) {
    watcher_.show({.number = done_, .count = count_, .step = step},
                  [this](std::int64_t* site_index) {
                    for_each_row([&](std::int64_t y) {
                      const Code* const codes = row_of(old_, y);
                      for (std::int64_t x = 0; x < width(); ++x)
                        site_index[y * width() + x] = index_of(codes[x]);
                    });
                  });
  }

  std::int64_t index_of(Code code) const {
    if (code == kNone) return kUnreached;
    return std::int64_t{code >> 16} * width() + (code & 0xFFFF);
  }

  void write_state() {
    const PhaseTimer phase(state_, "write");
    for_each_row([&](std::int64_t y) {
      write_row(y, row_of(old_, y));
      hwy::FlushStream();
    });
  }

  void write_row(std::int64_t y, const Code* codes) const {
    if (labels_.of_cells != nullptr) {
      std::byte* const out = address_of(views_.out.labels, {0, y, 0});
      return kernels_.write_labels(labels_, codes, reinterpret_cast<std::uint32_t*>(out), width());
    }
    write_codes(
        writer_, {0, y, width(), codes}, [&](Code code) { return index_of(code); },
        [&](Code code, std::int64_t x) { return exact_of(code, y, x); });
  }

  /// S of a code; anything for the code that means no site.
  std::int64_t exact_of(Code code, std::int64_t y, std::int64_t x) const {
    const std::int64_t high = std::abs(std::int64_t{code >> 16} - y);
    const std::int64_t wide = std::abs(std::int64_t{code & 0xFFFF} - x);
    switch (problem_.metric) {
      case Metric::euclidean:
        return high * high + wide * wide;
      case Metric::manhattan:
        return high + wide;
      default:
        return std::max(high, wide);
    }
  }

  ContextState& state_;
  const Problem& problem_;
  const Flooding& flooding_;
  const ProblemViews& views_;
  const Slab slab_;
  ResultWriter<std::int64_t> writer_;
  Scratch::Frame scratch_;
  Kernels kernels_;
  StartCodes starts_;
  /// From one row of codes to the next. Kernels read up to kSlack codes behind a row: what they
  /// wrote in a turn before, too, so these must not be the next row, which may be another thread's.
  std::int64_t stride_;
  Labels labels_;  ///< empty if other outputs are wanted, too
  PassWatcher watcher_;
  bool watched_;
  std::int64_t skew_ = 0;  ///< of the last state, in codes
  Code* old_ = nullptr;
  Code* new_ = nullptr;
  std::int64_t sites_ = 0;  ///< known if start() was called
  Code* by_rank_ = nullptr;
  std::int64_t count_ = 0;  ///< number of passes
  std::int64_t done_ = 0;
};

}  // namespace

bool supports_packed(const ContextState& state, const Problem& problem) {
  const Flooding& flooding = *problem.flooding;
  const auto& factor = problem.weights.factor;
  return state.instruction_sets != 0 &&
         kernels(state.instruction_sets, problem.metric).flood != nullptr && problem.rank == 2 &&
         !problem.point_sites && problem.metric_function == nullptr && !problem.wide &&
         flooding.paper == FloodingPaper::none && factor[1] == 1 && factor[2] == 1 &&
         problem.period[1] == kNoPeriod && problem.period[2] == kNoPeriod &&
         problem.extent[1] <= kMostExtent && problem.extent[2] <= kMostExtent &&
         flooding.pattern != FloodingPattern::random_circle;
}

void run_packed(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  PackedFlood(state, problem, views, write).run();
}

}  // namespace thiessen::cpu::flood
