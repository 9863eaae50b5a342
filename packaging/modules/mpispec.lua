-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- A module file for Lmod. Copy it to mpispec/<version>.lua in a directory of MODULEPATH, and set `prefix` to the directory
-- into which this version is installed.
local prefix = "/opt/mpispec/" .. myModuleVersion()

whatis("Name: mpispec")
whatis("Version: " .. myModuleVersion())
whatis("Description: faster MPI between ranks of one node")
help([[
mpispec run srun -n 4 ./app     starts a program with the runtime preloaded
mpispec mpicc -O2 -c app.c      compiles a source with its MPI calls specialised
mpispec doctor ./app            checks what is on, and what is off
]])

-- Other tools that take the functions of MPI would keep calls from the runtime.
conflict("darshan", "ipm")

prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
setenv("MPISPEC_ROOT", prefix)
