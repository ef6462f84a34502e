# SPDX-License-Identifier: Apache-2.0
#
# Configures the project in WORK_FOLDER as pip does, once without each library that it needs: the message has to say
# what to install. Run by ctest with cmake -P.
file(REMOVE_RECURSE "${WORK_FOLDER}")

# expect_message(PACKAGE TEXT...): without the package, CMake fails and says each text.
function(expect_message package)
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -S "${SOURCES}" -B "${WORK_FOLDER}/${package}" -G Ninja
      "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON
      -DTHIESSEN_WITH_CUDA=OFF -DTHIESSEN_WITH_GDAL=OFF -DTHIESSEN_BUILD_CLI=OFF
      -DTHIESSEN_BUILD_TESTS=OFF -DTHIESSEN_BUILD_EXAMPLES=OFF
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
  if(NOT result)
    message(FATAL_ERROR "configures without ${package}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}") # CMake breaks lines
  foreach(text IN LISTS ARGN)
    string(FIND "${said}" "${text}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "without ${package}, CMake does not say: ${text}\n${said}")
    endif()
  endforeach()
endfunction()

expect_message(hwy "thiessen needs Highway" "apt-get install libhwy-dev"
               "conda install -c conda-forge libhwy")
expect_message(TBB "thiessen needs oneTBB" "apt-get install libtbb-dev"
               "conda install -c conda-forge tbb-devel")
