# SPDX-License-Identifier: Apache-2.0
#
# Whether THIESSEN_WITH_CUDA=AUTO sees a device of NVIDIA: the one that a nvidia-smi of our own lists, and none where it lists
# none and the driver has no files. Run by ctest with cmake -P.
file(REMOVE_RECURSE "${WORK_FOLDER}")
set(THIESSEN_WITH_CUDA OFF)
include("${SOURCES}/cmake/ThiessenCuda.cmake")

# expect_device(EXPECTED LINE): what is found where nvidia-smi -L says the line.
function(expect_device expected line)
  file(WRITE "${WORK_FOLDER}/nvidia-smi" "#!/bin/sh\necho '${line}'\n")
  file(CHMOD "${WORK_FOLDER}/nvidia-smi" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(ENV{PATH} "${WORK_FOLDER}:$ENV{PATH}")
  thiessen_find_nvidia_device(found)
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "where nvidia-smi says \"${line}\": ${found}, not ${expected}")
  endif()
endfunction()

expect_device(ON "GPU 0: NVIDIA H200 (UUID: GPU-00000000-0000-0000-0000-000000000000)")
file(GLOB driver_files /dev/nvidia[0-9]*)
if(NOT driver_files)
  expect_device(OFF "No devices found.")
endif()
