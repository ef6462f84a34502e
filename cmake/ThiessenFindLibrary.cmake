# SPDX-License-Identifier: Apache-2.0
#
# thiessen_find_library(<package> <name> DEBIAN <package> CONDA <package>): find_package(), whose failure says what
# to install. A macro, as find_package() leaves variables to its caller.
macro(thiessen_find_library package name)
  cmake_parse_arguments(thiessen_find "" "DEBIAN;CONDA" "" ${ARGN})
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "thiessen needs ${name}, and CMake finds no package ${package}.\n"
                        "Debian, Ubuntu: apt-get install ${thiessen_find_DEBIAN}\n"
                        "conda-forge: conda install -c conda-forge ${thiessen_find_CONDA}\n"
                        "Elsewhere: -DCMAKE_PREFIX_PATH=FOLDER, or with pip CMAKE_PREFIX_PATH=FOLDER in the "
                        "environment, where FOLDER is the one that it is installed in.\n"
                        "The library and the Python package need libgeographiclib-dev, libhwy-dev and libtbb-dev of "
                        "Debian, or geographiclib-cpp, libhwy and tbb-devel of conda-forge, and no others.")
  endif()
endmacro()
