// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site by the chessboard metric, in the way of cpu/lines/chessboard.cpp: S first,
// because the maximum hides how far the loser of a column is, and then the winner, as the first
// site in the box of that radius around the cell.
//
//   1. Along x: the bits of a row give its nearest site, and the first one from a cell on
//      (sites/line_bits.hpp).
//   2. Along y: the winners (winners.hpp) among the rows, the first of equals. In 2-D the winner is
//      the row, and the first site on it in the box of radius S is the answer.
//   3. 3-D only, along z: the same among the planes. The row is that of pass 2 unless S is larger
//      than the distance within the plane; then a tree of minima along y gives it, in log(height)
//      steps.
#include "cuda/device/launch.cuh"
#include "cuda/lines/chessboard.hpp"
#include "cuda/lines/chessboard_passes.hpp"
#include "cuda/lines/launch.cuh"
#include "cuda/sites/make_line_bits.hpp"

namespace thiessen::cuda::lines {
namespace {

constexpr int kThreads = 256;

/// Makes level `level` of the trees from the one below it, or from the bits of the rows.
__global__ void __launch_bounds__(kThreads)
    make_level(const sites::LineBits rows, const NearTree tree, std::int32_t* least, int level,
               std::int64_t depth, std::int64_t height, const std::int32_t* open) {
  if (open != nullptr && *open == 0) return;
  const auto rows_of = [&](int at) { return (height + (std::int64_t{1} << at) - 1) >> at; };
  const std::int64_t own_rows = rows_of(level);
  const std::int64_t below_rows = rows_of(level - 1);
  const std::int64_t nodes = depth * own_rows * tree.width;
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t node = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; node < nodes;
       node += threads) {
    const std::int64_t x = node % tree.width;
    const std::int64_t row = node / tree.width % own_rows;
    const std::int64_t z = node / tree.width / own_rows;
    const auto below = [&](std::int64_t at) {
      return level == 1 ? rows.cells_to_nearest(z * height + at, 0, static_cast<std::int32_t>(x))
                        : tree.at(level - 1, z, at, x);
    };
    std::int32_t value = below(2 * row);
    if (2 * row + 1 < below_rows) value = min(value, below(2 * row + 1));
    least[(z * tree.rows_of_plane + tree.first_row[level] + row) * tree.width + x] = value;
  }
}

NearTree make_tree(const CudaSession& session, const Job& job, const sites::LineBits& rows,
                   const std::int32_t* open, Scratch::Frame& device) {
  NearTree tree;
  tree.width = job.extent[2];
  for (std::int64_t count = job.extent[1]; count > 1;) {
    count = (count + 1) / 2;
    tree.first_row[++tree.top] = tree.rows_of_plane;
    tree.rows_of_plane += count;
  }
  auto* const least = device.array<std::int32_t>(job.extent[0] * tree.rows_of_plane * tree.width);
  tree.least = least;
  for (int level = 1; level <= tree.top; ++level) {
    const std::int64_t nodes =
        parts(job.extent[1], std::int64_t{1} << level) * job.extent[0] * tree.width;
    const std::int64_t blocks = std::min<std::int64_t>(parts(nodes, kThreads), 1 << 20);
    launch(session, "tree of the rows", {static_cast<unsigned>(blocks), kThreads}, make_level, rows,
           tree, least, level, job.extent[0], job.extent[1], open);
  }
  return tree;
}

template <class Scalar, class Index>
void run(const CudaSession& session, const Job& job, const Bits& bits, const std::int32_t* open,
         Scratch::Frame& device) {
  ChessboardPassOf<Scalar> common;
  common.job = job;
  common.open = open;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    common.factor[axis] = static_cast<Scalar>(job.factor[axis]);
  common.rows = sites::make_line_bits(session, job, bits, 2, open, device);
  if (job.rank == 2)
    return run_pass<Index>(session, ChessboardColumns<Scalar, Index>{common}, "columns", device);
  auto* const first_y = device.array<Index>(job.cells());
  run_pass<Index>(session, ChessboardColumns<Scalar, Index>{common, first_y}, "columns", device);
  run_pass<Index>(session,
                  ChessboardDepths<Scalar, Index>{
                      common, first_y, make_tree(session, job, common.rows, open, device)},
                  "lines across planes", device);
}

}  // namespace

void run_chessboard(const CudaSession& session, const Problem& problem, const Job& job,
                    const Bits& bits, const std::int32_t* open, Scratch::Frame& device) {
  constexpr std::int64_t kBytesPerLeaf = 6;
  with_integers(problem, job, kBytesPerLeaf, [&]<class Scalar, class Index>(Scalar, Index) {
    run<Scalar, Index>(session, job, bits, open, device);
  });
}

}  // namespace thiessen::cuda::lines
