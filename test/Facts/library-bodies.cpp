// Most bodies of the C++ library are not read (Frontend/LibraryBodies.h). Calls that the program passes to the
// library are found all the same, and so are lengths that come through its arrays.
#include <algorithm>
#include <array>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mpi.h>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

static double x[99];

void callables(std::vector<int> &peers, std::set<int> &some, std::variant<int, double> &either) {
  std::for_each(peers.begin(), peers.end(),
                [](int p) { MPI_Send(x, 1, MPI_DOUBLE, p, 0, MPI_COMM_WORLD); });
  // CHECK: 0: {{.*}} count=1 {{.*}} size=short
  std::function<void(int)> held = [](int p) { MPI_Send(x, 2, MPI_DOUBLE, p, 0, MPI_COMM_WORLD); };
  held(1);
  // CHECK: 1: {{.*}} count=2 {{.*}} size=short
  std::map<std::string, std::function<void()>> table;
  table["a"] = [] { MPI_Send(x, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); };
  table["a"]();
  // CHECK: 2: {{.*}} count=3 {{.*}} size=short
  std::thread([] { MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }).join();
  // CHECK: 3: {{.*}} count=4 {{.*}} size=short
  std::sort(peers.begin(), peers.end(), [](int a, int b) {
    MPI_Send(x, 5, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    return a < b;
  });
  // CHECK: 4: {{.*}} count=5 {{.*}} size=short
  auto later = std::async([] { MPI_Send(x, 6, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); });
  // CHECK: 5: {{.*}} count=6 {{.*}} size=short
  std::once_flag once;
  std::call_once(once, [] { MPI_Send(x, 7, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); });
  // CHECK: 6: {{.*}} count=7 {{.*}} size=short
  std::visit([](auto) { MPI_Send(x, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }, either);
  // CHECK: 7: {{.*}} count=8 {{.*}} size=short
  std::apply([](int p, int) { MPI_Send(x, 9, MPI_DOUBLE, p, 0, MPI_COMM_WORLD); },
             std::make_tuple(1, 2));
  // CHECK: 8: {{.*}} count=9 {{.*}} size=short
  std::accumulate(peers.begin(), peers.end(), 0, [](int a, int b) {
    MPI_Send(x, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    return a + b;
  });
  // CHECK: 9: {{.*}} count=10 {{.*}} size=short
  std::for_each(some.begin(), some.end(),
                [](int p) { MPI_Send(x, 11, MPI_DOUBLE, p, 0, MPI_COMM_WORLD); });
  // CHECK: 10: {{.*}} count=11 {{.*}} size=short
  std::shared_ptr<double>(
      x, [](double *p) { MPI_Send(p, 12, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); });
  // CHECK: 11: {{.*}} count=12 {{.*}} size=short
  std::bind([](int p) { MPI_Send(x, 13, MPI_DOUBLE, p, 0, MPI_COMM_WORLD); }, 1)();
  // CHECK: 12: {{.*}} count=13 {{.*}} size=short
}

void lengths(int right) {
  std::vector<double> ten(10);
  MPI_Send(ten.data(), (int)ten.size(), MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  // CHECK: 13:
  std::array<double, 4> four{};
  MPI_Send(four.data(), (int)four.size(), MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  // CHECK: 14: {{.*}} count=4 {{.*}} size=short
  std::optional<int> five = 5;
  MPI_Send(x, *five, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  // CHECK: 15: {{.*}} count=5 {{.*}} size=short
  MPI_Send(x, std::min(100000, 6), MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
  // CHECK: 16: {{.*}} count=6 {{.*}} size=short
}

// An unread function may do anything. A map holds any number, and it calls the order of its keys, which nothing
// else here calls.
static int seen = 1, untouched = 1;
static void send(int count) { MPI_Send(x, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
// CHECK: 17:
// CHECK-NOT: count=
// CHECK: 18:
struct Key {
  int value;
  bool operator<(const Key &other) const {
    seen = value;
    send(value + untouched);
    return value < other.value;
  }
};
template <class T> struct Order {
  bool operator()(T a, T b) const {
    static int calls = 0;
    ordered(a);
    return a + ++calls < b;
  }
  static void ordered(T a) { last = a; }
  static int last;
};
template <class T> int Order<T>::last = 1;
void unread(std::map<Key, int> &counts, std::map<int, int, Order<int>> &others) {
  send(3);
  MPI_Send(x, counts[Key{1}], MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK-NOT: count=
  // CHECK: 19:
  MPI_Send(x, seen, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK-NOT: count=
  // CHECK: 20:
  MPI_Send(x, others[1] ? Order<int>::last : 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK-NOT: count=
  // CHECK: 21:
  MPI_Send(x, untouched, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK-SAME: count=1
}

// Templates of the library are parsed when they are instantiated, and the program's in place. A call of the program is
// not the library's because it is in the namespace std, or in an instance of the library's class.
template <class T> void never(T) { MPI_Send(x, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
// CHECK: 22:
namespace std {
template <> struct hash<Key> {
  size_t operator()(Key key) const { return MPI_Send(x, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
  // CHECK: 23:
};
} // namespace std
struct Deleter {
  void operator()(double *p) const { MPI_Send(p, 5, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }
  // CHECK: 24: {{.*}} count=5 {{.*}} size=short
};
void instances(std::unordered_map<Key, int> &hashed) {
  std::unique_ptr<double, Deleter> owner(x);
  hashed.count(Key{1});
  int three[] = {1, 2, 3};
  MPI_Send(x, (int)std::distance(three, three + 3), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK: 25: {{.*}} count=3 {{.*}} size=short
  MPI_Send(x, std::get<1>(std::make_pair(2.5, 4)), MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  // CHECK: 26: {{.*}} count=4 {{.*}} size=short
}
// RUN: %analyze explain --print=facts -- -std=c++17 -O2 -I%inputs/mpi-mpich-style %s | FileCheck %s
