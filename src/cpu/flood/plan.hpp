// SPDX-License-Identifier: Apache-2.0
//
// Which passes are done together, and which cells each looks at.
//
// Rows that differ by no multiple of g have nothing to do with each other in passes whose offsets
// are all multiples of g along y. So the passes of a group are done class by class, a class being
// the rows of one remainder modulo g, and its rows, g apart in the raster, are numbered 0, 1, 2, …:
// offsets count in these. Within a class the passes follow each other like a pipeline. Row r of a
// pass that looks `reach` rows up and down can be done as soon as the pass before has done row
// r + reach, and of what that one has done only the last 2·reach + 1 rows are ever needed: they lie
// in a ring. So memory is read and written once a group, and everything else stays in the cache.
#pragma once

#include <cstdint>
#include <vector>

#include "core/flooding.hpp"

namespace thiessen::cpu::flood {

/// What a stretch of columns looks at in one pass.
struct Stretch {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  struct Source {
    std::size_t row = 0;     ///< place in PackedPass::rows
    std::int64_t shift = 0;  ///< along x
  };
  std::vector<Source> sources = {};  ///< that lie within the row
};

struct PackedPass {
  std::int64_t step = 0;
  std::vector<std::int64_t> rows = {};  ///< offsets along y, each once, in rows of the class
  std::int64_t reach = 0;               ///< the greatest of them
  std::vector<Stretch> stretches = {};  ///< of the whole row
};

struct Group {
  std::int64_t apart = 1;  ///< g
  std::int64_t first = 0;  ///< number of its first pass
  std::vector<PackedPass> passes = {};
};

/// Groups of passes whose rings take at most `window_rows` rows together, if they can be grouped;
/// `single`: every pass is one.
std::vector<Group> plan_groups(const Flooding& flooding, const std::vector<std::int64_t>& steps,
                               const Axes& extent, std::int64_t window_rows, bool single);

}  // namespace thiessen::cpu::flood
