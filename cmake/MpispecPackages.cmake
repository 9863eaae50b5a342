# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cpack` makes a Debian package of each component.
#
#   mpispec-runtime    the runtimes and the program mpispec
#   mpispec-compiler   the analysis, which the driver starts
#   mpispec-doc        the manual, the pages and the examples
#
# One package has the runtimes for all MPI libraries, because `mpispec run` chooses among them. It depends on none of
# these libraries.
set(CPACK_PACKAGE_NAME mpispec)
set(CPACK_PACKAGE_VENDOR "the mpispec authors")
set(CPACK_PACKAGE_CONTACT "${MPISPEC_MAINTAINER}")
if(NOT MPISPEC_MAINTAINER MATCHES "@") # Debian wants an address; .invalid is reserved for those that are none
  string(APPEND CPACK_PACKAGE_CONTACT " <mpispec@none.invalid>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "faster MPI between ranks of one node")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR DEB)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime doc)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The runtimes for MPICH, Intel MPI and Open MPI, and the program mpispec,
which starts MPI programs with the fitting runtime preloaded.")
set(CPACK_COMPONENT_COMPILER_DESCRIPTION "Each MPI call of a C or C++ program becomes code for exactly what is known
about it. The compiler stays the one of the program.")
set(CPACK_COMPONENT_DOC_DESCRIPTION "The manual page, all pages and the programs of the tutorial.")

execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^glibc " "" libc "${libc}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libc6 (>= ${libc})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libmpich12 | libopenmpi3")
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/triggers")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "mpispec-compiler, mpispec-doc")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
if(MPISPEC_COMPILER)
  list(APPEND CPACK_COMPONENTS_ALL compiler)
  set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "mpispec-runtime (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_COMPILER_PACKAGE_RECOMMENDS "gcc | clang, libmpich-dev | libopenmpi-dev")
endif()

# Debian's own files in each package.
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake")
set(CPACK_MPISPEC_SOURCE "${PROJECT_SOURCE_DIR}")
include(CPack)
