# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# This file has the options by which the project's own C++ is compiled and linked. The C++ code has no exceptions and no
# RTTI, as in LLVM. Warnings are errors, and LLVM's headers are system headers.
#
# A library of lib/ names no LLVM library. The program that uses it is linked with one of these:
#   mpispec-light  LLVM's Support alone, linked statically. The driver uses it, so that a compile without MPI spends no
#                  time on loading LLVM.
#   mpispec-full   all of Clang and LLVM, shared. The unit tests use it, because they are linked often.
#   mpispec-fixed  the parts of Clang and LLVM that the analysis uses, linked statically at fixed addresses. To load the
#                  shared libraries takes 15 ms, a third of the time for the analysis of a small source. It is
#                  mpispec-full if LLVM's archives are missing, or in a build with a sanitizer.
include(CheckLinkerFlag)

add_library(mpispec-options INTERFACE)
target_compile_options(mpispec-options INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>)
target_include_directories(mpispec-options INTERFACE "${PROJECT_SOURCE_DIR}/lib"
  "${PROJECT_BINARY_DIR}/lib" "${MPISPEC_TEMPLATES_DIRECTORY}")
target_include_directories(mpispec-options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS}
  ${CLANG_INCLUDE_DIRS})
# LLVM's targets name all libraries that any part of LLVM needs. A program of this project loads only those that it
# uses.
target_link_options(mpispec-options INTERFACE "LINKER:--as-needed")
separate_arguments(MPISPEC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(mpispec-options INTERFACE ${MPISPEC_LLVM_DEFINITIONS})

# A program that each compile starts is linked at fixed addresses, with the static C++ library if there is one.
# Otherwise the loader looks up a symbol for each class that has type information, and writes into all pages with such
# data.
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

# Appends the archive of the target `library` to the list `out`, and the archives of Clang that it needs. LLVM's
# archives are left out, because Clang's targets name LLVM's shared library.
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

# LLVM's headers took nine tenths of the time of a compile. Therefore they are precompiled: those of LLVM's Support for
# mpispecSupport, and those of Clang and LLVM for mpispecFrontend. Other targets share one of the two. A source still
# includes all headers that it uses. The preset dev, which precompiles nothing, fails to compile a source that does not.
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
  # ccache uses this file instead of the precompiled one, which has 170 MB and depends on the tree's path.
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum"
    "${CMAKE_CXX_COMPILER_VERSION} ${LLVM_PACKAGE_VERSION} ${CMAKE_SYSTEM} ${headers}\n")
endfunction()

# mpispec_library(NAME SOURCE...) makes a library that uses only LLVM's Support. mpispec_clang_library makes one that
# uses Clang and LLVM.
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
