/* Compiles where handles are integers. */
#include <mpi.h>
int main(void) {
  char integers[sizeof(MPI_Comm) == sizeof(int) && sizeof(MPI_Request) == sizeof(int) ? 1 : -1];
  return (int)sizeof integers - 1;
}
