# SPDX-License-Identifier: Apache-2.0
#
# cmake -DFILES=A.cl;B.cl -DOUTPUT=FILE -P embed.cmake: writes {"A", R"(text)"}, … for C++.
set(all "")
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME_WE)
  file(READ "${path}" text)
  string(APPEND all "{\"${name}\", R\"FILE(${text})FILE\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${all}")
