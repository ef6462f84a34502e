// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of 3-D rasters whose cells fit 32 bits: 16 cells an instruction. A pass reads one
// state and writes the other, row by row. A row sees up to nine rows, its own among them, and each
// up to three times: as it lies, a step to the left and a step to the right. So a row is cut into
// parts whose columns see the same rows and shifts.
//
// A code has as many bits for each axis as the last coordinate there needs, z above y above x:
// codes are ordered like site indices. A z that no cell has means "no site". If there is room, it
// lies so far out that it needs no test: its S is more than that of any site.
#include "cpu/flood/deep.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/search/geometry.hpp"
#include "cpu/flood/deep_kernels.hpp"
#include "cpu/flood/ends.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::flood {
namespace {

constexpr std::size_t kMostRows = 9;
constexpr std::size_t kMostSeen = 27;

int bits_of(std::int64_t extent) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
}

/// Whether all weights are 1, and a place at `z`, beyond all cells, is farther from every cell than
/// any site.
bool is_plain(const Problem& problem, std::int64_t z) {
  const auto& factor = problem.weights.factor;
  const std::int64_t apart = z - (problem.extent[0] - 1);
  const std::int64_t exact = problem.metric == Metric::euclidean ? apart * apart : apart;
  return std::all_of(factor.begin(), factor.end(), [](Int128 each) { return each == 1; }) &&
         exact > problem.weights.greatest;
}

Packing make_packing(const Problem& problem) {
  const int x_bits = bits_of(problem.extent[2]);
  const int z_shift = x_bits + bits_of(problem.extent[1]);
  const std::int64_t last = (std::int64_t{1} << (32 - z_shift)) - 1;
  const std::int64_t far = std::min(last, kMostExtent - 1);
  const bool plain = is_plain(problem, far);
  return {.y_shift = x_bits,
          .z_shift = z_shift,
          .none = static_cast<Code>((((plain ? far : last) + 1) << z_shift) - 1),
          .factor = factors_of<std::uint32_t>(problem),
          .plain = plain};
}

/// Columns that see the same in one pass: each row that they see, shifted by these.
struct Columns {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::vector<std::int64_t> shifts = {};  ///< along x
};

std::vector<Columns> make_columns(std::int64_t width, std::int64_t step) {
  std::array<std::int64_t, 4> ends{0, std::min(step, width),
                                   std::max<std::int64_t>(width - step, 0), width};
  std::sort(ends.begin(), ends.end());
  std::vector<Columns> columns;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    Columns part{.begin = ends[i], .end = ends[i + 1]};
    if (part.begin == part.end) continue;
    for (const std::int64_t shift : {-step, std::int64_t{0}, step})
      if (part.begin + shift >= 0 && part.end + shift <= width) part.shifts.push_back(shift);
    columns.push_back(std::move(part));
  }
  return columns;
}

class DeepFlood {
 public:
  DeepFlood(ContextState& state, const Problem& problem, const ProblemViews& views, Write write)
      : state_(state),
        problem_(problem),
        slab_(whole_raster(problem)),
        writer_(problem, slab_, views, write),
        packing_(make_packing(problem)),
        starts_(problem, views.sites, kernels(state.instruction_sets, problem.metric).start,
                packing_.none),
        flood_(deep_kernel(state.instruction_sets, problem.metric, packing_.plain)),
        scratch_(state.scratch),
        stride_((width() + kSlack - 1) / kSlack * kSlack),
        old_(allocate()),
        new_(allocate()) {}

  void run() {
    const std::vector<std::int64_t> steps = flooding_steps(*problem_.flooding, problem_.extent, 0);
    state_.phases.reserve(state_.phases.size() + steps.size() + 2);
    start();
    for (const std::int64_t step : steps) run_pass(step);
    write_state();
  }

 private:
  std::int64_t height() const { return problem_.extent[1]; }
  std::int64_t width() const { return problem_.extent[2]; }
  std::int64_t rows() const { return problem_.extent[0] * height(); }

  /// Room for a state.
  Code* allocate() { return scratch_.array<Code>(rows() * stride_ + kSlack); }
  template <class Cells>
  Cells* row_of(Cells* cells, std::int64_t z, std::int64_t y) const {
    return cells + (z * height() + y) * stride_;
  }

  /// Calls visit(z, y) for all rows, on all threads.
  template <class Visit>
  void for_each_row(const Visit& visit) {
    parallel_for(state_, rows(), rows_at_once(width()), width(),
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t row = begin; row < end; ++row)
                     visit(row / height(), row % height());
                 });
  }

  void start() {
    const PhaseTimer phase(state_, "start");
    for_each_row([&](std::int64_t z, std::int64_t y) {
      starts_.write_row(z, y, packing_.code(z, y, 0), row_of(old_, z, y));
    });
  }

  void run_pass(std::int64_t step) {
    PhaseTimer phase(state_, "pass");
    phase.note("step " + std::to_string(step));
    const std::vector<Columns> columns = make_columns(width(), step);
    for_each_row([&](std::int64_t z, std::int64_t y) { flood_row(z, y, step, columns); });
    std::swap(old_, new_);
  }

  void flood_row(std::int64_t z, std::int64_t y, std::int64_t step,
                 const std::vector<Columns>& columns) const {
    std::array<const Code*, kMostRows> rows;
    std::size_t row_count = 0;
    for (const std::int64_t from_z : {z - step, z, z + step})
      for (const std::int64_t from_y : {y - step, y, y + step})
        if (from_z >= 0 && from_z < problem_.extent[0] && from_y >= 0 && from_y < height())
          rows[row_count++] = row_of(old_, from_z, from_y);
    for (const Columns& part : columns) {
      std::array<const Code*, kMostSeen> in;
      std::size_t count = 0;
      for (std::size_t i = 0; i < row_count; ++i)
        for (const std::int64_t shift : part.shifts) in[count++] = rows[i] + shift;
      while (count % kAtOnce != 0) in[count++] = in[0];
      flood_(packing_, in.data(), static_cast<int>(count), row_of(new_, z, y),
             {static_cast<std::uint32_t>(z), static_cast<std::uint32_t>(y), part.begin, part.end});
    }
  }

  void write_state() {
    const PhaseTimer phase(state_, "write");
    with_geometry(problem_, [&]<class Geometry, class Integer>(Geometry, Integer) {
      const std::array<std::int64_t, kAxes> factor = factors_of<std::int64_t>(problem_);
      const auto along = [&](std::size_t axis, std::int64_t a, std::int64_t b) {
        return Geometry::along(factor[axis], std::abs(a - b));
      };
      for_each_row([&](std::int64_t z, std::int64_t y) {
        const auto exact_of = [&](Code code, std::int64_t x) {
          if (code == packing_.none) return std::int64_t{0};
          const Axes site = packing_.cell(code);
          return Geometry::join(Geometry::join(along(0, site[0], z), along(1, site[1], y)),
                                along(2, site[2], x));
        };
        write_codes(
            writer_, {z, y, width(), row_of(old_, z, y)}, [&](Code code) { return index_of(code); },
            exact_of);
      });
    });
  }

  std::int64_t index_of(Code code) const {
    return code == packing_.none ? kUnreached : to_index(problem_.extent, packing_.cell(code));
  }

  ContextState& state_;
  const Problem& problem_;
  const Slab slab_;
  ResultWriter<std::int64_t> writer_;
  Packing packing_;
  StartCodes starts_;
  FloodDeep flood_;
  Scratch::Frame scratch_;
  std::int64_t stride_;  ///< from one row of codes to the next
  Code* old_;
  Code* new_;
};

/// Whether 32 bits have a code for each cell and one for none, and hold S as well.
bool fits(const Problem& problem) {
  int bits = 0;
  bool full = true;
  for (const std::int64_t extent : problem.extent) {
    if (extent > kMostExtent) return false;
    bits += bits_of(extent);
    full = full && std::has_single_bit(static_cast<std::uint64_t>(extent));
  }
  return (bits < 32 || (bits == 32 && !full)) &&
         problem.weights.greatest < std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

bool supports_deep(const ContextState& state, const Problem& problem) {
  const Flooding& flooding = *problem.flooding;
  const auto& period = problem.period;
  return state.instruction_sets != 0 &&
         deep_kernel(state.instruction_sets, problem.metric, true) != nullptr &&
         problem.rank == 3 && !problem.point_sites && problem.metric_function == nullptr &&
         std::count(period.begin(), period.end(), kNoPeriod) == kAxes &&
         flooding.pattern == FloodingPattern::square && flooding.noise == FloodingNoise::none &&
         !flooding.on_pass && !is_counted(flooding) && fits(problem);
}

void run_deep(ContextState& state, const Problem& problem, const ProblemViews& views, Write write) {
  DeepFlood(state, problem, views, write).run();
}

}  // namespace thiessen::cpu::flood
