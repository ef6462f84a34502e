// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding of rows of packed cells, for one instruction set.
#pragma once

#include <cstdint>

#include "thiessen/metric.hpp"

namespace thiessen::cpu::flood {

/// The site that a cell holds: y in the upper half, x in the lower, so that the order of codes is
/// that of site indices.
using Code = std::uint32_t;

/// No site. Both halves are -32768 to the kernels, and differences to it saturate, so that S is
/// greater than any other and, unsigned, the code is, too.
inline constexpr Code kNone = 0x80008000u;
/// Coordinates are less than this.
inline constexpr std::int64_t kMostExtent = 32768;
/// Codes that kernels read, and pass over, behind the end of what they are asked for.
inline constexpr std::int64_t kSlack = 16;

/// Cells x of begin..end-1 of row y.
struct Cells {
  std::uint32_t y = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct Kernels {
  /// out[x] = the first, in the order (S, code), of in[0][x] … in[count - 1][x]. Of `out` at most
  /// kSlack codes behind the end are overwritten with what they hold. Inputs may be `out` itself.
  void (*flood)(const Code* const* in, int count, Code* out, const Cells& cells) = nullptr;
  /// out[x] = the code of the cell where values[x] is not 0, else kNone. From begin = 0 on.
  void (*start)(const std::uint32_t* values, Code* out, const Cells& cells) = nullptr;
  /// The same of bytes that are 1.
  void (*start_classes)(const std::uint8_t* classes, Code* out, const Cells& cells) = nullptr;
  /// out[x] = labels[y·width + x of the site], or `unreached`.
  void (*write_labels)(const Code* codes, const std::uint32_t* labels, std::int64_t width,
                       std::uint32_t unreached, std::uint32_t* out, std::int64_t count) = nullptr;
};

/// Those of the best instruction set among `targets` (bits of Highway); all null without vectors.
Kernels kernels(std::int64_t targets, Metric metric);

}  // namespace thiessen::cpu::flood
