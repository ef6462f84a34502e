# SPDX-License-Identifier: Apache-2.0
#
# THIESSEN_HAS_CUDA: whether the cuda backend is built, by THIESSEN_WITH_CUDA and by what is there.

set(THIESSEN_HAS_CUDA OFF)
if(THIESSEN_WITH_CUDA STREQUAL "ON" OR THIESSEN_WITH_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  if(THIESSEN_WITH_CUDA STREQUAL "AUTO")
    check_language(CUDA)
  endif()
  if(THIESSEN_WITH_CUDA STREQUAL "ON" OR CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
    endif()
    enable_language(CUDA)
    set(THIESSEN_HAS_CUDA ON)
  endif()
endif()

if(THIESSEN_HAS_CUDA)
  # CMake 3.25 passes no standard to nvcc 13. Rounding is as on the host: no contraction.
  target_compile_options(
    thiessen_flags
    INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;-fmad=false>"
              "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off;-diag-suppress=20012>")
endif()
