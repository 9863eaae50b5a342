# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Targets `format`, which lays out every C and C++ file of the project and writes missing licence lines, and
# `check-format`, which fails if that would change a file. Sources of tests are left out: their lines are part of what
# they test.
find_program(CLANG_FORMAT NAMES clang-format-22 clang-format HINTS "${LLVM_TOOLS_BINARY_DIR}")
if(CLANG_FORMAT)
  set(find_sources find lib tools runtime templates bench examples test/unit
    "(" -name "*.h" -o -name "*.c" -o -name "*.cpp" ")" -print0)
  add_custom_target(format
    COMMAND ${find_sources} | xargs -0 "${CLANG_FORMAT}" -i
    COMMAND sh scripts/spdx.sh
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
  add_custom_target(check-format
    COMMAND ${find_sources} | xargs -0 "${CLANG_FORMAT}" --dry-run --Werror
    COMMAND sh scripts/spdx.sh --check
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
endif()
