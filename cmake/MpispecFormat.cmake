# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The target `format` formats every C and C++ file of the project, and adds missing licence lines. The target
# `check-format` fails if `format` would change a file. Test sources outside test/unit are left out, because the tests
# depend on their lines.
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
