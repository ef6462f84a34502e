// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/steps/row_lengths.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cpu/earth/geodesic.hpp"

namespace thiessen::cpu {
namespace {

/// A line of kRowMargin zeros, `rows` values and kRowMargin zeros; its first value.
template <class Value>
Value* allocate_line(std::int64_t rows, Scratch::Frame& scratch) {
  auto* const line = scratch.array<Value>(rows + 2 * kRowMargin);
  std::fill_n(line, rows + 2 * kRowMargin, Value{0});
  return line + kRowMargin;
}

/// The lengths of steps down and to the right, at their upper row.
template <class T>
class LengthWriter {
 public:
  LengthWriter(const CostProblem& problem, const CostOffset& step, double scale)
      : latitude_(problem.earth->latitude),
        geodesic_(earth::ellipsoid_of(*problem.earth, problem.metric)),
        down_(step.y),
        east_(step.x * problem.longitude_step),
        scale_(scale) {}

  void write(std::int64_t row, double* length, T* factor) const {
    constexpr double kMicrometres = 1e6;
    const auto upper = static_cast<std::size_t>(row);
    const std::size_t lower = upper + static_cast<std::size_t>(down_);
    if (lower >= latitude_.size()) return;
    length[row] =
        geodesic_.micrometres({latitude_[upper], 0}, {latitude_[lower], east_}) / kMicrometres;
    factor[row] = static_cast<T>(length[row] * scale_);
  }

 private:
  const std::vector<double>& latitude_;
  earth::Geodesic geodesic_;
  int down_;
  double east_;
  double scale_;
};

}  // namespace

template <class T>
void set_row_lengths(const CostProblem& problem, const CostEdges<T>& edges, const Loop& loop,
                     Scratch::Frame& scratch, PlacedSteps<T>& steps) {
  const std::int64_t rows = problem.extent[1];
  const auto count = static_cast<std::size_t>(edges.count);
  for (std::size_t k = 0; k < count; ++k) {
    const CostOffset& step = edges.offset[k];
    if (step.y < 0 || step.x < 0) continue;
    auto* const length = allocate_line<double>(rows, scratch);
    auto* const factor = allocate_line<T>(rows, scratch);
    const LengthWriter<T> writer(problem, step, steps.scale[k]);
    loop(rows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) writer.write(row, length, factor);
    });
    // Steps to the left are as long, and steps up are those down from the row that they lead to.
    for (std::size_t other = 0; other < count; ++other) {
      const CostOffset& o = edges.offset[other];
      if (std::abs(o.y) != step.y || std::abs(o.x) != step.x) continue;
      const int upper = std::min<int>(o.y, 0);
      steps.length_of_row[other] = length + upper;
      steps.factor_of_row[other] = factor + upper;
    }
  }
}

template void set_row_lengths(const CostProblem&, const CostEdges<float>&, const Loop&,
                              Scratch::Frame&, PlacedSteps<float>&);
template void set_row_lengths(const CostProblem&, const CostEdges<double>&, const Loop&,
                              Scratch::Frame&, PlacedSteps<double>&);

}  // namespace thiessen::cpu
