# SPDX-License-Identifier: Apache-2.0
#
# A toolchain (`-DCMAKE_TOOLCHAIN_FILE=`) in the folder that THIESSEN_CROSS in the environment
# names: in bin compilers of zig for the system that the file bin/target says, in root libraries for
# it. ci/cross makes the folder.
set(folder "$ENV{THIESSEN_CROSS}")
if(NOT EXISTS "${folder}/bin/target")
  message(FATAL_ERROR "THIESSEN_CROSS = ${folder}; must name a folder that ci/cross has made")
endif()
file(READ "${folder}/bin/target" target)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${target}")
if(target MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_INSTALL_NAME_TOOL "${CMAKE_COMMAND}") # which nothing calls
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
# Highway's NEON takes AES for granted, which every processor of Apple has.
if(target MATCHES "^aarch64-linux")
  set(CMAKE_CXX_FLAGS_INIT -mcpu=generic+crypto)
endif()
set(CMAKE_C_COMPILER "${folder}/bin/clang")
set(CMAKE_CXX_COMPILER "${folder}/bin/clang++")
set(CMAKE_AR "${folder}/bin/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${folder}/bin/ranlib" CACHE FILEPATH "")
set(CMAKE_FIND_ROOT_PATH "${folder}/root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# nanobind, which has nothing of an architecture, is where pip puts it.
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
