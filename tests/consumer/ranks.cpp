// SPDX-License-Identifier: Apache-2.0
#include <thiessen/mpi.hpp>
#include <vector>

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  bool fine = false;
  {
    thiessen::MpiCommunicator ranks(MPI_COMM_WORLD);
    const std::vector<std::uint8_t> sites = {0, 0, 7, 0, 0, 0};
    std::vector<std::uint8_t> labels(6);
    thiessen::Context context;
    thiessen::nearest_site(ranks, context, thiessen::View<const std::uint8_t>(sites.data(), {2, 3}),
                           {.raster = {2 * ranks.size(), 3}, .first = 2 * ranks.rank()}, {},
                           {.labels = thiessen::View<std::uint8_t>(labels.data(), {2, 3})});
    fine = labels == std::vector<std::uint8_t>(6, 7);
  }
  MPI_Finalize();
  return fine ? 0 : 1;
}
