// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of rows of packed cells, for one instruction set.
#pragma once

#include <cstdint>

#include "thiessen/choices/metric.hpp"

namespace thiessen::cpu::flood {

/// The site that a cell holds: y in the upper half, x in the lower, so that codes are ordered like
/// site indices.
using Code = std::uint32_t;

/// No site. Kernels take both halves as -32768, and differences to it saturate. So S is greater
/// than any other and, unsigned, the code is, too.
inline constexpr Code kNone = 0x80008000u;
/// All coordinates are less than this.
inline constexpr std::int64_t kMostExtent = 32768;
/// Codes behind the end of a request that kernels may read, and ignore.
inline constexpr std::int64_t kSlack = 16;

/// The cells x = begin..end-1 of row y.
struct Cells {
  std::uint32_t y = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Labels of a raster, in C order.
struct Labels {
  const std::uint32_t* of_cells = nullptr;
  std::int64_t width = 0;
  std::uint32_t unreached = 0;
  bool streams = false;  ///< write past the caches; then the writes of a thread need a fence
};

/// Cells in a row whose codes are first, first + 1, …
struct Run {
  Code first = 0;
  std::int64_t count = 0;
  Code none = kNone;
};

/// From sites to codes.
struct StartKernels {
  /// out[i] = the code of cell i if values[i] is not 0, else none.
  void (*values)(const std::uint32_t* values, Code* out, const Run& run) = nullptr;
  /// The same for bytes that are 1.
  void (*classes)(const std::uint8_t* classes, Code* out, const Run& run) = nullptr;
};

struct Kernels {
  /// out[x] = the first, in the order (S, code), of in[0][x] … in[count - 1][x]. Inputs may be
  /// `out` itself.
  void (*flood)(const Code* const* in, int count, Code* out, const Cells& cells) = nullptr;
  StartKernels start;
  /// out[i] = the label of the site codes[i].
  void (*write_labels)(const Labels& labels, const Code* codes, std::uint32_t* out,
                       std::int64_t count) = nullptr;
};

/// The kernels of the best instruction set among `targets` (bits of Highway); all null without
/// vectors.
Kernels kernels(std::int64_t targets, Metric metric);

}  // namespace thiessen::cpu::flood
