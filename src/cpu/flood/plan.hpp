// SPDX-License-Identifier: Apache-2.0
//
// Which passes are done together, and which cells each looks at.
//
// In passes whose offsets along y are all multiples of g, rows interact only if they differ by a
// multiple of g. So the passes of a group are done class by class: a class has the rows with one
// remainder modulo g, numbered 0, 1, 2, …, and offsets count in these numbers. Within a class the
// passes form a pipeline. Row r of a pass that looks `reach` rows up and down can be done as soon
// as the pass before has done row r + reach, and only the last 2·reach + 1 rows of that pass are
// still needed: they lie in a ring. So memory is read and written once a group; the rest stays in
// the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem/flooding.hpp"

namespace thiessen::cpu::flood {

/// What a stretch of columns sees in one pass.
struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  struct Source {
    std::size_t row = 0;     ///< place in PackedPass::rows
    std::int64_t shift = 0;  ///< along x
  };
  std::vector<Source> sources = {};  ///< those that lie within the row
};

struct PackedPass {
  std::int64_t step = 0;
  std::vector<std::int64_t> rows = {};  ///< offsets along y, each once, in rows of the class
  std::int64_t reach = 0;               ///< the greatest of them
  std::vector<Stretch> stretches = {};  ///< they cover the whole row
};

struct Group {
  std::int64_t apart = 1;  ///< g
  std::int64_t first = 0;  ///< number of its first pass
  std::vector<PackedPass> passes = {};
};

/// Groups passes whose rings take at most `window_rows` rows together, where that is possible;
/// `single`: every pass is a group of its own.
std::vector<Group> plan_groups(const Flooding& flooding, const std::vector<std::int64_t>& steps,
                               const Axes& extent, std::int64_t window_rows, bool single);

}  // namespace thiessen::cpu::flood
