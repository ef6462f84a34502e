// SPDX-License-Identifier: Apache-2.0
//
// A raster that lies on the ranks of MPI, some rows on each: mpirun -n 4 ranks
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "thiessen/mpi.hpp"
#include "thiessen/thiessen.hpp"

namespace {

constexpr std::int64_t kRows = 1000;
constexpr std::int64_t kColumns = 800;

void run() {
  thiessen::MpiCommunicator ranks(MPI_COMM_WORLD);
  const std::int64_t first = kRows * ranks.rank() / ranks.size();
  const std::int64_t rows = kRows * (ranks.rank() + 1) / ranks.size() - first;

  // Each rank makes, or reads, its own rows: here two lines of sites across all of them.
  auto sites = thiessen::Array<std::uint8_t>({rows, kColumns});
  for (std::int64_t y = 0; y < rows; ++y) {
    sites(y, (first + y) / 2) = 1;
    sites(y, kColumns - 1 - (first + y) / 4) = 2;
  }
  auto labels = thiessen::Array<std::uint8_t>({rows, kColumns});
  thiessen::Context context;
  thiessen::nearest_site(ranks, context, std::as_const(sites).view(),
                         {.raster = {kRows, kColumns}, .first = first}, {},
                         {.labels = labels.view()});

  std::int64_t ones = 0;
  for (std::int64_t y = 0; y < rows; ++y)
    for (std::int64_t x = 0; x < kColumns; ++x) ones += labels(y, x) == 1 ? 1 : 0;
  const std::int64_t all = ranks.sum_of_all(ones);
  if (ranks.rank() == 0)
    std::printf("%lld of %lld cells are nearest to line 1\n", static_cast<long long>(all),
                static_cast<long long>(kRows * kColumns));
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
