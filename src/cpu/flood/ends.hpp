// SPDX-License-Identifier: Apache-2.0
//
// The two ends of jump flooding by codes: from sites to codes, and from codes to outputs.
#pragma once

#include <cstdint>

#include "core/base/cell_access.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/flood/kernels.hpp"

namespace thiessen::cpu::flood {

/// The codes of rows at the start.
class StartCodes {
 public:
  StartCodes(const Problem& problem, const View<const void>& sites, const StartKernels& kernels,
             Code none)
      : rule_(problem.rule),
        width_(problem.extent[2]),
        cells_(sites),
        kernels_(kernels),
        none_(none) {}

  /// out[x] = first + x where cell x of the row (z, y) is a site, else none.
  void write_row(std::int64_t z, std::int64_t y, Code first, Code* out) const;

 private:
  const SiteRule& rule_;
  std::int64_t width_;
  CellReader cells_;
  StartKernels kernels_;
  Code none_;
};

struct CodeRow {
  std::int64_t z;
  std::int64_t y;
  std::int64_t width;
  const Code* codes;
};

/// Writes a row of results. The sites have the index index_of(code) and the S exact_of(code, x);
/// both may be anything for the code that means no site.
template <class IndexOf, class ExactOf>
void write_codes(const ResultWriter<std::int64_t>& writer, const CodeRow& row,
                 const IndexOf& index_of, const ExactOf& exact_of) {
  for_each_chunk(row.z, row.y, row.width, [&](const Chunk& chunk) {
    Winners<std::int64_t> winners;
    for (std::int64_t i = 0; i < chunk.count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Code code = row.codes[chunk.x + i];
      winners.site[at] = index_of(code);
      winners.exact[at] = exact_of(code, chunk.x + i);
    }
    writer.write(chunk, winners);
  });
}

}  // namespace thiessen::cpu::flood
