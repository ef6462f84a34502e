// SPDX-License-Identifier: Apache-2.0
#include "cpu/statistics/fixed_point.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/statistics/row_runs.hpp"
#include "thiessen/element_visit.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::statistics {
namespace {

/// The least and the greatest exponent of the values that are neither zero nor special.
struct Exponents {
  int least = std::numeric_limits<int>::max();
  int greatest = 0;
  int special = 0;
};

template <class T>
void look_at(const T* cells, std::int64_t count, Exponents& found) {
  using Float = FloatBits<T>;
  Exponents all = found;  // a copy, which stays in registers
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = Float::of(cells[i]);
    const int exponent = Float::exponent(bits);
    const bool special = exponent == Float::kSpecial;
    const bool zero = static_cast<typename Float::Bits>(bits << 1) == 0;
    all.special |= special ? 1 : 0;
    all.least = std::min(all.least, special || zero ? all.least : exponent);
    all.greatest = std::max(all.greatest, special ? 0 : exponent);
  }
  found = all;
}

/// Bits of a number of cells.
int bits_of(std::int64_t count) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
}

FixedPoint make_fixed_point(int lowest, int bits, const Axes& extent) {
  const std::int64_t cells = extent[0] * extent[1] * extent[2];
  const int sum = bits + bits_of(*std::max_element(extent.begin(), extent.end())) + bits_of(cells);
  constexpr int kMostOfPiece = 82;  // with 12 of a piece and 30 of a coordinate these are 124
  return {.lowest = lowest,
          .bits = bits,
          .words = (sum + 1 + 63) / 64,
          .width = bits <= 62             ? Width::narrow
                   : bits <= kMostOfPiece ? Width::middle
                                          : Width::wide,
          .scale = std::ldexp(1, -lowest)};
}

template <class T>
FixedPoint of_floats(ContextState& state, const View<const void>& field, const Axes& extent) {
  struct Worker {
    Exponents found;
    RowReader reader;
  };
  std::vector<Worker> workers(static_cast<std::size_t>(state.threads),
                              {.found = {}, .reader = RowReader(field)});
  parallel_for(state, extent[0] * extent[1], rows_per_task(extent[2]), extent[2],
               [&](std::int64_t begin, std::int64_t end, int index) {
                 Worker& worker = workers[static_cast<std::size_t>(index)];
                 for (std::int64_t i = begin; i < end; ++i)
                   look_at(
                       reinterpret_cast<const T*>(worker.reader.read(i / extent[1], i % extent[1])),
                       extent[2], worker.found);
               });
  Exponents all;
  for (const Worker& worker : workers) {
    all.least = std::min(all.least, worker.found.least);
    all.greatest = std::max(all.greatest, worker.found.greatest);
    all.special |= worker.found.special;
  }
  // The exponent of subnormal numbers is the least of the others.
  const int least = std::max(1, std::min(all.least, all.greatest));
  const int greatest = std::max(least, all.greatest);
  FixedPoint fixed = make_fixed_point(least - FloatBits<T>::kBias,
                                      greatest - least + FloatBits<T>::kMantissa + 1, extent);
  fixed.special = all.special != 0;
  constexpr double kMostScale = 0x1p1000;
  if (fixed.width == Width::narrow && (least == 1 || fixed.scale > kMostScale))
    fixed.width = Width::middle;  // there may be subnormal numbers, which some programs turn off
  return fixed;
}

}  // namespace

FixedPoint find_fixed_point(ContextState& state, const View<const void>& field,
                            const Axes& extent) {
  return visit_element_type(field.element_type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      return of_floats<T>(state, field, extent);
    } else {
      state.progress.advance(extent[0] * extent[1] * extent[2]);
      return make_fixed_point(0, std::numeric_limits<T>::digits, extent);
    }
  });
}

}  // namespace thiessen::cpu::statistics
