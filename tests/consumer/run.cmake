# SPDX-License-Identifier: Apache-2.0
#
# Installs the build in BUILD_FOLDER, then builds and runs the stranger's project twice: found by CMake
# and found by pkg-config. Run by ctest with cmake -P. With PREFIX, the package there is taken as it is.
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
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK_FOLDER}/build" -G Ninja
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_C_COMPILER=${C_COMPILER}"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_C_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK_FOLDER}/build")
run("${WORK_FOLDER}/build/consumer")
run("${WORK_FOLDER}/build/c_consumer")

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
