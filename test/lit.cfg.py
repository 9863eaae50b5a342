import shutil
# What every lit test may use:
#   %mpispec %analyze   the two programs        %inputs    test/Inputs
#   %mpirun             mpiexec with a limit    %templates the template headers
#   %build              the build tree, for tests that install it
#   FileCheck, not, split-file, ... by their names
import os
import shutil
import lit.formats

config.name = "mpispec"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_root, "test")

bin_dir = os.path.join(config.build_root, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools, os.environ.get("PATH", "")])
# A test sees none of the caller's switches.
for name in [n for n in config.environment if n.startswith("MPISPEC_")]:
    del config.environment[name]

if shutil.which("mpif90") and shutil.which("gfortran"):
    config.available_features.add("fortran")

# In a tree built with a sanitizer (presets asan and tsan) the programs of test/Runtime and test/stress
# are built with it, too, by Clang. The MPI library is not; UCX below it patches functions of the C
# library in memory, as sanitizers do, and must be told not to. Leaks count in test/stress alone.
config.mpicc = "mpicc"
if config.sanitize:
    config.available_features.add("sanitizer")
    config.mpicc = ("env MPICH_CC=clang-22 mpicc -fsanitize=" + config.sanitize +
                    " -fno-sanitize-recover=all -fno-omit-frame-pointer")
    config.environment["UCX_MEM_MMAP_HOOK_MODE"] = "none"
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"
    config.environment["TSAN_OPTIONS"] = "halt_on_error=1"

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
    ("%inputs", os.path.join(config.source_root, "test", "Inputs")),
    ("%templates", os.path.join(config.source_root, "templates")),
    # A hang is a failure, not a stall: hydra ends the whole job after this many seconds.
    ("%mpirun", "env MPIEXEC_TIMEOUT=60 mpiexec"),
]
if shutil.which("gdb"):
    config.available_features.add("gdb")
