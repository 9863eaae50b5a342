# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An object that goes around all ranks; each rank adds its number."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
if rank == 0:
    comm.send([0], dest=1 % size)
    print("ranks", comm.recv(source=size - 1))
else:
    comm.send(comm.recv(source=rank - 1) + [rank], dest=(rank + 1) % size)
