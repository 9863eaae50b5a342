# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Paths of installed files, relative to the directory of the installed programs. The programs find other files by these
# paths, so that the prefix can be moved. In the build tree the directories are lib and libexec.
foreach(kind LIBDIR LIBEXECDIR DOCDIR)
  file(RELATIVE_PATH MPISPEC_${kind}_FROM_PROGRAMS "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_${kind}}")
endforeach()
set(MPISPEC_SOURCES "${CMAKE_INSTALL_DATADIR}/mpispec/sources") # of the runtime, for `mpispec runtime add`
file(RELATIVE_PATH MPISPEC_SOURCES_FROM_PROGRAMS "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_PREFIX}/${MPISPEC_SOURCES}")
add_library(mpispec-places INTERFACE)
target_compile_definitions(mpispec-places INTERFACE
  MPISPEC_LIBDIR_FROM_PROGRAMS="${MPISPEC_LIBDIR_FROM_PROGRAMS}"
  MPISPEC_LIBEXECDIR_FROM_PROGRAMS="${MPISPEC_LIBEXECDIR_FROM_PROGRAMS}"
  MPISPEC_SOURCES_FROM_PROGRAMS="${MPISPEC_SOURCES_FROM_PROGRAMS}"
  MPISPEC_DOCDIR_FROM_PROGRAMS="${MPISPEC_DOCDIR_FROM_PROGRAMS}")
