// SPDX-License-Identifier: Apache-2.0
#include "placing/greatest_keys.hpp"

#include <algorithm>
#include <cstddef>

#include "threads/parallel.hpp"

namespace thiessen::placing {
namespace {

constexpr std::int64_t kNodesAtOnce = 256;  // 16384 cells

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

}  // namespace

GreatestKeys::GreatestKeys(ContextState& state, const double* distance, const double* weight,
                           std::int64_t cells)
    : distance_(distance), weight_(weight), cells_(cells) {
  for (std::int64_t below = cells; below > 0;) {
    const std::int64_t nodes = (below + kFan - 1) / kFan;
    const std::size_t level = levels_.size();
    levels_.emplace_back(at(nodes));
    parallel_for(state, nodes, kNodesAtOnce, kFan, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t node = begin; node < end; ++node)
        levels_[level][at(node)] = greatest_below(level, node);
    });
    below = nodes == 1 ? 0 : nodes;
  }
}

double GreatestKeys::key(std::int64_t cell) const {
  double key = distance_[cell];
  if (weight_ != nullptr) {
    if (!(weight_[cell] > 0)) return kNoKey;
    key *= weight_[cell];
  }
  return key >= 0 ? key : kNoKey;
}

double GreatestKeys::greatest_below(std::size_t level, std::int64_t node) const {
  const std::int64_t first = node * kFan;
  double greatest = kNoKey;
  if (level == 0) {
    const std::int64_t end = std::min(first + kFan, cells_);
    for (std::int64_t cell = first; cell < end; ++cell) greatest = std::max(greatest, key(cell));
    return greatest;
  }
  const std::vector<double>& below = levels_[level - 1];
  const std::int64_t end = std::min(first + kFan, static_cast<std::int64_t>(below.size()));
  for (std::int64_t i = first; i < end; ++i) greatest = std::max(greatest, below[at(i)]);
  return greatest;
}

void GreatestKeys::update(ContextState& state, std::span<const std::int64_t> cells) {
  std::vector<std::int64_t> nodes;
  const auto collect = [&](std::span<const std::int64_t> below) {
    std::vector<std::int64_t> above;
    for (const std::int64_t each : below)
      if (above.empty() || above.back() != each / kFan) above.push_back(each / kFan);
    nodes = std::move(above);
  };
  collect(cells);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (level > 0) collect(nodes);
    parallel_for(state, static_cast<std::int64_t>(nodes.size()), kNodesAtOnce, 0,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t i = begin; i < end; ++i)
                     levels_[level][at(nodes[at(i)])] = greatest_below(level, nodes[at(i)]);
                 });
  }
}

GreatestKeys::Top GreatestKeys::top() const {
  if (levels_.empty() || levels_.back().front() < 0) return {};
  const double greatest = levels_.back().front();
  std::int64_t node = 0;
  for (std::size_t level = levels_.size() - 1; level > 0; --level) {
    node *= kFan;
    while (levels_[level - 1][at(node)] != greatest) ++node;
  }
  std::int64_t cell = node * kFan;
  while (key(cell) != greatest) ++cell;
  return {cell, greatest};
}

}  // namespace thiessen::placing
