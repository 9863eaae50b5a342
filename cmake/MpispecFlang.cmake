# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The Fortran analysis is linked with flang's parser and semantic analysis: archives and headers of libflang-22-dev.
# flang computes constants of REAL(16) with libquadmath, which comes with gcc. Flang's own CMake package is not used,
# because it requires all of MLIR.
#
#   MPISPEC_FORTRAN       builds mpispec-analyze-fortran; by default on if all these parts are found
#   mpispec-flang         the libraries of that program
#   MPISPEC_FLANG_MODULES the directory of flang's modules (iso_c_binding, ...)
set(mpispec_flang_found TRUE)
set(mpispec_flang_archives "")
foreach(library FortranSemantics FortranEvaluate FortranParser FortranSupport FortranDecimal)
  set(archive "${LLVM_LIBRARY_DIRS}/lib${library}.a")
  list(APPEND mpispec_flang_archives "${archive}")
  if(NOT EXISTS "${archive}")
    set(mpispec_flang_found FALSE)
  endif()
endforeach()
foreach(include IN LISTS LLVM_INCLUDE_DIRS)
  if(EXISTS "${include}/flang/iso_c_binding.mod")
    set(MPISPEC_FLANG_MODULES "${include}/flang")
  endif()
endforeach()
find_library(MPISPEC_QUADMATH quadmath HINTS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
if(NOT MPISPEC_FLANG_MODULES OR NOT MPISPEC_QUADMATH OR MPISPEC_SANITIZE)
  set(mpispec_flang_found FALSE)
endif()
option(MPISPEC_FORTRAN "build mpispec-analyze-fortran, the analysis of Fortran sources" ${mpispec_flang_found})
if(MPISPEC_FORTRAN AND NOT mpispec_flang_found)
  message(FATAL_ERROR "MPISPEC_FORTRAN needs libflang-22-dev and libquadmath, and no sanitizer")
endif()
if(MPISPEC_FORTRAN)
  add_library(mpispec-flang INTERFACE)
  set(mpispec_flang_llvm LLVM)
  if(MPISPEC_STATIC_LLVM) # a package must not need the shared library, which few systems have
    llvm_map_components_to_libnames(mpispec_flang_llvm frontendopenacc frontendopenmp support targetparser)
  endif()
  target_link_libraries(mpispec-flang INTERFACE ${mpispec_flang_archives} ${mpispec_flang_llvm} "${MPISPEC_QUADMATH}")
endif()
