# The MPI library that the runtime is built for: MPICH, or one of its ABI (Intel MPI, MVAPICH), whose handles
# are integers. Where the default mpicc is another's, say so before the compiler complains of casts.
find_package(MPI REQUIRED COMPONENTS C)
try_compile(MPISPEC_FITS_MPI "${PROJECT_BINARY_DIR}/fits-mpi"
  "${CMAKE_CURRENT_LIST_DIR}/fits-mpi.c" LINK_LIBRARIES MPI::MPI_C)
if(NOT MPISPEC_FITS_MPI)
  message(FATAL_ERROR "mpispec needs MPICH, or a library of its ABI, and ${MPI_C_COMPILER} is not MPICH's "
    "(mpi.h is from ${MPI_C_INCLUDE_DIRS}). Install MPICH (on Debian: apt-get install mpich libmpich-dev) "
    "and name its wrapper: cmake -DMPI_C_COMPILER=mpicc.mpich ...")
endif()
