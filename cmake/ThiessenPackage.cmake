# SPDX-License-Identifier: Apache-2.0
#
# Debian packages by `cpack -G DEB` in a build folder: `thiessen` has the command, `libthiessen-dev` the
# library. What is installed without a COMPONENT belongs to the command. See ci/check-package.
include(GNUInstallDirs)

foreach(package IN ITEMS thiessen libthiessen-dev)
  if(package STREQUAL "thiessen")
    set(component command)
  else()
    set(component dev)
  endif()
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}"
          RENAME copyright COMPONENT ${component})
  install(FILES "${PROJECT_SOURCE_DIR}/THIRD-PARTY-NOTICES.md"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${component})
endforeach()

set(CPACK_PACKAGE_NAME thiessen)
set(CPACK_PACKAGE_CONTACT "The thiessen developers <thiessen@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL dev)
if(THIESSEN_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME thiessen)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
if(THIESSEN_HAS_OPENCL)
  set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "ocl-icd-libopencl1, opencl-icd")
endif()
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
    "The command answers, for every cell of a raster, which site is nearest
and how far away it is.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libthiessen-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS ${BUILD_SHARED_LIBS})
# A static library does not name the libraries that it needs.
get_directory_property(development_packages DIRECTORY "${PROJECT_SOURCE_DIR}/src" DEFINITION
                       THIESSEN_BACKEND_PACKAGES)
# NVIDIA's packages have a version in their names: any toolkit will do for those who link statically.
if("CUDAToolkit" IN_LIST development_packages)
  list(REMOVE_ITEM development_packages CUDAToolkit)
  list(APPEND suggested_packages nvidia-cuda-toolkit)
endif()
# Only programs with thiessen::mpi need MPI.
if(THIESSEN_HAS_MPI)
  list(APPEND suggested_packages mpi-default-dev)
endif()
list(JOIN suggested_packages ", " CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS)
list(TRANSFORM development_packages PREPEND lib)
list(TRANSFORM development_packages APPEND -dev)
list(TRANSFORM development_packages TOLOWER)
list(JOIN development_packages ", " CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Headers for C++ and C, the library, and what CMake and pkg-config need to
find them.")
include(CPack)
