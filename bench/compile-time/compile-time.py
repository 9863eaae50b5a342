#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of compiling through mpispec. Prints a table of ratios to the plain compile.

    compile-time.py [--build DIR] [--repeat N] [--compiler gcc|clang] [--level -O0] [--quick] [--steps]

Each row is a source that is generated here, or is in the directory of this script. Plain and specialised compiles
alternate, so that the state of the machine is the same for both. Each figure is the median of N. `time` is wall-clock
seconds. `CPU` is the processor time of all processes of the command, which varies less on a busy machine. --steps adds
the times of mpispec's steps for each row, from --mpispec-verbose.

The aims: at most 1.15 without an MPI call, at most 2 with MPI calls, and at most 1.6 for a library of C++ headers. The
time of n call sites should be proportional to n.
"""
import argparse, os, re, resource, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))


def c_without_mpi(functions):
    lines = ["#include <math.h>", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>"]
    for n in range(functions):
        lines.append(f"""
double stencil_{n}(const double *in, double *out, int rows, int columns) {{
  double change = 0;
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++) {{
      double v = {n + 1} * in[i * columns + j] + in[(i - 1) * columns + j] + in[i * columns + j - 1];
      change = fmax(change, fabs(v - out[i * columns + j]));
      out[i * columns + j] = v;
    }}
  if (change > {n + 1}e6)
    fprintf(stderr, "step {n}: %g\\n", change);
  return change;
}}""")
    return "\n".join(lines)


CXX_HEADERS = ["algorithm", "functional", "iostream", "map", "memory", "numeric", "random", "regex",
               "string", "unordered_map", "vector"]


def cxx_without_mpi(functions):
    lines = [f"#include <{header}>" for header in CXX_HEADERS]
    for n in range(functions):
        lines.append(f"""
std::map<std::string, double> totals_{n}(const std::vector<std::pair<std::string, double>> &items) {{
  std::map<std::string, double> sums;
  for (const auto &item : items)
    if (std::regex_match(item.first, std::regex("[a-z]{{{n + 1}}}")))
      sums[item.first] += item.second;
  return sums;
}}""")
    return "\n".join(lines)


def halo(n):
    """An exchange with both neighbours, and a reduction: five call sites."""
    return f"""
double exchange_{n}(double *field, int columns, int rows, MPI_Comm comm) {{
  int rank, size;
  double change = 0, all;
  MPI_Request requests[2];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int count = 0;
  if (rank > 0) {{
    MPI_Irecv(field, columns, MPI_DOUBLE, rank - 1, {n % 32000}, comm, &requests[count++]);
    MPI_Send(field + columns, {n % 60 + 1}, MPI_DOUBLE, rank - 1, {n % 32000}, comm);
  }}
  if (rank < size - 1) {{
    MPI_Irecv(field + rows * columns, columns, MPI_DOUBLE, rank + 1, {n % 32000}, comm,
              &requests[count++]);
    MPI_Send(field + (rows - 1) * columns, {n % 60 + 1}, MPI_DOUBLE, rank + 1, {n % 32000}, comm);
  }}
  for (int i = 0; i < columns; i++)
    change += field[i] * {n};
  MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}}"""


TINY = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank, value = 42;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  printf("%d\\n", value);
  return MPI_Finalize();
}
"""

# A program's own header names MPI's functions, and the source calls none of them.
NAMES_ONLY = """#include <mpi.h>
#define program_send MPI_Send
#define program_receive MPI_Recv
"""


def names_only(functions):
    return NAMES_ONLY + c_without_mpi(functions)


def beside(name):
    with open(os.path.join(HERE, name)) as file:
        return file.read()


def with_mpi(sites, work):
    """Five call sites in each function; beside them `work` functions without."""
    exchanges = "\n".join(halo(n) for n in range(max(1, sites // 5)))
    return "#include <mpi.h>\n" + c_without_mpi(work) + exchanges


def cxx_with_mpi(sites, work):
    exchanges = "\n".join(halo(n) for n in range(max(1, sites // 5)))
    return "#include <mpi.h>\n" + cxx_without_mpi(work) + exchanges


def rows(quick):
    """Group, name, language, source text, aim."""
    yield "no MPI call", "C, small", "c", c_without_mpi(1), 1.15
    yield "no MPI call", "C, 3000 lines", "c", c_without_mpi(220), 1.15
    yield "no MPI call", "C++, std headers", "c++", cxx_without_mpi(5), 1.15
    yield "no MPI call", "C, a header names MPI", "c", names_only(20), 1.15
    yield "MPI calls", "C, tiny, 1 site", "c", TINY, 2
    yield "MPI calls", "C, 10 sites", "c", with_mpi(10, 20), 2
    yield "MPI calls", "C, 50 sites", "c", with_mpi(50, 100), 2
    yield "MPI calls", "C++, std headers, 10 sites", "c++", cxx_with_mpi(10, 3), 2
    yield "MPI calls", "C++, library of headers", "c++", beside("header-library.cpp"), 1.6
    for sites in (100, 1000) if quick else (100, 1000, 10000):
        yield "scaling", f"C, {sites} sites", "c", with_mpi(sites, 0), None


def measure(command, directory):
    """Wall-clock and processor seconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode or done.stderr:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(repeat, commands, directory):
    """The median wall-clock and processor time of each command, in turns."""
    times = [[] for _ in commands]
    for _ in range(repeat):
        for command, its in zip(commands, times):
            its.append(measure(command, directory))
    return [tuple(statistics.median(t) for t in zip(*its)) for its in times]


def print_steps(command, directory):
    told = subprocess.run([command[0], "--mpispec-verbose"] + command[1:], cwd=directory,
                          capture_output=True, text=True).stderr
    for name, milliseconds in re.findall(r"^mpispec: (\w+): .*\((\d+) ms", told, re.M):
        print(f"    {name:<12} {milliseconds:>6} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(HERE, "..", "..", "build", "release"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--compiler", choices=["gcc", "clang"], default="gcc")
    parser.add_argument("--level", default="-O2", help="of optimization (write --level=-O0)")
    parser.add_argument("--quick", action="store_true", help="leave out the largest source")
    parser.add_argument("--steps", action="store_true")
    options = parser.parse_args()
    mpispec = os.path.abspath(os.path.join(options.build, "bin", "mpispec"))
    if not os.path.exists(mpispec):
        sys.exit(f"{mpispec} is not there; build it, or name the build with --build")
    if options.compiler == "clang":
        os.environ.update(MPICH_CC="clang-22", MPICH_CXX="clang++-22")

    print(f"{options.compiler} {options.level}, median of {options.repeat}; ratios to the plain compile\n")
    print(f"{'':<28}{'plain s':>9}{'ours s':>9}{'time':>7}{'CPU':>7}{'aim':>7}")
    group = None
    previous = None
    with tempfile.TemporaryDirectory() as directory:
        os.environ["MPISPEC_CACHE"] = os.path.join(directory, "summaries")
        for its_group, name, language, text, aim in rows(options.quick):
            if its_group != group:
                group = its_group
                print(group)
            suffix, wrapper = (".c", "mpicc") if language == "c" else (".cpp", "mpicxx")
            path = os.path.join(directory, "source" + suffix)
            with open(path, "w") as file:
                file.write(text)
            plain = [wrapper, options.level, "-c", os.path.basename(path), "-o", "source.o"]
            repeat = options.repeat if "10000" not in name else 1
            (wall, cpu), (our_wall, our_cpu) = medians(repeat, [plain, [mpispec] + plain], directory)
            print(f"  {name:<26}{wall:>9.3f}{our_wall:>9.3f}{our_wall / wall:>7.2f}"
                  f"{our_cpu / cpu:>7.2f}{aim or '':>7}", end="")
            if group == "scaling":
                if previous:
                    print(f"   {our_cpu - cpu:.1f} s more CPU, x{(our_cpu - cpu) / previous:.1f}", end="")
                previous = our_cpu - cpu
            print(flush=True)
            if options.steps:
                print_steps([mpispec] + plain, directory)


main()
