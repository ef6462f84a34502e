# SPDX-License-Identifier: Apache-2.0
#
# THIESSEN_HAS_MPI: whether thiessen::mpi is built, by THIESSEN_WITH_MPI and by what is there; then MPI::MPI_CXX is.
# Which MPI it is, CMake decides: -DMPI_CXX_COMPILER=mpicxx.mpich chooses another.
# The preset asan does without, because the libraries of an MPI keep memory until the end. The command of the
# package is linked with MPI, which adds 3 ms of processor time to the 60 that the libraries of GDAL take at each start.
set(THIESSEN_HAS_MPI OFF)
set(MPI_CXX_SKIP_MPICXX ON) # the functions of C are all that is needed
if(THIESSEN_WITH_MPI STREQUAL "AUTO")
  find_package(MPI 3.0 QUIET COMPONENTS CXX)
elseif(THIESSEN_WITH_MPI)
  find_package(MPI 3.0 REQUIRED COMPONENTS CXX)
else()
  return()
endif()
if(MPI_CXX_FOUND)
  set(THIESSEN_HAS_MPI ON)
endif()
