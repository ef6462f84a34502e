// SPDX-License-Identifier: Apache-2.0
#include "core/slabs/face_blocks.hpp"

#include <algorithm>

namespace thiessen {

std::size_t FaceBlocks::block_of(std::int64_t column) const {
  const std::int64_t y = problem_.rank == 3 ? column / problem_.extent[2] / kBlock : 0;
  const std::int64_t x = column % problem_.extent[2] / kBlock;
  return static_cast<std::size_t>(y * columns() + x);
}

Int128 FaceBlocks::along(std::size_t axis, std::int64_t delta) const {
  Int128 s = problem_.weights.factor[axis];
  bool is_too_much = __builtin_mul_overflow(s, Int128{delta}, &s);
  if (problem_.metric == Metric::euclidean)
    is_too_much = __builtin_mul_overflow(s, Int128{delta}, &s) || is_too_much;
  return is_too_much ? kNone : s;
}

std::int64_t FaceBlocks::rows_within(Int128 bound, std::int64_t most) const {
  std::int64_t least = 0;
  while (least < most) {
    const std::int64_t middle = (least + most + 1) / 2;
    if (along_first_axis(middle) <= bound)
      least = middle;
    else
      most = middle - 1;
  }
  return least;
}

Int128 FaceBlocks::greatest_bound(const std::vector<Int128>& v) const {
  std::vector<Int128> bound = v;
  const auto at = [&](std::int64_t y, std::int64_t x) -> Int128& {
    return bound[static_cast<std::size_t>(y * columns() + x)];
  };
  std::vector<Int128> line(static_cast<std::size_t>(std::max(rows(), columns())));
  for (std::int64_t x = 0; problem_.rank == 3 && x < columns(); ++x) {
    for (std::int64_t y = 0; y < rows(); ++y) line[static_cast<std::size_t>(y)] = at(y, x);
    for (std::int64_t y = 0; y < rows(); ++y) at(y, x) = nearest(line, rows(), y, 1);
  }
  Int128 greatest = 0;
  for (std::int64_t y = 0; y < rows(); ++y) {
    std::copy_n(&at(y, 0), columns(), line.begin());
    for (std::int64_t x = 0; x < columns(); ++x)
      greatest = std::max(greatest, nearest(line, columns(), x, 2));
  }
  return greatest;
}

/// The least of line[i] and S from block `here` to block i, along an axis.
Int128 FaceBlocks::nearest(const std::vector<Int128>& line, std::int64_t count, std::int64_t here,
                           std::size_t axis) const {
  Int128 least = kNone;
  for (std::int64_t way = 0; way < count; ++way) {
    const Int128 s = along(axis, ((way + 1) * kBlock) << problem_.fraction_bits);
    if (s >= least) break;
    for (const std::int64_t i : {here - way, here + way}) {
      if (i < 0 || i >= count) continue;
      const Int128 other = line[static_cast<std::size_t>(i)];
      if (problem_.metric == Metric::chessboard)
        least = std::min(least, std::max(other, s));
      else if (other <= kNone - s)
        least = std::min(least, other + s);
    }
  }
  return least;
}

}  // namespace thiessen
