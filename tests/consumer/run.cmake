# SPDX-License-Identifier: Apache-2.0
#
# Installs the build in BUILD_FOLDER, then builds and runs the stranger's project twice: found by CMake
# and found by pkg-config. Run by ctest with cmake -P. With PREFIX, the package there is taken as it is. With MPIEXEC the
# package has thiessen::mpi, and that runs two ranks.
file(REMOVE_RECURSE "${WORK_FOLDER}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(result)
    message(FATAL_ERROR "${ARGN}: ${result}\n${out}")
  endif()
endfunction()

if(PREFIX)
  set(prefix "${PREFIX}")
else()
  set(prefix "${WORK_FOLDER}/prefix")
  run("${CMAKE_COMMAND}" --install "${BUILD_FOLDER}" --prefix "${prefix}")
endif()
set(with_mpi OFF)
if(MPIEXEC)
  set(with_mpi ON)
  foreach(name OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe)
    set(ENV{${name}} 1) # a container may have one processor, and only root
  endforeach()
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_FOLDER}/build" -G Ninja
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_C_COMPILER=${C_COMPILER}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DWITH_MPI=${with_mpi}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_C_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK_FOLDER}/build")
run("${WORK_FOLDER}/build/consumer")
run("${WORK_FOLDER}/build/c_consumer")
if(MPIEXEC)
  run("${MPIEXEC}" -n 2 "${WORK_FOLDER}/build/ranks")
endif()
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/c_alone" -B "${WORK_FOLDER}/c_alone" -G Ninja
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_C_FLAGS=${FLAGS}"
    "-DLINK_FLAGS=${C_LINK_FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK_FOLDER}/c_alone")
run("${WORK_FOLDER}/c_alone/c_alone")

file(GLOB_RECURSE pc "${prefix}/*/thiessen.pc")
get_filename_component(pc_folder "${pc}" DIRECTORY)
set(ENV{PKG_CONFIG_PATH} "${pc_folder}")
get_filename_component(library_folder "${pc_folder}" DIRECTORY)
set(ENV{LD_LIBRARY_PATH} "${library_folder}") # of a shared library; CMake's programs know by themselves
execute_process(COMMAND pkg-config --static --cflags --libs thiessen
                OUTPUT_VARIABLE arguments OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(arguments UNIX_COMMAND "${arguments}")
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run("${COMPILER}" -std=c++20 ${flags} "${CMAKE_CURRENT_LIST_DIR}/main.cpp" ${arguments} -o
    "${WORK_FOLDER}/by_pkg_config")
run("${WORK_FOLDER}/by_pkg_config")
run("${C_COMPILER}" -std=c99 -pedantic -Wall -Wextra -Werror ${flags}
    "${CMAKE_CURRENT_LIST_DIR}/main.c" ${arguments} ${C_LINK_FLAGS} -o
    "${WORK_FOLDER}/c_by_pkg_config")
run("${WORK_FOLDER}/c_by_pkg_config")
if(MPIEXEC)
  execute_process(COMMAND pkg-config --static --cflags --libs thiessen-mpi
                  OUTPUT_VARIABLE arguments OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(arguments UNIX_COMMAND "${arguments}")
  run(mpicxx -std=c++20 ${flags} "${CMAKE_CURRENT_LIST_DIR}/ranks.cpp" ${arguments} -o
      "${WORK_FOLDER}/ranks_by_pkg_config")
  run("${MPIEXEC}" -n 2 "${WORK_FOLDER}/ranks_by_pkg_config")
endif()
