// SPDX-License-Identifier: Apache-2.0
//
// Ranks in a build without MPI: there is only one.
#include "slabs/ranks.hpp"
#include "words/arguments.hpp"

namespace thiessen::cli {

std::unique_ptr<Ranks> join_by_mpi() { throw UsageError("this build has no MPI"); }

std::string mpi_version() { return ""; }

}  // namespace thiessen::cli
