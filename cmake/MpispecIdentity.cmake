# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Identities of builds (cmake/identity.py). An object and a runtime share the state, and two ranks share lanes, only if
# the identities of their builds are equal.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# mpispec_identity(TARGET HEADER LIST FILE FILES PATH... LAYOUTS TARGET...) makes a target that writes HEADER from
# cmake/<name>.in. The identity covers the sources FILES, which are paths below the project, and the rows in the objects
# of the targets LAYOUTS. The file LIST of the build tree names the sources, also for a test.
function(mpispec_identity target header)
  cmake_parse_arguments(PARSE_ARGV 2 of "" "LIST" "FILES;LAYOUTS")
  get_filename_component(name "${header}" NAME)
  set(template "${PROJECT_SOURCE_DIR}/cmake/${name}.in")
  set(script "${PROJECT_SOURCE_DIR}/cmake/identity.py")
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${of_LIST}")
  string(REPLACE ";" "\n" text "${of_FILES}\n")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${text}" @ONLY)
  foreach(layout IN LISTS of_LAYOUTS)
    list(APPEND objects $<TARGET_OBJECTS:${layout}>)
  endforeach()
  set(sources ${of_FILES})
  list(TRANSFORM sources PREPEND "${PROJECT_SOURCE_DIR}/")
  add_custom_command(OUTPUT "${header}"
    COMMAND Python3::Interpreter -B "${script}" --template "${template}" --output "${header}" --files "${list}"
      --root "${PROJECT_SOURCE_DIR}" ${objects}
    DEPENDS "${script}" "${template}" "${list}" ${sources} ${objects}
    COMMENT "Identity of the build: ${name}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} DEPENDS "${header}")
  add_dependencies(${target} ${of_LAYOUTS}) # Make has no rule for the objects in this target
endfunction()

# A file of rows (runtime/layout_rows.h), compiled.
function(mpispec_layout target source)
  add_library(${target} OBJECT "${PROJECT_SOURCE_DIR}/runtime/${source}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror -fno-lto)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/runtime")
  set_target_properties(${target} PROPERTIES C_EXTENSIONS ON)
endfunction()
