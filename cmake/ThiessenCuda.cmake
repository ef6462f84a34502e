# SPDX-License-Identifier: Apache-2.0
#
# THIESSEN_HAS_CUDA: whether the cuda backend is built, by THIESSEN_WITH_CUDA and by what is there.
# THIESSEN_EMULATES_CUDA: whether that is for the CPU (tests/emulator), by the compiler of the host.
# THIESSEN_CUDA_RUNTIME: what it is linked with.
# CMAKE_CUDA_ARCHITECTURES (or CUDAARCHS in the environment) says for which GPUs.
#
# cudart is linked statically, so that a program, a wheel or the shared library needs nothing at run time but the driver.
# Who links our static library needs the toolkit's libcudart_static.a, which the CMake package and the file for pkg-config
# name, but no CUDA compiler.
set(cuda_oldest_nvcc 12.4)

set(THIESSEN_HAS_CUDA OFF)
set(THIESSEN_EMULATES_CUDA OFF)
set(THIESSEN_CUDA_RUNTIME CUDA::cudart_static)
if(THIESSEN_WITH_CUDA STREQUAL "EMULATED")
  set(THIESSEN_HAS_CUDA ON)
  set(THIESSEN_EMULATES_CUDA ON)
  set(THIESSEN_CUDA_RUNTIME thiessen_cuda_emulator)
  return()
endif()

# Whether this machine has a device that the driver of NVIDIA knows. Its files say so at once; some platforms (WSL) have
# none of them, there nvidia-smi does.
function(thiessen_find_nvidia_device found)
  file(GLOB devices /dev/nvidia[0-9]*)
  if(NOT devices)
    find_program(nvidia_smi nvidia-smi PATHS /usr/lib/wsl/lib NO_CACHE)
    if(nvidia_smi)
      execute_process(COMMAND ${nvidia_smi} -L OUTPUT_VARIABLE listed ERROR_QUIET TIMEOUT 30)
      string(REGEX MATCH "GPU [0-9]+:" devices "${listed}")
    endif()
  endif()
  if(devices)
    set(${found} ON PARENT_SCOPE)
  else()
    set(${found} OFF PARENT_SCOPE)
  endif()
endfunction()

# Kernels take minutes to compile, so AUTO builds them where they can run. ON is for packages that run elsewhere.
if(THIESSEN_WITH_CUDA STREQUAL "AUTO")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    thiessen_find_nvidia_device(THIESSEN_HAS_CUDA)
    if(NOT THIESSEN_HAS_CUDA)
      message(STATUS "No NVIDIA device here: no cuda backend; -DTHIESSEN_WITH_CUDA=ON builds it all the same")
    endif()
  endif()
elseif(THIESSEN_WITH_CUDA)
  set(THIESSEN_HAS_CUDA ON)
endif()

if(THIESSEN_HAS_CUDA)
  # Turing, Ampere, Hopper; code that the driver translates for what comes after.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 90)
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS cuda_oldest_nvcc)
    set(too_old "nvcc ${CMAKE_CUDA_COMPILER_VERSION} is older than ${cuda_oldest_nvcc}")
    if(NOT THIESSEN_WITH_CUDA STREQUAL "AUTO")
      message(FATAL_ERROR "${too_old}; -DTHIESSEN_WITH_CUDA=OFF builds without the cuda backend")
    endif()
    message(STATUS "${too_old}: no cuda backend")
    set(THIESSEN_HAS_CUDA OFF)
  endif()
endif()

if(THIESSEN_HAS_CUDA)
  # CMake 3.25 passes no standard to nvcc 13. Rounding is as on the host: no contraction.
  target_compile_options(
    thiessen_flags
    INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;-fmad=false>"
              "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off;-diag-suppress=20012>")
endif()
