// SPDX-License-Identifier: Apache-2.0
//
// Sites as bits along rows, in the form that row_table.cl reads.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::opencl {

/// Words of 32 cells; each row begins with a new one.
class RowTable {
 public:
  /// Takes memory for the rows of a raster.
  RowTable(Scratch::Frame& scratch, const Axes& extent);

  /// Reads the sites, on the threads of `state`. Returns whether there are any.
  bool read(ContextState& state, const Problem& problem, const View<const void>& sites);

  std::int64_t count() const { return rows_ * row_words_; }
  const std::uint32_t* words() const { return words_; }
  const std::int32_t* before() const { return before_; }  ///< last site before the word, or -1
  const std::int32_t* after() const { return after_; }    ///< first site behind it, or INT_MAX

 private:
  bool read_bits(ContextState& state, const Problem& problem, const View<const void>& sites);
  void carry(std::int64_t row);

  std::int64_t rows_;
  std::int64_t row_words_;
  std::uint32_t* words_;
  std::int32_t* before_;
  std::int32_t* after_;
};

}  // namespace thiessen::opencl
