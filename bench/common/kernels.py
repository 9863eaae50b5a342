# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the kernels of bench/kernels for a comparison."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = "mm lu cg cg-allreduce rows halo packed-halo transpose deal histogram queue stealing".split()


def build_kernels(directory, variants, mpicc, mpispec="none", environment=None):
    """Builds DIRECTORY/VARIANT/KERNEL for these variants: "plain", and "special", which needs mpispec."""
    programs = [f"{directory}/{variant}/{kernel}" for variant in variants for kernel in KERNELS]
    subprocess.run(["make", "-s", "-j2", "-C", str(ROOT / "bench"), f"OUT={directory}", f"MPICC={mpicc}",
                    f"MPISPEC={mpispec}", *programs], check=True, env=environment)
