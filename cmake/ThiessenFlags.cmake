# SPDX-License-Identifier: Apache-2.0
#
# thiessen_flags: what the results depend on, for every target of ours.
# thiessen_warnings: only when this is the top-level project.

add_library(thiessen_flags INTERFACE)
target_compile_features(thiessen_flags INTERFACE cxx_std_20)
# Rounding must not depend on the compiler: no contraction into fused multiply-adds.
target_compile_options(thiessen_flags INTERFACE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-ffp-contract=off>)
set_target_properties(thiessen_flags PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
# On Windows GCC aligns the stack to 16 bytes, and moves vectors of 32 and 64 as if it had aligned it to these (GCC bug 54412).
if(WIN32 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(thiessen_flags INTERFACE -Wa,-muse-unaligned-vector-move)
endif()

# What files and callers of others may exploit is made harder: stack protector, checked functions of the C library,
# read-only relocations, which are all done at the start, no code on the stack, random addresses. ci/check-hardening
# reads the outcome. The sanitizers see more, and not through the checked functions.
option(THIESSEN_HARDEN "Compile and link with what makes errors in memory hard to exploit" ON)
if(THIESSEN_HARDEN AND NOT THIESSEN_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(host_compiler $<NOT:$<COMPILE_LANGUAGE:CUDA>>)
  target_compile_options(
    thiessen_flags INTERFACE "$<${host_compiler}:-fstack-protector-strong>"
                             "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fstack-protector-strong>")
  # Debian and others have a level of their own; without optimisation there is none.
  target_compile_options(
    thiessen_flags
    INTERFACE "$<$<AND:${host_compiler},$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>")
  if(WIN32) # whose linker makes addresses random and data not executable by itself; the checks are a library of GCC's
    target_link_options(thiessen_flags INTERFACE -fstack-protector-strong)
  elseif(NOT APPLE) # whose linker does all of it by itself
    target_link_options(thiessen_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  endif()
endif()

# For programs whose running time does not matter. Between a sanitizer's checks there is little to optimise anyway.
set(THIESSEN_OPTIMIZE_LITTLE -O1)
if(THIESSEN_SANITIZE)
  set(THIESSEN_OPTIMIZE_LITTLE -O0)
  target_compile_options(thiessen_flags INTERFACE -fsanitize=${THIESSEN_SANITIZE}
                                                  -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(thiessen_flags INTERFACE -fsanitize=${THIESSEN_SANITIZE})
endif()
if(THIESSEN_BUILD_FUZZERS)
  target_compile_options(thiessen_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

add_library(thiessen_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  set(cxx $<COMPILE_LANGUAGE:CXX>)
  target_compile_options(thiessen_warnings
                         INTERFACE "$<${cxx}:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>"
                                   "$<${cxx}:-Wnon-virtual-dtor;-Woverloaded-virtual>")
  # In a unity build g++ takes every source file for a header, in which anonymous namespaces would be wrong, and sees the
  # names of one file shadowed by another. The builds of single files tell of the real ones.
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(thiessen_warnings INTERFACE "$<${cxx}:-Wno-subobject-linkage;-Wno-shadow>")
  endif()
  # g++ 12 sees an overlap inside std::string that is not there (GCC bug 105329).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(thiessen_warnings INTERFACE $<${cxx}:-Wno-restrict>)
    # … and, with the sanitizers' code in between, std::function objects without a value.
    if(THIESSEN_SANITIZE)
      target_compile_options(thiessen_warnings INTERFACE -Wno-maybe-uninitialized)
    endif()
  endif()
endif()

# No function of the library may need more of the stack. The largest ones are the kernels of near search, with tables
# of 314 KiB. src/threads/stack.hpp has a call run where there is 1 MiB, which leaves twice as much to what they call.
set(THIESSEN_LARGEST_FRAME 344064) # 336 KiB

# thiessen_target(<name>): the settings that all targets of this project share.
function(thiessen_target name)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:thiessen_flags>
                                        $<BUILD_INTERFACE:thiessen_warnings>)
  set_target_properties(
    ${name}
    PROPERTIES CXX_VISIBILITY_PRESET hidden
               CUDA_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               CXX_EXTENSIONS OFF
               POSITION_INDEPENDENT_CODE ON)
endfunction()
