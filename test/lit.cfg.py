# What every lit test may use:
#   %mpispec %analyze   the two programs        %inputs    test/Inputs
#   %mpirun             mpiexec with a limit    %templates the template headers
#   %behind <compiler> <command>                with the compiler behind mpicc and mpicxx
#   %build              the build tree, for tests that install it
#   %library            the directory of libmpispec.a and .so for the MPI library in use
#   %mpi                the runtime for the MPI library in use: mpich, openmpi4
#   %state              the symbol of the state, for that library
#   FileCheck, not, split-file, ... by their names
import inspect
import os
import re
import shutil
import subprocess
import sys
import lit.formats

config.name = "mpispec"
# From lit 23 on, the shell of the system has a second name.
shell = {"execute_external": True}
if "force_execute_external" in inspect.signature(lit.formats.ShTest.__init__).parameters:
    shell["force_execute_external"] = True
config.test_format = lit.formats.ShTest(**shell)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt", "without-llvm"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "test")

# The MPI library that programs are built with and run by: the main one, or lit's --param mpi=NAME, the name of
# one of the runtimes that are configured (cmake/MpispecMPI.cmake). Another library of the same binary interface is
# lit's --param programs=DIR, where its mpicc, mpiexec and so on stand.
#
# --param quick=1 is what scripts/check.sh gives without --all. No test is left out by it. A test that runs one thing in
# many combinations runs some of them (`%if quick`, or the variable QUICK in a script): docs/Design.md lists which.
config.mpi = lit_config.params.get("mpi", config.runtimes[0])
config.style = ("ompi" if config.mpi.startswith("openmpi") else  # templates/mpispec/handle.h
                "mpich" if config.mpi.startswith("mpich") else config.mpi)
config.library = os.path.join(config.build_root, "lib", "mpispec", config.mpi)
config.available_features.update([config.mpi, config.style])
config.available_features.update("runtime-for-" + name for name in config.runtimes)
programs = lit_config.params.get("programs", os.path.join(config.build_root, "mpi", config.mpi))
if config.mpi != config.runtimes[0] or "programs" in lit_config.params:
    config.test_exec_root = os.path.join(config.build_root, "test-of", os.path.basename(programs))
if config.has_compiler:
    config.available_features.add("compiler")
if config.style == "ompi":
    config.available_features.add("openmpi")
if "quick" in lit_config.params:
    config.available_features.add("quick")
    config.environment["QUICK"] = "yes"
with open(os.path.join(config.build_root, "runtime", config.mpi, "abi", "lacking.h")) as file:
    lacking = file.read()
if "MPI_Send_c" not in lacking:
    config.available_features.add("mpi4")

bin_dir = os.path.join(config.build_root, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, programs, config.llvm_tools, os.environ.get("PATH", "")])
# The python3 of tests is the one that runs lit: one that is a script, as pyenv's, takes six times as long to start. In a
# virtual environment a link would leave out its packages.
if sys.prefix == sys.base_prefix and not os.path.samefile(shutil.which("python3") or "/", sys.executable):
    python = os.path.join(config.build_root, "python")
    os.makedirs(python, exist_ok=True)
    new = os.path.join(python, "python3.%d" % os.getpid())
    os.symlink(sys.executable, new)
    os.replace(new, os.path.join(python, "python3"))
    config.environment["PATH"] = python + os.pathsep + config.environment["PATH"]
# A test sees none of the caller's switches.
for name in [n for n in config.environment if n.startswith("MPISPEC_")]:
    del config.environment[name]

# An object depends on nothing but its source, and the user's cache stays as it is.
config.environment["MPISPEC_CACHE"] = "off"
# No runtime is found but those of the build.
config.environment["XDG_DATA_HOME"] = os.path.join(config.test_exec_root, "no-data")

# MPICH 4 can be told to take this machine for several nodes (MPIR_CVAR_ODD_EVEN_CLIQUES). Open MPI and Intel MPI cannot;
# MPICH 5, also as MPI-5's ABI, hangs then by itself over UCX.
macros = subprocess.run("mpicc -E -dM -include mpi.h -x c /dev/null", shell=True, env=config.environment, check=True,
                        stdout=subprocess.PIPE, text=True).stdout
if 'define MPICH_VERSION "4' in macros:
    config.available_features.update(["mpich4", "nodes"])
    config.environment["PRETENDED_NODES"] = "yes"

# MPICH 5 changes the algorithms of a communicator after its first five operations, and so the bits of results. Programs
# here compare those of many calls. Of messages that are too long its receives give codes that have no class, its functions
# return MPI_SUCCESS after an error handler of the program's, and it ends by an assertion over a null datatype or argument.
if config.style == "abi" or 'define MPICH_VERSION "5' in macros:
    config.available_features.add("mpich5")
    config.environment["MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD"] = "2000000000"

# An MPI library spends half of its start on reading the topology of the machine. Here it reads a file.
if shutil.which("lstopo-no-graphics"):
    topology = os.path.join(config.build_root, "topology.xml")
    subprocess.run(["lstopo-no-graphics", "--no-io", topology + ".new.xml", "--force"], check=True)
    os.replace(topology + ".new.xml", topology)
    config.environment.update({"HWLOC_XMLFILE": topology, "HWLOC_THISSYSTEM": "1"})

# Functions of MPI-4.1, where both the library and its runtime have them.
versions = dict(re.findall(r"define MPI_(VERSION|SUBVERSION) +(\d+)", macros))
if (int(versions["VERSION"]), int(versions["SUBVERSION"])) >= (4, 1) and "MPISPEC_HAS_MPI_4_1" in lacking:
    config.available_features.add("mpi4.1")

if "define I_MPI_VERSION" in macros:
    config.available_features.add("intel")

if shutil.which("mpif90") and shutil.which("gfortran"):
    config.available_features.add("fortran")
if shutil.which("chromium"):
    config.available_features.add("browser")
if shutil.which("flang-22"):
    config.available_features.add("flang")
if config.reads_fortran:
    config.available_features.add("fortran-analysis")

# The state's symbol, by the header that is made for it.
with open(os.path.join(config.build_root, "templates", "mpispec", "state_symbol.h")) as file:
    config.state = re.search(r'SYMBOL "(\w+)"', file.read()).group(1) + config.style

# In a tree built with a sanitizer (presets asan and tsan) the programs of test/Runtime and test/stress
# are built with it, too, by Clang. The MPI library is not; UCX below it patches functions of the C
# library in memory, as sanitizers do, and must be told not to. Leaks count in test/stress alone.
config.mpicc = "mpicc"
if config.sanitize:
    config.available_features.add("sanitizer")
    config.mpicc = ("env MPICH_CC=clang-22 OMPI_CC=clang-22 mpicc -fsanitize=" + config.sanitize +
                    " -fno-sanitize=function -fno-sanitize-recover=all -fno-omit-frame-pointer")
    config.environment["UCX_MEM_MMAP_HOOK_MODE"] = "none"
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    # Where threads live on at the end, the main thread waits for their mistakes: by default for a second.
    config.environment["TSAN_OPTIONS"] = "halt_on_error=1:atexit_sleep_ms=50"

# The facts of a file under each of the three handle styles, each checked by FileCheck: %facts flags.
config.substitutions += [
    ("%facts", "for style in mpich openmpi abi; do " + os.path.join(bin_dir, "mpispec-analyze") +
     " explain --print=facts -- -I" + os.path.join(config.source_root, "test", "Inputs") +
     "/mpi-$style-style %s"),
    # The warnings of a file, with their places, under the same.
    ("%warnings", "for style in mpich openmpi abi; do " + os.path.join(bin_dir, "mpispec-analyze") +
     " rewrite -- -I" + os.path.join(config.source_root, "test", "Inputs") +
     "/mpi-$style-style %s 2>&1 >/dev/null"),
    ("%check", "| FileCheck %s || exit 1; done"),
]

config.substitutions += [
    ("%mpispec", os.path.join(bin_dir, "mpispec")),
    ("%analyze", os.path.join(bin_dir, "mpispec-analyze")),
    ("%build", config.build_root),
    ("%library-shared", os.path.join(config.library, "libmpispec.so")),
    ("%library", config.library),
    ("%style", config.style),
    ("%state", config.state),
    ("%mpi(?![a-z0-9])", config.mpi),
    ("%behind", "sh " + os.path.join(config.source_root, "test", "Inputs", "behind.sh")),
    ("%inputs", os.path.join(config.source_root, "test", "Inputs")),
    ("%templates", os.path.join(config.build_root, "templates")),
    # A hang is a failure, not a stall: hydra ends the whole job after this many seconds.
    ("%mpirun", "env MPIEXEC_TIMEOUT=60 mpiexec"),
]
if shutil.which("clang-22"):
    config.available_features.add("clang-22")
if shutil.which("gdb"):
    config.available_features.add("gdb")
