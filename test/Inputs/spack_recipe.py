#!/usr/bin/env python3
"""Loads packaging/spack/package.py against a stub of Spack's API, and prints what it asks for.

usage: spack_recipe.py PACKAGE.PY

The stub has the names that the recipe uses, and no others: it shows that the recipe is valid Python that calls directives
of this shape, not that Spack can build it.
"""
import sys
import types

asked = []


def directive(kind):
    return lambda *words, **options: asked.append((kind, words, options))


class CMakePackage:
    @staticmethod
    def define(name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, "ON" if self.spec.variants[variant] else "OFF")


class Spec(dict):
    """The packages that are chosen, by name."""


class Environment(dict):
    set = dict.__setitem__


def main():
    stub = types.ModuleType("spack.package")
    stub.CMakePackage = CMakePackage
    for kind in ("license", "version", "variant", "depends_on"):
        setattr(stub, kind, directive(kind))
    stub.run_after = lambda phase: lambda function: function
    stub.on_package_attributes = lambda **attributes: lambda function: function
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = stub
    names = {}
    with open(sys.argv[1], encoding="utf-8") as file:
        exec(compile(file.read(), sys.argv[1], "exec"), names)
    for kind, words, options in asked:
        print(kind, *words, *(f"{name}={value}" for name, value in options.items()))
    package = names["Mpispec"]()
    package.prefix = "/prefix"
    for compiler in (False, True):
        package.spec = Spec(mpi=types.SimpleNamespace(mpicc="/mpi/bin/mpicc"))
        package.spec.variants = {"compiler": compiler}
        print("cmake", *package.cmake_args())
    environment = Environment()
    package.setup_run_environment(environment)
    print("environment", environment)


main()
