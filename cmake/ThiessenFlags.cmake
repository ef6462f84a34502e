# SPDX-License-Identifier: Apache-2.0
#
# thiessen_flags: what the results depend on, for every target of ours.
# thiessen_warnings: only when this is the top-level project.

add_library(thiessen_flags INTERFACE)
target_compile_features(thiessen_flags INTERFACE cxx_std_20)
# Rounding must not depend on the compiler: no contraction into fused multiply-adds.
target_compile_options(thiessen_flags INTERFACE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-ffp-contract=off>)
set_target_properties(thiessen_flags PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)

# For what nobody waits for when it runs. Between a sanitizer's checks there is little to optimise anyway.
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
  # g++ 12 sees an overlap inside std::string that is not there (GCC bug 105329).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(thiessen_warnings INTERFACE $<${cxx}:-Wno-restrict>)
    # … and, with the sanitizers' code in between, std::function objects without a value.
    if(THIESSEN_SANITIZE)
      target_compile_options(thiessen_warnings INTERFACE -Wno-maybe-uninitialized)
    endif()
  endif()
endif()

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
