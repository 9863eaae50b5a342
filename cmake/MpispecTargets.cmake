# How this project's own C++ is compiled and linked: LLVM's conventions (no exceptions, no RTTI),
# warnings are errors, LLVM's headers are system headers.
#
# A library of lib/ names no LLVM library: the program that uses it says which it gets.
#   mpispec-light  LLVM's Support alone, linked statically. The driver is light, so that a compile
#                  without MPI pays nothing for loading LLVM.
#   mpispec-full   all of Clang and LLVM, shared: the analysis.
add_library(mpispec-options INTERFACE)
target_compile_options(mpispec-options INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>)
target_include_directories(mpispec-options INTERFACE "${PROJECT_SOURCE_DIR}/lib"
  "${PROJECT_BINARY_DIR}/lib" "${PROJECT_SOURCE_DIR}/templates")
target_include_directories(mpispec-options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS}
  ${CLANG_INCLUDE_DIRS})
# LLVM's libraries name all that any part of LLVM needs; a program of ours loads what it uses.
target_link_options(mpispec-options INTERFACE "LINKER:--as-needed")
separate_arguments(MPISPEC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(mpispec-options INTERFACE ${MPISPEC_LLVM_DEFINITIONS})

add_library(mpispec-light INTERFACE)
target_link_libraries(mpispec-light INTERFACE LLVMSupport)
add_library(mpispec-full INTERFACE)
target_link_libraries(mpispec-full INTERFACE clang-cpp LLVM)

function(mpispec_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC mpispec-options)
endfunction()
