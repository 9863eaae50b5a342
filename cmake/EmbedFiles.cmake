# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes files as rows of a C++ table: {name, R"(text)"}. The licence lines are left out.
#   cmake -DOUTPUT=table.inc -DFILES="a.h;b.h" -P EmbedFiles.cmake
set(rows "")
foreach(path ${FILES})
  file(READ "${path}" text)
  string(REGEX REPLACE "^(/\\*|<!--) SPDX-License-Identifier[^\n]*\n" "" text "${text}")
  get_filename_component(name "${path}" NAME)
  string(APPEND rows "{\"${name}\", R\"mpispec(${text})mpispec\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${rows}" @ONLY)
