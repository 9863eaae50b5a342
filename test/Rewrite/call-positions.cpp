// Calls wherever C++ lets an expression stand: initializers, default arguments, constructors,
// lambdas, templates, operands that are never evaluated. Every form compiles, and no call is lost.
#include <functional>
#include <mpi.h>
#include <stdexcept>
#define W MPI_COMM_WORLD
#define TEST(a, b)                                                                                 \
  struct a##_##b {                                                                                 \
    int body();                                                                                    \
  };                                                                                               \
  int a##_##b::body()
int x;
static int init = MPI_Barrier(W);
int def(int a = MPI_Barrier(W)) { return a; }
struct S {
  int m = MPI_Barrier(W);
  int n;
  S() : n(MPI_Bcast(&x, 1, MPI_INT, 0, W)) {}
  explicit S(int) try : n(MPI_Bcast(&x, 1, MPI_INT, 0, W)) {
  } catch (...) {
    MPI_Barrier(W);
    throw;
  }
  virtual ~S() { MPI_Barrier(W); }
  operator int() const { return MPI_Send(&x, 1, MPI_INT, 1, 0, W); }
  template <class T> T t(T v) {
    auto l = [=](auto q) { return MPI_Send(&v, 1, MPI_INT, q, 0, W); };
    return l(1);
  }
};
TEST(Foo, Bar) { return MPI_Barrier(W); }
TEST(Foo, Baz) { return MPI_Barrier(W); }
typedef int fn(int);
__attribute__((constructor)) static void ctor() { MPI_Barrier(W); }
extern "C++" {
inline int cxx() { return MPI_Barrier(W); }
}
extern "C" {
extern "C++" {
inline int cxx2() { return MPI_Barrier(W); }
}
int c1() { return MPI_Barrier(W); }
}
namespace a::b {
inline namespace v1 {
constexpr int k = sizeof(MPI_Barrier(W));
decltype(MPI_Barrier(W)) g() {
  struct L {
    int h() { return MPI_Barrier(W); }
  };
  return L().h();
}
} // namespace v1
} // namespace a::b
template <int N> struct R {
  static int run() { return MPI_Send(&x, N, MPI_INT, N, 0, W) + R<N - 1>::run(); }
};
template <> struct R<0> {
  static int run() { return MPI_Barrier(W); }
};
template <class T> auto v = MPI_Barrier(W);
enum E { e = 1 };
using F = std::function<int()>;
F f = [] { return MPI_Barrier(W); };
int g2() noexcept(noexcept(MPI_Barrier(W))) {
  return MPI_Barrier(W) ? MPI_Barrier(W) : (MPI_Barrier(W), 0);
}
auto g3() -> decltype(MPI_Barrier(W)) {
  if (int i = MPI_Barrier(W); i)
    return i;
  switch (MPI_Barrier(W)) {
  case 0:
    return MPI_Barrier(W);
  }
  for (int j = MPI_Barrier(W); j < 0; j++) {
  }
  return R<3>::run() + v<int> + S().t(3) + Foo_Bar().body();
}
int main(int c, char **d) {
  MPI_Init(&c, &d);
  int r = g3() + def() + f() + init;
  MPI_Finalize();
  return r;
}

// RUN: for compiler in g++ clang++-22; do \
// RUN:   flags="-std=c++17 -I%inputs/mpi-mpich-style"; kind=gcc; \
// RUN:   if [ $compiler = clang++-22 ]; then kind=clang; fi; \
// RUN:   $compiler $flags -E %s -o %t.ii && \
// RUN:   %analyze unit --preprocessed=%t.ii --output=%t.new.ii --user-compiler=$kind -- $flags %s && \
// RUN:   $compiler -std=c++17 -O0 -w -c %t.ii -o %t.o && \
// RUN:   $compiler -std=c++17 -O0 -w -c %t.new.ii -o %t.new.o && \
// RUN:   objdump -dr %t.o | grep -c "R_X86_64_PLT32.*MPI_" > %t.calls && \
// RUN:   objdump -dr %t.new.o | grep -c "R_X86_64_PLT32.*MPI_" > %t.new.calls && \
// RUN:   test $(cat %t.new.calls) -ge $(cat %t.calls) || exit 1; done | FileCheck %s
// CHECK: sites=29 rewritten={{[1-9][0-9]}}
// CHECK: sites=29 rewritten={{[1-9][0-9]}}
// RUN: %analyze rewrite -- -std=c++17 -I%inputs/mpi-mpich-style %s > %t.cpp
// RUN: g++ -std=c++17 -w -c -I%templates -I%inputs/mpi-mpich-style %t.cpp -o %t.o
