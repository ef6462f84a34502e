# SPDX-License-Identifier: Apache-2.0
#
# GeographicLib::GeographicLib. Debian's package has no file for CMake that works without a folder of modules; those
# of other systems have one, which is taken.
find_package(GeographicLib CONFIG QUIET)
if(TARGET GeographicLib::GeographicLib)
  set(GeographicLib_FOUND TRUE)
  return()
endif()
find_path(GeographicLib_INCLUDE_DIR GeographicLib/Geodesic.hpp)
find_library(GeographicLib_LIBRARY NAMES GeographicLib Geographic)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GeographicLib REQUIRED_VARS GeographicLib_LIBRARY GeographicLib_INCLUDE_DIR)
if(GeographicLib_FOUND)
  add_library(GeographicLib::GeographicLib UNKNOWN IMPORTED)
  set_target_properties(
    GeographicLib::GeographicLib PROPERTIES IMPORTED_LOCATION "${GeographicLib_LIBRARY}"
                                            INTERFACE_INCLUDE_DIRECTORIES "${GeographicLib_INCLUDE_DIR}")
endif()
mark_as_advanced(GeographicLib_INCLUDE_DIR GeographicLib_LIBRARY)
