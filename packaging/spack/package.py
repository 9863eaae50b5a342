# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recipe for Spack: copy this file to packages/mpispec/package.py of a repository of yours.

It was loaded against a stub of Spack's API (test/Inputs/spack_recipe.py), and not tried with Spack itself. The project has
no public address yet: `url` names an archive of the sources in the directory where Spack is started.
"""
import os

from spack.package import *


class Mpispec(CMakePackage):
    """Faster MPI between ranks of one node: a shared-memory runtime, and a compiler driver that specialises MPI calls."""

    url = "file://{0}/mpispec-0.2.0.tar.gz".format(os.getcwd())

    license("Apache-2.0 WITH LLVM-exception")

    version("0.2.0", no_cache=True)

    variant("compiler", default=False, description="Build the compiler driver and its analysis, which need LLVM and Clang")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("python@3.7:", type="build")
    depends_on("mpi")
    depends_on("llvm@22.1: +clang", when="+compiler")
    depends_on("zlib-api", when="+compiler")
    depends_on("zstd", when="+compiler")

    def cmake_args(self):
        return [
            self.define_from_variant("MPISPEC_COMPILER", "compiler"),
            self.define("MPISPEC_MPIS", self.spec["mpi"].mpicc),
        ]

    def setup_run_environment(self, env):
        env.set("MPISPEC_ROOT", self.prefix)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.mpispec)("--version")
