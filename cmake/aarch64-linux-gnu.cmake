# SPDX-License-Identifier: Apache-2.0
#
# A toolchain for 64-bit Arm (`-DCMAKE_TOOLCHAIN_FILE=`): Debian's cross compiler, and libraries in a folder that is laid out
# like the root of such a system, which THIESSEN_SYSROOT in the environment names. Programs of this build run by QEMU. ci/check-wheel-aarch64
# makes the folder.
#
# Kernels are those of NEON. Those of SVE are not compiled: kernels keep vectors in structs, and vectors of SVE have no
# size that the compiler knows.
if(NOT IS_DIRECTORY "$ENV{THIESSEN_SYSROOT}/usr")
  message(FATAL_ERROR "THIESSEN_SYSROOT = $ENV{THIESSEN_SYSROOT}; must name the root of a system for aarch64")
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT "$ENV{THIESSEN_SYSROOT}")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${CMAKE_SYSROOT}")

# Programs are those of this machine. Packages for CMake are looked for in the root first: nanobind, which has nothing of an
# architecture, is here.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
