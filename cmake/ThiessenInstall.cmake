# SPDX-License-Identifier: Apache-2.0
#
# The library for others: find_package(thiessen) gives thiessen::thiessen, pkg-config knows thiessen. Where there is
# MPI, find_package(thiessen COMPONENTS mpi) gives thiessen::mpi, too, and pkg-config knows thiessen-mpi.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/thiessen")
install(TARGETS thiessen EXPORT thiessen-targets DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
if(NOT THIESSEN_HAS_MPI)
  set(without_mpi PATTERN mpi.hpp EXCLUDE)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/thiessen" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT dev ${without_mpi})
install(EXPORT thiessen-targets NAMESPACE thiessen:: DESTINATION "${package_folder}" COMPONENT dev)

if(THIESSEN_HAS_MPI)
  install(TARGETS thiessen_mpi EXPORT thiessen-mpi-targets DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
  install(EXPORT thiessen-mpi-targets NAMESPACE thiessen:: DESTINATION "${package_folder}" COMPONENT dev)
endif()

set(packages ${THIESSEN_BACKEND_PACKAGES})
if(BUILD_SHARED_LIBS)
  list(REMOVE_ITEM packages CUDAToolkit) # of which all that is needed is in the library
endif()
list(JOIN packages " " THIESSEN_FIND_PACKAGES)
# The compiler's own libraries of C++: stdc++ and m, or c++ and more.
set(THIESSEN_CXX_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER THIESSEN_CXX_LIBRARIES INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+(abi)?|m)$")
list(REMOVE_DUPLICATES THIESSEN_CXX_LIBRARIES)
list(JOIN THIESSEN_CXX_LIBRARIES " " THIESSEN_CXX_LIBRARIES)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/thiessen-config.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/thiessen-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/thiessen-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/thiessen-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/thiessen-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindGeographicLib.cmake"
        DESTINATION "${package_folder}" COMPONENT dev)

string(REPLACE ";" " " THIESSEN_REQUIRES "${THIESSEN_BACKEND_MODULES}")
# Found from where the file lies, so that the package may be moved.
file(RELATIVE_PATH THIESSEN_PREFIX_FROM_PC "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig"
     "${CMAKE_INSTALL_PREFIX}")
set(modules thiessen)
if(THIESSEN_HAS_MPI)
  list(APPEND modules thiessen-mpi)
endif()
foreach(module IN LISTS modules)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${module}.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/${module}.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${module}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
endforeach()
