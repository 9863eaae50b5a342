/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "TwoCompilers.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace llvm;
using namespace mpispec;

namespace {

struct Program {
  const char *Name;
  std::string Source;
  std::vector<std::string> Flags;
  bool IsCxx = false;
};

void PrintTo(const Program &P, std::ostream *OS) { *OS << P.Name; }

/// "" if both compilers see the same program, or where they do not.
std::string compare(const Program &P, TextDialect Dialect, bool AsGcc = false) {
  TemporaryDirectory Directory;
  Directory.write("header.h", "static inline int twice(int n) { return n + n; }\n");
  Directory.write("rows.inc", "1, 2,\n3\n");
  const char *const Asks = "#ifdef __clang__\n#define ASKED 1\n#else\n#define ASKED 2\n#endif\n";
  Directory.write("asks.h", Asks);
  Directory.write("named.h", "#pragma GCC system_header\nstruct SYSTEM_JOIN(NAME, _a) { int a; };\n"
                             "struct SYSTEM_JOIN(own, _b) { int b; };\n"
                             "int SYSTEM_JOIN(own, NAME)(int);\n");
  Directory.write("marked.h", "int before(int n);\n#pragma GCC system_header\n#define MARKED 1\n"
                              "#ifdef __clang__\nint other;\n#endif\nint marked(int n);\n");
  sys::fs::create_directory(Directory.file("system"));
  Directory.write("system/asks-system.h", Asks);
  Directory.write("system/check.h",
                  "#define SYSTEM_CHECK(name) check(__FILE__, sizeof(__FILE__), __LINE__, #name); "
                  "int name = check(__FILE__, sizeof(__FILE__), __LINE__, #name \" done\");\n");
  Directory.write("system/join.h", "#define SYSTEM_JOIN(x, y) SYSTEM_JOIN2(x, y)\n"
                                   "#define SYSTEM_JOIN2(x, y) x##y\n");
  std::vector<std::string> Arguments = P.Flags;
  Arguments.push_back("-I" + Directory.file("."));
  Arguments.push_back("-isystem" + Directory.file("system"));
  Arguments.push_back(Directory.write(P.IsCxx ? "a.cpp" : "a.c", P.Source));
  bool Gcc = Dialect == TextDialect::Gcc;
  StringRef Compiler = P.IsCxx ? (Gcc ? "g++" : "clang++-22") : (Gcc ? "gcc" : "clang-22");
  std::optional<std::string> Text = preprocess(Compiler, Arguments, Directory.file("a.i"));
  if (!Text)
    return "the compiler failed";
  Arguments.insert(Arguments.begin(), P.IsCxx ? "clang++" : "clang");
  Recording R;
  std::optional<GccVersion> Version;
  if (AsGcc && !(Version = gccVersionOf(*Text)))
    return "no version";
  if (!record(R, Arguments, Dialect, Version))
    return "clang failed";
  PreprocessedText Lexed(*Text, R.Language);
  Expected<Alignment> Result = align(R.Stream, Lexed, Dialect);
  return Result ? "" : toString(Result.takeError());
}

class SameProgram : public testing::TestWithParam<Program> {};
class OtherProgram : public testing::TestWithParam<Program> {};
class SameProgramAsGcc : public testing::TestWithParam<Program> {};
class OtherProgramAsGcc : public testing::TestWithParam<Program> {};

TEST_P(SameProgram, ForGcc) { EXPECT_EQ(compare(GetParam(), TextDialect::Gcc), ""); }
TEST_P(SameProgram, ForClang) { EXPECT_EQ(compare(GetParam(), TextDialect::Clang), ""); }

TEST_P(SameProgram, ForGccByName) {
  // Without a header of gcc's own its version is not known.
  std::string Message = compare(GetParam(), TextDialect::Gcc, true);
  EXPECT_TRUE(Message.empty() || Message == "no version") << Message;
}
TEST_P(SameProgramAsGcc, Matches) { EXPECT_EQ(compare(GetParam(), TextDialect::Gcc, true), ""); }
TEST_P(OtherProgramAsGcc, DoesNotMatch) {
  std::string Message = compare(GetParam(), TextDialect::Gcc, true);
  EXPECT_NE(Message.find("preprocessed differently at"), std::string::npos) << Message;
}

// A difference that is missed here would let facts about one program be used for another.
TEST_P(OtherProgram, ForGcc) {
  EXPECT_NE(compare(GetParam(), TextDialect::Gcc).find("preprocessed differently at"),
            std::string::npos);
}
TEST_P(OtherProgram, ForClang) { EXPECT_EQ(compare(GetParam(), TextDialect::Clang), ""); }

std::string body(const char *Statements) {
  return std::string("void f(int n, double d, char *p, ...) {\n") + Statements + "\n}\n";
}

const char *const StandardHeaders =
    "#include <assert.h>\n#include <complex.h>\n#include <ctype.h>\n#include <errno.h>\n"
    "#include <float.h>\n#include <inttypes.h>\n#include <limits.h>\n#include <math.h>\n"
    "#include <setjmp.h>\n#include <signal.h>\n#include <stdarg.h>\n#include <stdbool.h>\n"
    "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <time.h>\nstruct pair { int a, b; };\n";

const char *const StandardMacros =
    "va_list ap; va_start(ap, p); int i = va_arg(ap, int); va_end(ap);\n"
    "p = NULL; assert(n > 0); assert(n > 1 &&\n   p != NULL); errno = EINTR;\n"
    "i = isnan(d) || isinf(d) || isfinite(d) || signbit(d) || isgreater(d, 1.0) ? INT_MAX : "
    "INT_MIN;\n"
    "long l = INT64_C(5) + UINT64_MAX + LONG_MIN + ULONG_MAX + CHAR_BIT + SIZE_MAX + RAND_MAX;\n"
    "bool b = true; double _Complex c = 2 * I; d = HUGE_VAL + NAN + INFINITY + M_PI;\n"
    "i = offsetof(struct pair, b); fprintf(stderr, \"%\" PRId64, (int64_t)EOF);\n"
    "d = DBL_MAX * DBL_EPSILON + FLT_MIN - LDBL_MAX + FLT_DIG - DBL_MIN; i = isdigit(*p) + "
    "BUFSIZ;\n"
    "jmp_buf j; if (setjmp(j)) exit(EXIT_FAILURE); signal(SIGINT, SIG_IGN); l = CLOCKS_PER_SEC;\n"
    "d = __DBL_MAX__ + __INT_MAX__ + __FLT_EPSILON__;";

const char *const Macros =
    "#define CHECK(call) do { int e = call; if (e) printf(\"%s:%d %s\", __FILE__, __LINE__, "
    "#call); } "
    "while (0)\n"
    "#define TWICE(x) (x) + (x)\n#define LATER() TWICE\n#define PASTE(a, b) a##b\n"
    "#define LIST(X) X(int) X(double)\n#define MAKE(t) t make_##t(void) { return __LINE__; }\n"
    "#define OBJECT __LINE__\n#define EMPTY\n#define V(...) {__VA_ARGS__}\n"
    "int printf(const char *, ...); int g(int, int);\n"
    "LIST(MAKE)\n"
    "int PASTE(in, dex) = 0x1p3 + 1.e5f + 'a' + L'b' + .5 + 1'0 EMPTY;\n";

const Program Same[] = {
    {"StandardMacros", StandardHeaders + body(StandardMacros), {}},
    {"Optimizing", StandardHeaders + body(StandardMacros), {"-O2", "-DNDEBUG"}},
    {"StrictC99", StandardHeaders + body(StandardMacros), {"-std=c99", "-D_XOPEN_SOURCE=600"}},
    {"DebuggingMacros", StandardHeaders + body(StandardMacros), {"-g3"}},
    {"C89",
     "#include <stdio.h>\n#include <assert.h>\n" + body("assert(n); p = NULL; puts(\"\");"),
     {"-std=c89"}},
    {"UserMacros",
     std::string(Macros, strstr(Macros, "int PASTE") - Macros) +
         body("CHECK(g(1,\n   2)); CHECK(TWICE(\n g(OBJECT, __LINE__)));\n"
              "n = LATER()(n) + TWICE(OBJECT\n ) + TWICE(__COUNTER__);\n int a[] = V(1, 2, 3);"),
     {}},
    {"LinesOfNestedCalls",
     "#define BODY(x) - __LINE__ x\n#define ARG(x) x\n#define WRAP(x) ARG(x) BODY(x)\n"
     "#define TWO(x) ARG(__LINE__ x) BODY(-__LINE__)\n#define APPLY(f, x) f(x)\n"
     "int a = BODY(\n), b = BODY(\n-\n__LINE__\n), c = WRAP(\n- __LINE__\n\n- BODY() -\n BODY(\n- "
     "9)\n"
     "), d = TWO(\n- __LINE__\n\n), e = APPLY(BODY,\n\n- 8\n), f = ARG(BODY\n(\n- 7)\n);\n",
     {"-Wno-everything"}},
    {"Includes",
     "#include \"header.h\"\nint a[] = {\n#include \"rows.inc\"\n};\n" +
         body("int z[] = {\n#include \"rows.inc\"\n}; n = twice(z[0]);"),
     {}},
    {"NamesPastedBySystem",
     "#include <join.h>\n#define NAME mine\n#include \"named.h\"\n" + body("n = ownmine(n);"),
     {}},
    {"SystemDirectory",
     "#include <header.h>\n" + body("n = twice(n);"),
     {"-isystem", "/usr/include"}},
    {"LineDirectives",
     "#line 100 \"grammar.y\"\nint a = __LINE__;\n#line 7\n" + body("printf(__FILE__);"),
     {"-include", "stdio.h"}},
    {"Pragmas",
     "#pragma omp declare simd\n" +
         body("#pragma omp parallel for\nfor (int i = 0; i < n; i++) d += i;\n"
              "_Pragma(\"omp critical\") { n++; }\n#pragma GCC ivdep\n"
              "for (int i = 0; i < n; i++) d += i;") +
         "#pragma weak f\n#pragma pack(push, 1)\nstruct s { char c; };\n#pragma pack(pop)\n",
     {"-fopenmp"}},
    {"PragmasOff",
     body("#pragma omp parallel for\nfor (int i = 0; i < n; i++) d += i;\n#pragma unused(n)\n"
          "#pragma unknown x y\n"),
     {}},
    {"GnuExtensions",
     body("n = ({ int z = 5; z ?: 1; }); __typeof__(n) m = n; __extension__ n = 1;\n"
          "asm volatile(\"\" : \"+r\"(n)); static void *l[] = {&&x}; x: goto *l[0];"),
     {}},
    {"Dates", "const char *a = __DATE__ __TIME__ __TIMESTAMP__;\n", {}},
    {"VersionString", body("p = \"compiled by \" __VERSION__;"), {}},
    {"Definitions", body("n = VALUE; p = TEXT;"), {"-DVALUE=(1 + 2)", "-DTEXT=\"a b\""}},
    {"SystemMacroInsideUserMacro",
     "#include <stdio.h>\n#include <limits.h>\n#define LIMIT (INT_MAX - EOF)\n#define NONE NULL\n" +
         body("n = LIMIT; p = NONE;"),
     {}},
    {"UserMacroInsideSystemHeader",
     "#define __fd_mask unsigned long\n#include <sys/select.h>\n",
     {}},
    {"SignalAndSelect",
     "#include <signal.h>\n#include <sys/select.h>\n#include <sys/wait.h>\n#include "
     "<sys/stat.h>\n" +
         body("fd_set s; FD_ZERO(&s); FD_SET(n, &s); n = FD_ISSET(3, &s) + WEXITSTATUS(n) + "
              "S_ISDIR(n);"),
     {}},
    {"Atomics",
     "#include <stdatomic.h>\n#include <stdalign.h>\n_Alignas(64) atomic_int c;\n" +
         body("atomic_store_explicit(&c, 5, memory_order_release);"),
     {"-std=c11"}},
    {"Mpi",
     "#include <mpi.h>\n#include <stdio.h>\n"
     "#define CHECK(c) do { if ((c) != MPI_SUCCESS) { fprintf(stderr, \"%d\", __LINE__); "
     "MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)\n" +
         body("MPI_Status s; CHECK(MPI_Send(p, n, MPI_CHAR,\n 0, 7, MPI_COMM_WORLD));\n"
              "CHECK(MPI_Recv(p, n, MPI_DOUBLE, MPI_ANY_SOURCE,\n MPI_ANY_TAG, MPI_COMM_SELF,"
              " MPI_STATUS_IGNORE));"),
     {"-I" MPISPEC_MPI_INCLUDE}},
    {"MpiInSystemDirectory",
     "#include <mpi.h>\n" + body("MPI_Send(p, n, MPI_CHAR, 0, 7, MPI_COMM_WORLD);"),
     {"-isystem", MPISPEC_MPI_INCLUDE}},
    {"LineEndsOfWindows",
     "#include <stdio.h>\r\n#define M(a) \\\r\n  (a + \\\r\n   1)\r\nint f(int n) {\r\n  /* x\r\n "
     "*/"
     " return M(n\r\n) + EOF;\r\n}\r\n",
     {}},
    {"NoNewlineAtTheEnd", "int a;\nint b; // c", {}},
    {"Nothing", "", {}},
    {"SplicedTokens", "int ab\\\ncd = 1\\\n2;\nchar *s = \"x\\\ny\"; // a\\\nb\nint c;\n", {}},
    {"TrigraphsAndDigraphs",
     "%:define STRING(x) %:x\nint a<:2:> = <%1, 2 ?\?! 4%>;\nchar *s = \"a?\?/\"b\" STRING(a <: "
     "1);\n",
     {"-std=c99"}},
    {"Unicode", "int \xc3\xa9t\xc3\xa9 = L'\xc3\xa9'; char *s = \"\xe2\x82\xac \\u00e9\";\n", {}},
    {"PragmaOperators",
     "#define OMP(x) _Pragma(#x)\n#define LOOP(n) OMP(omp parallel for) for (int i = 0; i < n; "
     "i++)\n"
     "#define ARG(x) x\n" +
         body("LOOP(n) d += i; ARG(LOOP(3) { _Pragma(\"omp critical\") n++; })\n"
              "_Pragma(\"GCC diagnostic push\") n = ARG(1 _Pragma(\"message(\\\"m\\\")\") + 1);"),
     {"-fopenmp"}},
    {"VariadicMacros",
     "#define LOG(f, ...) printf(f, ##__VA_ARGS__)\n#define ALL(...) #__VA_ARGS__\n"
     "#define FIRST(a, ...) a __VA_OPT__(+) __VA_ARGS__\nint printf(const char *, ...);\n" +
         body("LOG(\"a\"); LOG(\"%d\", n); p = ALL(a,  b ,\n\"c\\n\", 'd'); n = FIRST(1) + "
              "FIRST(1, 2);"),
     {"-std=gnu2x"}},
    {"DeferredAndRecursiveMacros",
     "int f(int);\n#define f(x) x + f\n#define g f(2)\n#define EMPTY\n#define DEFER(x) x "
     "EMPTY\n"
     "#define h(x) h2(x)\n#define h2(x) DEFER(h)(x)\nint k(void) { return f(1)(2) EMPTY; }\n#undef "
     "f\n"
     "int l = 0;\nint h(int m) { return h(m); }\n",
     {"-Wno-everything"}},
    {"FileNameBeforeArgument",
     "#include <check.h>\nint check(const char *, unsigned long, int, const char *);\n"
     "int f(void) { SYSTEM_CHECK(first)\nSYSTEM_CHECK(second)\nreturn first + second; }\n",
     {}},
    {"SystemHeaderPragma", "#include \"marked.h\"\n" + body("n = MARKED + marked(n);"), {}},
    {"Identification", "#ident \"v1\"\nint a;\n#pragma message \"x\"\nint b;\n", {}},
    {"CommandLine", body("n = F(3);"), {"-DF(x)=x+1", "-include", "limits.h", "-UX"}},
    {"CxxRawStringsInMacros",
     "#define ID(...) __VA_ARGS__\n#define STR(x) #x\n"
     "const char *a = ID(R\"(x\n\"y\" // z\n)\"), *b = STR(R\"(1 2)\") u8R\"--(\\n)--\";\n"
     "auto c = 12.5e-3'0 + 0x1p-2;\n",
     {"-std=c++17"},
     true},
    {"CxxStandardLibrary",
     "#include <algorithm>\n#include <cassert>\n#include <cfloat>\n#include <climits>\n"
     "#include <cmath>\n#include <complex>\n#include <iostream>\n#include <map>\n#include "
     "<vector>\n"
     "struct S { int a; };\n#include <cstddef>\n"
     "int f(std::vector<std::vector<int>> &v) { assert(v.size() == 5); std::sort(v.begin(), "
     "v.end());\n"
     "std::cerr << INT_MAX << NULL << offsetof(S, a) << DBL_MAX << FLT_MAX << EOF << errno;\n"
     "return v.empty() and not std::isnan(2.0) ? 1'000 : 0x1F; }\n",
     {"-std=c++17"},
     true},
    {"CxxLiterals",
     "auto r = R\"x(a\n# 1 \"b\"\n)x\"; auto u = u8\"z\" \"y\"; auto c = 'a';\n"
     "unsigned long long operator\"\"_k(unsigned long long n) { return n; }\n"
     "auto k = 4_k + 0b11; template <class T> T t(T x) { return x >> 1; }\n"
     "int l = [](int a, int b) { return a <= b; }(1, 2);\n",
     {"-std=c++14"},
     true},
    {"Cxx20",
     "#include <compare>\n#include <span>\n#include <string>\nauto o = 1 <=> 2;\n"
     "template <class T> concept C = requires(T t) { t + 1; };\n",
     {"-std=c++20"},
     true},
    {"CxxMpi",
     "#include <mpi.h>\n#include <vector>\ntemplate <class T> void send(std::vector<T> &v, "
     "MPI_Datatype t) { MPI_Send(v.data(), v.size(), t, 1, 0, MPI_COMM_WORLD); }\n",
     {"-I" MPISPEC_MPI_INCLUDE},
     true},
};
INSTANTIATE_TEST_SUITE_P(Alignment, SameProgram, testing::ValuesIn(Same),
                         [](const auto &Info) { return std::string(Info.param.Name); });

const Program Other[] = {
    {"CompilerCondition", body("#ifdef __clang__\nn = 1;\n#else\nn = 2;\n#endif"), {}},
    {"CompilerConditionInMacro",
     "#ifdef __clang__\n#define N 100\n#else\n#define N 4\n#endif\n" + body("n = N;"),
     {}},
    {"CompilerVersion", body("n = __GNUC__ * 100 + __GNUC_MINOR__;"), {}},
    {"CompilerVersionInHeaderOfUser",
     "#if __GNUC__ > 10\n#define LIKELY(x) (x)\n#else\n#define LIKELY(x) !!(x)\n#endif\n" +
         body("if (LIKELY(n)) n = 0;"),
     {}},
    {"Builtins",
     "#ifndef __has_feature\n#define __has_feature(x) 0\n#endif\n" +
         body("#if __has_feature(c_static_assert)\nn = 1;\n#endif"),
     {}},
    {"OneTokenMore", body("n = 1\n#ifdef __clang__\n+ 1\n#endif\n;"), {}},
    {"OneTokenLess", body("n = 1\n#ifndef __clang__\n+ 1\n#endif\n;"), {}},
    {"AtTheEnd", body("") + "#ifndef __clang__\nint last;\n#endif\n", {}},
    {"AtTheEndOfClang", body("") + "#ifdef __clang__\nint last;\n#endif\n", {}},
    {"SystemMacroInsteadOfAnother",
     "#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n#ifdef __clang__\n"
     "#define N RAND_MAX\n#else\n#define N BUFSIZ\n#endif\n" +
         body("n = N;"),
     {}},
    {"LimitInsteadOfAnother",
     "#include <limits.h>\n#ifdef __clang__\n#define N INT_MAX\n#else\n#define N "
     "SHRT_MAX\n#endif\n" +
         body("n = N;"),
     {}},
    {"CompilersLimitInsteadOfAnother",
     "#include <limits.h>\n#include <stdio.h>\n#ifdef __clang__\n#define N CHAR_BIT\n#else\n"
     "#define N BUFSIZ\n#endif\n" +
         body("n = N;"),
     {}},
    {"StringInsteadOfAnother",
     "#define S(x) #x\n#ifdef __clang__\n#define T S(abc)\n#else\n#define T S(abcd)\n#endif\n" +
         body("n = sizeof T;"),
     {}},
    {"NamePastedBySystem",
     "#include <join.h>\n#ifdef __clang__\n#define NAME mine\n#else\n#define NAME other\n#endif\n"
     "#include \"named.h\"\n",
     {}},
    {"Counter", body("#ifdef __clang__\n#if __COUNTER__\n#endif\n#endif\nn = __COUNTER__;"), {}},
    {"CxxCompilerCondition",
     "#ifdef __clang__\nenum { n = 1 };\n#else\nenum { n = 2 };\n#endif\n",
     {},
     true},
};
INSTANTIATE_TEST_SUITE_P(Alignment, OtherProgram, testing::ValuesIn(Other),
                         [](const auto &Info) { return std::string(Info.param.Name); });

const char *const Stddef = "#include <stddef.h>\n";

const Program SameAsGcc[] = {
    {"Name",
     Stddef + body("#if defined(__clang__) || defined(__llvm__)\nn = 1;\n#else\nn = 2;\n"
                   "#endif\n#ifdef __has_feature\nn = 3;\n#endif"),
     {}},
    {"Version", Stddef + body("#if __GNUC__ >= 12\nn = __GNUC__;\n#endif"), {}},
    {"AskedByUserMacro",
     std::string(Stddef) + "#define VERSION (__GNUC__ * 100)\n" +
         "#if defined(__has_builtin)\n#define HAS(x) __has_builtin(x)\n#else\n#define HAS(x) 0\n"
         "#endif\n" +
         body("#if VERSION > 500 && HAS(__builtin_assume)\nn = 1;\n#elif HAS(__builtin_expect)\n"
              "n = 2;\n#endif"),
     {}},
    {"InHeaderOfUserBetweenSystemHeaders",
     "#include <stddef.h>\n#include \"asks.h\"\n#include <math.h>\n#include <complex.h>\n#ifdef "
     "__clang__\nint a;\n#endif\n" +
         body("n = ASKED + isnan(d); double _Complex c = I;"),
     {}},
    {"IncludedOnCommandLine", Stddef + body("n = ASKED;"), {"-include", "asks.h"}},
    {"AskedByMacroOfSystemHeader",
     "#include <stddef.h>\n#include <features.h>\n" +
         body("#if __GNUC_PREREQ(5, 0)\nn = 1;\n#else\nn = 2;\n#endif"),
     {}},
    {"Cxx",
     "#include <vector>\n#ifdef __clang__\nint a;\n#endif\nint b = __GNUG__;\n#include <string>\n"
     "#include <algorithm>\n#ifdef __clang__\nint c;\n#endif\n",
     {},
     true},
    {"Mpi",
     "#include <stddef.h>\n#include <mpi.h>\n#ifdef __clang__\nint a;\n#endif\n" +
         body("MPI_Send(p, n, MPI_CHAR, 0, 7, MPI_COMM_WORLD);"),
     {"-I" MPISPEC_MPI_INCLUDE}},
};
INSTANTIATE_TEST_SUITE_P(Alignment, SameProgramAsGcc, testing::ValuesIn(SameAsGcc),
                         [](const auto &Info) { return std::string(Info.param.Name); });

const Program OtherAsGcc[] = {
    {"WrongMinorVersion", Stddef + body("n = __GNUC_MINOR__ + 1000 * __GNUC_PATCHLEVEL__;"), {}},
    {"Attribute",
     Stddef + body("#if __has_attribute(enable_if)\nn = 1;\n#else\nn = 2;\n#endif"),
     {}},
    {"OtherPredefinedMacro", Stddef + body("#ifdef __BITINT_MAXWIDTH__\nn = 1;\n#endif"), {}},
    {"SystemHeaderKnowsClang",
     "#include <stddef.h>\n#include <asks-system.h>\n" + body("n = ASKED;"),
     {}},
};
INSTANTIATE_TEST_SUITE_P(Alignment, OtherProgramAsGcc, testing::ValuesIn(OtherAsGcc),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST(GccIdentity, ReadsTheVersionOffTheText) {
  auto Version = [](StringRef Text) -> std::string {
    std::optional<GccVersion> V = gccVersionOf(Text);
    return V ? formatv("{0}.{1}.{2}", V->Major, V->Minor, V->Patch).str() : "none";
  };
  EXPECT_EQ(Version("x\n# 1 \"/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h\" 1 3 4\n"),
            "12.0.0");
  EXPECT_EQ(Version("# 1 \"/opt/gcc/11.3.0/lib/gcc/x86_64/11.3.1/include-fixed/limits.h\" 1\n"),
            "11.3.1");
  EXPECT_EQ(Version("puts(\"/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h\");\n"), "none");
  EXPECT_EQ(Version("# 1 \"/home/gcc/me/new/include/a.h\"\n# 1 \"/home/gcc/a.c\"\n"), "none");
  EXPECT_EQ(Version(""), "none");
}

// Each NULL and each assert may be matched in several ways, and all ways lead to one difference.
TEST(Alignment, FailsInLinearTime) {
  std::string Statements;
  for (unsigned I = 0; I < 2000; ++I)
    Statements += "assert(p != NULL);\nn = INT_MAX;\n";
  Program P{"",
            "#include <assert.h>\n#include <limits.h>\n#include <stddef.h>\n" +
                body((Statements + "#ifdef __clang__\nn = 1;\n#endif\n").c_str()),
            {}};
  std::clock_t Begin = std::clock();
  EXPECT_NE(compare(P, TextDialect::Gcc), "");
  constexpr std::clock_t Enough = 5 * CLOCKS_PER_SEC;
  EXPECT_LT(std::clock() - Begin, Enough);
}

TEST(Alignment, SaysWhereTheTextsDiffer) {
  Program P{"", "int a;\n\n#ifdef __clang__\nint x;\n#else\nint y;\n#endif\n", {}};
  std::string Message = compare(P, TextDialect::Gcc);
  EXPECT_NE(Message.find("a.c:6: 'y' here, 'x' under clang"), std::string::npos) << Message;
}

} // namespace
