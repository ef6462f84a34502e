# SPDX-License-Identifier: Apache-2.0
#
# THIESSEN_HAS_OPENCL: whether the opencl backend is built, by THIESSEN_WITH_OPENCL and by whether there are
# the headers of OpenCL 3.0 for C++. Libraries of OpenCL are looked for when it runs, not here.

set(THIESSEN_HAS_OPENCL OFF)
if(THIESSEN_WITH_OPENCL)
  find_path(THIESSEN_OPENCL_HEADERS CL/opencl.hpp DOC "Folder of CL/opencl.hpp")
  if(THIESSEN_OPENCL_HEADERS)
    set(THIESSEN_HAS_OPENCL ON)
  elseif(NOT THIESSEN_WITH_OPENCL STREQUAL "AUTO")
    message(FATAL_ERROR "CL/opencl.hpp is not found (Debian: opencl-clhpp-headers); "
                        "-DTHIESSEN_WITH_OPENCL=OFF builds without the opencl backend")
  endif()
endif()
