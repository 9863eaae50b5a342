# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How this project's own C++ is compiled and linked: LLVM's conventions (no exceptions, no RTTI),
# warnings are errors, LLVM's headers are system headers.
#
# A library of lib/ names no LLVM library: the program that uses it says which it gets.
#   mpispec-light  LLVM's Support alone, linked statically. The driver is light, so that a compile
#                  without MPI pays nothing for loading LLVM.
#   mpispec-full   all of Clang and LLVM, shared: the unit tests, which are linked often.
#   mpispec-fixed  those parts of Clang and LLVM that the analysis uses, linked statically at fixed
#                  addresses: to load the shared ones takes 15 ms, a third of what the analysis of a
#                  small source takes. The shared ones, where there are no others, or a sanitizer.
include(CheckLinkerFlag)

add_library(mpispec-options INTERFACE)
target_compile_options(mpispec-options INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>)
target_include_directories(mpispec-options INTERFACE "${PROJECT_SOURCE_DIR}/lib"
  "${PROJECT_BINARY_DIR}/lib" "${MPISPEC_TEMPLATES_DIRECTORY}")
target_include_directories(mpispec-options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS}
  ${CLANG_INCLUDE_DIRS})
# LLVM's libraries name all that any part of LLVM needs; a program of ours loads what it uses.
target_link_options(mpispec-options INTERFACE "LINKER:--as-needed")
separate_arguments(MPISPEC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(mpispec-options INTERFACE ${MPISPEC_LLVM_DEFINITIONS})

# A program that each compile starts is at fixed addresses, and has the C++ library in it, if that is there as an
# archive: else the loader looks up a symbol for each class that has type information, and writes into all of
# their pages.
add_library(mpispec-placed INTERFACE)
if(NOT MPISPEC_SANITIZE)
  target_link_options(mpispec-placed INTERFACE -no-pie)
  check_linker_flag(CXX -static-libstdc++ MPISPEC_HAS_STATIC_CXX_LIBRARY)
  if(MPISPEC_HAS_STATIC_CXX_LIBRARY)
    target_link_options(mpispec-placed INTERFACE -static-libstdc++ -static-libgcc)
  endif()
endif()

add_library(mpispec-light INTERFACE)
target_link_libraries(mpispec-light INTERFACE LLVMSupport mpispec-placed)
add_library(mpispec-full INTERFACE)
target_link_libraries(mpispec-full INTERFACE clang-cpp LLVM)

# Appends to the list `out` the archive of target `library`, and those of Clang's that it needs.
# LLVM's are left out: Clang's targets name the shared one.
function(mpispec_clang_archives out library)
  if(NOT TARGET ${library} OR NOT library MATCHES "^clang")
    return()
  endif()
  get_target_property(archive ${library} LOCATION)
  if(archive IN_LIST ${out})
    return()
  endif()
  list(APPEND ${out} "${archive}")
  get_target_property(needed ${library} INTERFACE_LINK_LIBRARIES)
  foreach(next IN LISTS needed)
    mpispec_clang_archives(${out} "${next}")
  endforeach()
  set(${out} "${${out}}" PARENT_SCOPE)
endfunction()

add_library(mpispec-fixed INTERFACE)
set(mpispec_clang "")
foreach(library clangFrontend clangDriver clangCodeGen)
  mpispec_clang_archives(mpispec_clang ${library})
endforeach()
set(mpispec_has_archives TRUE)
if(CMAKE_VERSION VERSION_LESS 3.24) # has no LINK_GROUP
  set(mpispec_has_archives FALSE)
endif()
foreach(archive IN LISTS mpispec_clang ITEMS "${LLVM_LIBRARY_DIRS}/libLLVMPasses.a")
  if(NOT archive MATCHES "\\.a$" OR NOT EXISTS "${archive}")
    set(mpispec_has_archives FALSE)
  endif()
endforeach()
option(MPISPEC_STATIC_LLVM "link the analysis with Clang and LLVM statically" ${mpispec_has_archives})
if(MPISPEC_STATIC_LLVM AND NOT MPISPEC_SANITIZE)
  llvm_map_components_to_libnames(mpispec_llvm passes irreader option coverage linker frontendopenmp
    frontendhlsl windowsdriver)
  target_link_libraries(mpispec-fixed INTERFACE "$<LINK_GROUP:RESCAN,${mpispec_clang}>"
    ${mpispec_llvm} mpispec-placed)
  target_link_options(mpispec-fixed INTERFACE "LINKER:--gc-sections")
else()
  target_link_libraries(mpispec-fixed INTERFACE mpispec-full)
endif()

# LLVM's headers, which were nine tenths of a compile, are precompiled: for mpispecSupport those of LLVM's Support,
# for mpispecFrontend Clang's and all of LLVM's. Other targets share either. A source includes what it uses all the
# same; the preset dev, which precompiles nothing, finds where one does not.
set(mpispec_headers_of_mpispecSupport <map> <optional> <set> <string> <vector> <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallString.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/ADT/StringSet.h>
  <llvm/Support/FileSystem.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h> <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h> <llvm/Support/Program.h> <llvm/Support/raw_ostream.h>)
set(mpispec_headers_of_mpispecFrontend ${mpispec_headers_of_mpispecSupport} <clang/AST/ASTContext.h>
  <clang/AST/Attr.h> <clang/AST/DynamicRecursiveASTVisitor.h> <clang/AST/ExprCXX.h> <clang/AST/Mangle.h>
  <clang/Frontend/CompilerInstance.h> <clang/Lex/Lexer.h> <clang/Lex/Preprocessor.h> <clang/Sema/Sema.h>
  <llvm/Analysis/ValueTracking.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h> <llvm/IR/IntrinsicInst.h>
  <llvm/IR/Module.h> <llvm/IR/PassManager.h> <llvm/IR/PatternMatch.h> <llvm/Passes/PassBuilder.h>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # CMake's own words name the header, too, by a path that ccache would see
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
endif()
function(mpispec_precompiled target owner)
  if(NOT target STREQUAL owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  set(headers ${mpispec_headers_of_${owner}})
  target_precompile_headers(${target} PRIVATE ${headers})
  # ccache takes this for the content of the precompiled file, which has 170 MB and depends on the tree's place.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum"
    "${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION} ${CMAKE_SYSTEM} ${headers}\n")
endfunction()

# mpispec_library(NAME SOURCE...) makes one of Support alone, mpispec_clang_library one of Clang and LLVM.
function(mpispec_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC mpispec-options)
  mpispec_precompiled(${name} mpispecSupport)
endfunction()
function(mpispec_clang_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC mpispec-options)
  mpispec_precompiled(${name} mpispecFrontend)
endfunction()

# Makes a C++ table (EmbedFiles.cmake) of files, to be included as "<Directory>/<table>" from lib/, and
# sets `out` to its path.
function(mpispec_embed out table)
  set(path "${CMAKE_CURRENT_BINARY_DIR}/${table}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake")
  add_custom_command(OUTPUT "${path}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${path}" "-DFILES=${ARGN}" -P "${script}"
    DEPENDS ${ARGN} "${script}"
    COMMENT "Embedding ${table}" VERBATIM)
  set(${out} "${path}" PARENT_SCOPE)
endfunction()
