// SPDX-License-Identifier: Apache-2.0
//
// From ranks and S of 32 bits to the outputs: labels of 4 bytes and distances in f32 by kernels,
// everything else by the ResultWriter.
#pragma once

#include <cstdint>

#include "core/search/result_writer.hpp"
#include "cpu/raster/kernels.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu::raster {

class RankWriter {
 public:
  /// `problem`, `views` and `sites` must outlive it.
  RankWriter(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
             const SiteTable& sites);

  const WriteKernels& kernels() const { return kernels_; }

  /// Writes cells (z, y, x) … of a row; a cell without a site has the rank kNoRank.
  void write(const Axes& cell, std::int64_t count, const std::uint32_t* exact,
             const std::uint32_t* rank) const;

 private:
  void list_labels();
  void write_plain(const Axes& cell, std::int64_t count, const std::uint32_t* exact,
                   const std::uint32_t* rank) const;
  bool streams(const View<void>& view) const;

  ContextState& state_;
  const Problem& problem_;
  const ProblemViews& views_;
  const SiteTable& sites_;
  Slab slab_;
  ResultWriter<std::int64_t> writer_;
  Scratch::Frame scratch_;
  WriteKernels kernels_;
  bool plain_;                             ///< kernels write all that is wanted
  const std::uint32_t* labels_ = nullptr;  ///< by rank
};

}  // namespace thiessen::cpu::raster
