#!/usr/bin/env python3
"""Looks for a value of the analysis that reaches a template although the call has another one.

Facts are proven in Clang's reading of a program that another compiler builds. For each seed a program is
made of expressions that compilers read differently: roundings, attributes and pragmas that Clang ignores,
builtins, bit-fields, orders of evaluation, predefined macros. From them come counts, tags, datatypes and
communicators of messages from rank 0 to rank 1. It is built plainly and through mpispec, and runs over the
MPI library with lanes; what arrives must be the same. A third program counts how many facts do not hold
(`--mpispec-check-facts`), so that one sees that the search bites: a guard that never fails shows nothing.

    dialects.py --bin build/dev/bin --seeds 0..20
    dialects.py --bin build/dev/bin --seconds 36000         # a night; seeds from the clock
    dialects.py --bin build/dev/bin --seeds 7..7 --keep .   # look at one program
    dialects.py --bin build/dev/bin --self-test             # is a guard that is missing found?
"""

import argparse
import collections
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

GADGETS = 24  # messages of one program
COMPILERS = {"c": ["gcc", "gcc", "gcc", "clang-22"], "c++": ["g++", "g++", "clang++-22"]}
FLAGS = ["", "", "", "-ffast-math", "-mfma", "-mfma -ffp-contract=fast", "-frounding-math", "-fwrapv",
         "-ftrapv", "-funsigned-char", "-fno-strict-aliasing", "-fexcess-precision=fast", "-mfpmath=387",
         "-fshort-enums", "-fno-signed-zeros", "-O3", "-Os", "-O1", "-O0", "-fno-inline",
         "-fsingle-precision-constant", "-funsigned-bitfields", "-fPIC", "-flto"]


class Gadgets:
    """Each gadget is (declarations, expression): the expression is true or false, by who reads it."""

    def __init__(self, chance, language, gcc):
        self.chance, self.language, self.gcc, self.unique = chance, language, gcc, 0

    def name(self, prefix="g"):
        self.unique += 1
        return f"{prefix}{self.unique}"

    def one_of(self, items):
        return self.chance.choice(items)

    def decimal(self):
        return self.one_of(["0.1", "0.3", "0.7", "1.1", "3.3", "1e-3", "1.0 + 0x1p-30", "2.675", "1e17"])

    # --- roundings ---

    def contraction(self):
        a, b, t = self.name(), self.name(), self.one_of(["double", "double", "float", "long double"])
        c = self.one_of(["1.0", "0.03", "0.21", "1.21", f"({t})({a} * {b})"])
        test = self.one_of(["== 0", "> 0", "< 0"])
        kind = self.one_of(["static", "static const", "static volatile const"])
        return (f"{kind} {t} {a} = {self.decimal()}, {b} = {self.one_of(['10', '0.3', '1.1', '1.0 + 0x1p-30'])};",
                f"({a} * {b} - {c} {test})")

    def contraction_in_function(self):
        f = self.name()
        return (f"__attribute__((noinline)) static int {f}(double a, double b)\n"
                f"{{ double p = a * b; return a * b - p == 0; }}",
                f"{f}({self.decimal()}, {self.decimal()})")

    def library_function(self):
        f = self.one_of(["sin", "cos", "exp", "log", "tan", "cbrt", "pow"])
        x = self.one_of(["0.3", "1.7", "12345.678", "1e10", "0.1"])
        call = f"pow({x}, 10.1)" if f == "pow" else f"{f}({x})"
        return "", f"low_bit({call})"

    def excess(self):
        a = self.name()
        return (f"static float {a} = 0.1f;",
                self.one_of([f"({a} * 3 == 0.3f)", f"({a} + 0.2f == 0.3f)", f"((float)({a} * {a}) == 0.01f)",
                             "(0.1 + 0.2 == 0.3)", "(0.1 == 0.1f)", "(sizeof(0.1) == 4)"]))

    def nan_test(self):
        a = self.name()
        return (f'static double {a} = __builtin_nan("");',
                self.one_of([f"({a} != {a})", f"__builtin_isnan({a})", f"({a} < 1 || {a} >= 1)",
                             f"__builtin_isfinite({a} - {a})", "(1 / -0.0 < 0)"]))

    # --- attributes and pragmas ---

    def optimize(self):
        f, option = self.name(), self.one_of(["wrapv", "finite-math-only", "fast-math", "O0", "O3",
                                              "no-trapping-math", "unsafe-math-optimizations"])
        # No overflow unless it is defined.
        body, call = ("int m", f"{f}(INT_MAX)") if option == "wrapv" else ("double m", f"{f}(__builtin_nan(\"\"))")
        result = "m + 1 < m" if option == "wrapv" else "m != m"
        if self.chance.random() < 0.5:
            return (f'static int __attribute__((noinline, optimize("{option}"))) {f}({body}) {{ return {result}; }}',
                    call)
        return (f'#pragma GCC push_options\n#pragma GCC optimize("{option}")\n'
                f"static int __attribute__((noinline)) {f}({body}) {{ return {result}; }}\n#pragma GCC pop_options",
                call)

    def storage_order(self):
        if self.language == "c++":
            return self.bit_field()
        s, v = self.name("s"), self.name()
        return (f'struct __attribute__((scalar_storage_order("big-endian"))) {s} {{ int n; }};\n'
                f"static int {v}(void) {{ static const unsigned char wire[4] = {{1, 0, 0, 0}}; struct {s} h; "
                f"memcpy(&h, wire, 4); return h.n; }}", f"({v}() == 1)")

    def packed(self):
        s = self.name("s")
        return (f"struct {s} {{ char a; {self.one_of(['int b : 20', 'long b : 33', 'short b : 9'])} "
                f"__attribute__((packed)); {self.one_of(['char c', 'int c : 5', 'unsigned c : 31'])}; }};",
                f"(sizeof(struct {s}) > {self.one_of([4, 5, 6, 8])})")

    def hidden_alias(self):
        a, b = self.name(), self.name()
        if self.language == "c++":
            return self.packed()
        return (f"int {a} = 1;\nextern int {b} __attribute__((alias(\"{a}\")));\n"
                f"static int {a}f(void) {{ {b} = 0; return {a}; }}", f"{a}f()")

    # --- types ---

    def bit_field(self):
        s = self.name("s")
        declaration = (f"static struct {{ {self.one_of(['unsigned', 'int', 'long', 'unsigned long'])} b : "
                       f"{self.one_of([1, 3, 17, 31])}; }} {s};")
        if self.language == "c++":
            return declaration, f"({s}.b - 1 < 0)"
        return declaration, self.one_of([f"_Generic({s}.b, unsigned: 1, int: 0, default: 0)",
                                         f"_Generic(+{s}.b, unsigned: 1, int: 0, long: 0, default: 1)",
                                         f"({s}.b - 1 < 0)", f"((__typeof__(+{s}.b))-1 < 0)"])

    def character(self):
        return "", self.one_of(["((char)200 < 0)", "('\\xff' < 0)", "((int)'ab' == 24930)", "(L'\\xff' > 0)",
                                "((__WCHAR_TYPE__)-1 < 0)"])

    def size(self):
        e = self.name("e")
        return (f"enum {e} {{ {e}_one = 1 }};",
                self.one_of([f"(sizeof(enum {e}) == 4)", "(sizeof(void *) == sizeof(long))",
                             f"((enum {e})-1 > 0)", "(__alignof__(long double) == 16)",
                             "(sizeof(long double) == 16)", "(__BIGGEST_ALIGNMENT__ == 16)"]))

    # --- the compiler itself ---

    def builtin(self):
        a, f = self.name(), self.name()
        return (f"static char {a}[7];\nstatic inline int {f}(int n) {{ return __builtin_constant_p(n); }}",
                self.one_of([f"{f}(5)", f"{f}((int)sizeof {a})", f"__builtin_constant_p({a}[0])",
                             f"(__builtin_object_size({a} + 2, 0) == 5)", f"__builtin_constant_p(\"x\"[0])",
                             f"__builtin_constant_p({self.decimal()} * 3)",
                             f"(__builtin_object_size(&{a}[1], 1) == 6)"]))

    def macro(self):
        return "", self.one_of(["(sizeof __VERSION__ > 12)", "(__GNUC_MINOR__ > 1)", "(__GNUC__ > 4)",
                                "(__FLT_EVAL_METHOD__ == 0)", "__builtin_is_constant_evaluated()"
                                if self.language == "c++" else "(__STDC_VERSION__ > 201112L)",
                                "(__COUNTER__ & 1)", "(__LINE__ & 1)", "(__builtin_LINE() & 1)"])

    def function_name(self):
        f = self.name()
        if self.language == "c":
            return "", "(sizeof __func__ & 1)"
        return (f"template <class T> static int {f}() {{ return (int)sizeof __PRETTY_FUNCTION__; }}\n"
                f"struct {f}_s {{ template <class T> int operator()(T) {{ return (int)strlen(__PRETTY_FUNCTION__); }} }};",
                self.one_of([f"({f}<long long>() & 1)", f"({f}_s()(1u) & 1)", "(sizeof __func__ & 1)",
                             "(__builtin_COLUMN() & 1)" if not self.gcc else "(__builtin_LINE() & 1)"]))

    # --- orders of evaluation, which are unspecified and not undefined ---

    def order(self):
        calls, next_, pick = self.name("calls"), self.name(), self.name()
        return (f"static int {calls};\nstatic int {next_}(void) {{ return {calls}++; }}\n"
                f"static int {pick}(int a, int b) {{ return {calls} = 0, a < b; }}",
                self.one_of([f"{pick}({next_}(), {next_}())", f"({next_}() - {next_}() + ({calls} = 0) < 0)"
                             if self.language == "none" else f"{pick}({next_}(), {next_}())"]))

    def any(self):
        kinds = [self.contraction, self.contraction, self.contraction_in_function, self.library_function,
                 self.excess, self.nan_test, self.storage_order, self.packed, self.hidden_alias,
                 self.bit_field, self.bit_field, self.character, self.size, self.builtin, self.macro,
                 self.function_name, self.order, self.order]
        if self.gcc:
            kinds += [self.optimize] * 3
        return self.one_of(kinds)()


HEADER = """#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static MPI_Comm other;
static double out[64], in[64];
static int calls;
static int small_then_large(int small, int large) { return calls++ ? large : small; }

static int low_bit(double value) {
  unsigned long long bits;
  memcpy(&bits, &value, sizeof bits);
  return (int)(bits & 1);
}

static void arrived(int number, MPI_Status *status) {
  int bytes, i;
  unsigned sum = 0;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  for (i = 0; i < bytes; i++)
    sum = sum * 31 + ((unsigned char *)in)[i];
  printf("%d: tag %d, %d bytes, %u\\n", number, status->MPI_TAG, bytes, sum);
}

static void receive(int number, MPI_Comm comm) {
  MPI_Status status;
  memset(in, 0, sizeof in);
  MPI_Recv(in, sizeof in, MPI_BYTE, 0, MPI_ANY_TAG, comm, &status);
  arrived(number, &status);
}
"""


def message(number, gadgets):
    """One function that sends a message which depends on gadgets."""
    declarations, conditions = zip(*[gadgets.any() for _ in range(2)])
    first, second = (f"({c})" for c in conditions)
    chance = gadgets.chance
    a, b = chance.sample(range(0, 60), 2)
    count = chance.choice([f"{first} ? {a} : {b}", f"{a} + 3 * !!{first}", "5"])
    tag = chance.choice([f"{second} ? {chance.randint(0, 99)} : {chance.randint(0, 99)}", "7"])
    datatype = chance.choice(["MPI_INT", "MPI_DOUBLE", f"{second} ? MPI_INT : MPI_DOUBLE",
                              f"{first} ? MPI_SHORT : MPI_FLOAT"])
    comm = chance.choice(["MPI_COMM_WORLD", "MPI_COMM_WORLD", f"{second} ? MPI_COMM_WORLD : other"])
    lines = [d for d in declarations if d]
    lines += [f"static void message{number}(void) {{", "  int repeat;",
              f"  MPI_Comm comm = {comm};", "  for (repeat = 0; repeat < 3; repeat++)", "    if (rank == 0) {"]
    if chance.random() < 0.15:  # two arguments with side effects
        lines += ["      calls = 0;", "      MPI_Send(out, small_then_large(2, 60), MPI_INT, 1, "
                  "small_then_large(2, 60), comm);"]
    elif chance.random() < 0.5:
        lines += [f"      MPI_Send(out, {count}, {datatype}, 1, {tag}, comm);"]
    else:
        lines += [f"      const int n = {count}, tag = {tag};", f"      const MPI_Datatype type = {datatype};",
                  "      MPI_Request request;", "      MPI_Isend(out, n, type, 1, tag, comm, &request);",
                  "      MPI_Wait(&request, MPI_STATUS_IGNORE);"]
    # The receiver must listen where the sender sends; both read the program alike.
    lines += ["    } else if (rank == 1) {", f"      receive({number}, comm);", "    }", "}"]
    return "\n".join(lines)


def program(seed):
    chance = random.Random(seed)
    language = chance.choice(["c", "c", "c++"])
    compiler = chance.choice(COMPILERS[language])
    gadgets = Gadgets(chance, language, compiler.startswith("g"))
    flags = [chance.choice(FLAGS)] + (["-O2"] if chance.random() < 0.8 else [])
    if not gadgets.gcc:
        flags = [f for f in flags if f in ("", "-O2", "-O3", "-O1", "-O0", "-ffast-math", "-mfma", "-fwrapv", "-fPIC")]
    if language == "c++":
        flags.append(chance.choice(["-std=gnu++11", "-std=gnu++17", "-std=c++20"]))
    text = [HEADER] + [message(n, gadgets) for n in range(GADGETS)]
    text += ["int main(int argc, char **argv) {", "  int i;", "  MPI_Init(&argc, &argv);",
             "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);", "  MPI_Comm_dup(MPI_COMM_WORLD, &other);",
             "  for (i = 0; i < 64; i++)", "    out[i] = i * 1.25 + 1;"]
    text += [f"  message{n}();" for n in range(GADGETS)]
    text += ["  MPI_Comm_free(&other);", "  MPI_Finalize();", "  return 0;", "}", ""]
    words = " ".join(flags).split()
    return {"c": "c", "c++": "cpp"}[language], compiler, words, "\n".join(text)


class Failure(Exception):
    pass


def command(words, folder, **variables):
    return subprocess.run(words, cwd=folder, env=dict(os.environ, **variables), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120)


def build(folder, mpispec, suffix, compiler, flags, name, options=()):
    wrapper = "mpicxx" if suffix == "cpp" else "mpicc"
    words = [wrapper, *flags, "-w", f"a.{suffix}", "-o", name, "-lm"]
    if mpispec:
        words = [mpispec, *options, *words]
    return command(words, folder, MPICH_CC=compiler, MPICH_CXX=compiler, MPISPEC_SUMMARY="off")


def run(folder, name):
    done = command(["mpiexec", "-n", "2", f"./{name}"], folder, MPIEXEC_TIMEOUT="60")
    lines = done.stdout.splitlines()
    lines = [line for line in lines if "is predicted to" not in line]
    return ([line for line in lines if "is proven to" not in line] + [f"status {done.returncode}"],
            [line for line in lines if "is proven to" in line])


def try_seed(seed, options, counts):
    suffix, compiler, flags, text = program(seed)
    folder = tempfile.mkdtemp(prefix="mpispec-dialects-")
    try:
        with open(os.path.join(folder, f"a.{suffix}"), "w") as file:
            file.write(text)
        plain = build(folder, None, suffix, compiler, flags, "plain")
        if plain.returncode:
            raise Failure(f"generator: {' '.join(flags)}\n{plain.stdout[-3000:]}")
        special = build(folder, options.mpispec, suffix, compiler, flags, "special",
                        ["--mpispec-remarks=remarks", "--mpispec-Wno-args"])
        if special.returncode:
            raise Failure(f"compile\n{special.stdout[-3000:]}")
        counts["programs"] += 1
        for path in glob.glob(os.path.join(folder, "remarks", "*.yaml")):
            remarks = open(path).read()
            counts["sites"] += remarks.count("Name:            specialised")
            counts["left alone"] += "fallback-" in remarks
        expected, _ = run(folder, "plain")
        found, _ = run(folder, "special")
        if expected[-1] != "status 0":
            raise Failure("generator: the plain program fails\n" + "\n".join(expected[-5:]))
        if sorted(expected) != sorted(found):
            raise Failure("\n".join(f"plain {a!r}, specialised {b!r}" for a, b in
                                    zip(sorted(expected), sorted(found)) if a != b)[:2000])
        build(folder, options.mpispec, suffix, compiler, flags, "checked", ["--mpispec-check-facts"])
        checked, wrong = run(folder, "checked")
        counts["facts that do not hold"] += len(wrong)
        counts["guards that fail"] += sum(bool(re.search(r"argument (2|3|6) .*(be in \[(\d+), \3\]|be MPI_)", line))
                                          for line in wrong)
    finally:
        if options.keep:
            shutil.copytree(folder, os.path.join(options.keep, f"dialect-{seed}"), dirs_exist_ok=True)
        shutil.rmtree(folder)


def search(options, seeds):
    begin, counts, failures = time.monotonic(), collections.Counter(), 0
    for seed in seeds:
        if options.seconds and time.monotonic() - begin > options.seconds:
            break
        try:
            try_seed(seed, options, counts)
        except (Failure, subprocess.TimeoutExpired) as failure:
            failures += 1
            suffix, compiler, flags, _ = program(seed)
            print(f"seed {seed} ({compiler} {' '.join(flags)}): {failure}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()) + f", {failures} failures")
    if not failures and counts["programs"] > 3 and not counts["guards that fail"]:
        sys.exit("no guard ever failed: the search does not bite")
    sys.exit(1 if failures else 0)


def self_test(options):
    """Takes a site's comparison of the count away and makes it wrong; that must be noticed."""
    folder = tempfile.mkdtemp(prefix="mpispec-dialects-")
    with open(os.path.join(folder, "a.c"), "w") as file:
        file.write(HEADER + "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n"
                   "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  for (int i = 0; i < 3; i++)\n    if (rank == 0)\n"
                   "      MPI_Send(out, 2, MPI_INT, 1, 7, MPI_COMM_WORLD);\n    else if (rank == 1)\n"
                   "      receive(0, MPI_COMM_WORLD);\n  MPI_Finalize();\n  return 0;\n}\n")
    build(folder, options.mpispec, "c", "gcc", ["-O2"], "special", ["--mpispec-save=save"])
    expected, _ = run(folder, "special")
    text = open(glob.glob(os.path.join(folder, "save", "*", "rewritten.i"))[0]).read()
    wrong = text.replace("mpispec_count = 2;", "mpispec_count = 3;")
    guarded = command(["sh", "-c", f"mpicc -O2 -w wrong.i -o wrong {options.runtime} -lrt -pthread"], folder) \
        if not write(folder, wrong) else None
    same = guarded.returncode == 0 and run(folder, "wrong")[0] == expected
    write(folder, wrong.replace("count == mpispec_count && ", ""))
    command(["sh", "-c", f"mpicc -O2 -w wrong.i -o wrong {options.runtime} -lrt -pthread"], folder)
    differs = run(folder, "wrong")[0] != expected
    shutil.rmtree(folder)
    print(f"a wrong count behind its guard: {'no harm' if same else 'HARM'}; "
          f"without a guard: {'noticed' if differs else 'NOT NOTICED'}")
    sys.exit(0 if same and differs else 1)


def write(folder, text):
    with open(os.path.join(folder, "wrong.i"), "w") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of mpispec")
    parser.add_argument("--seeds", help="FIRST..LAST; default: from the clock on")
    parser.add_argument("--seconds", type=float, default=0, help="start no program after so long")
    parser.add_argument("--keep", help="folder for all programs")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    options.mpispec = os.path.join(os.path.abspath(options.bin), "mpispec")
    options.runtime = os.path.join(os.path.abspath(options.bin), "..", "lib", "libmpispec.a")
    first = int(time.time())
    first, last = map(int, options.seeds.split("..")) if options.seeds else (first, first + 10**9)
    self_test(options) if options.self_test else search(options, range(first, last + 1))


if __name__ == "__main__":
    main()
