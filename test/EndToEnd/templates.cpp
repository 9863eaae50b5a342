// C++: function templates over the element type, a class that wraps a communicator, lambdas. Calls are also
// in constructors and destructors, in namespaces, and in inline functions of a header.
#include "expect.h"
#include <algorithm>
#include <numeric>
#include <vector>

namespace message {
template <typename T> struct Type;
template <> struct Type<int> {
  static MPI_Datatype handle() { return MPI_INT; }
};
template <> struct Type<double> {
  static MPI_Datatype handle() { return MPI_DOUBLE; }
};

class Communicator {
public:
  explicit Communicator(MPI_Comm Parent) {
    MPI_Comm_dup(Parent, &Handle);
    MPI_Comm_rank(Handle, &Rank);
    MPI_Comm_size(Handle, &Size);
  }
  ~Communicator() { MPI_Comm_free(&Handle); }
  Communicator(const Communicator &) = delete;

  template <typename T> void shift(const std::vector<T> &Out, std::vector<T> &In) const {
    MPI_Sendrecv(Out.data(), static_cast<int>(Out.size()), Type<T>::handle(), (Rank + 1) % Size, 1,
                 In.data(), static_cast<int>(In.size()), Type<T>::handle(),
                 (Rank + Size - 1) % Size, 1, Handle, MPI_STATUS_IGNORE);
  }
  template <typename T, int N> void broadcast(T (&Values)[N], int Root) const {
    MPI_Bcast(Values, N, Type<T>::handle(), Root, Handle);
  }
  template <typename T> T sum(T Value) const {
    T Total{};
    MPI_Allreduce(&Value, &Total, 1, Type<T>::handle(), MPI_SUM, Handle);
    return Total;
  }
  int rank() const { return Rank; }
  int size() const { return Size; }

private:
  MPI_Comm Handle;
  int Rank, Size;
};
} // namespace message

static void run() {
  message::Communicator World(MPI_COMM_WORLD);
  int Left = (World.rank() + World.size() - 1) % World.size();

  std::vector<int> Out(10, World.rank()), In(10);
  World.shift(Out, In);
  EXPECT(std::all_of(In.begin(), In.end(), [=](int V) { return V == Left; }));
  std::vector<double> Long(5000), Got(5000);
  std::iota(Long.begin(), Long.end(), 1.0 * World.rank());
  World.shift(Long, Got);
  EXPECT(Got.front() == Left && Got.back() == Left + 4999);

  double Values[3] = {1.0 * World.rank(), 2, 3};
  World.broadcast(Values, World.size() - 1);
  EXPECT(Values[0] == World.size() - 1);
  EXPECT(World.sum(1) == World.size());
  EXPECT(World.sum(0.5) == 0.5 * World.size());

  auto Tell = [&](int To, int What) {
    MPI_Request Request;
    int Heard = -1;
    MPI_Irecv(&Heard, 1, MPI_INT, To, 2, MPI_COMM_WORLD, &Request);
    MPI_Send(&What, 1, MPI_INT, To, 2, MPI_COMM_WORLD);
    MPI_Wait(&Request, MPI_STATUS_IGNORE);
    return Heard;
  };
  EXPECT(Tell(World.rank(), 77) == 77);
  if (World.size() % 2 == 0)
    EXPECT(Tell(World.rank() ^ 1, World.rank()) == (World.rank() ^ 1));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  run();
  return expect_finish();
}

// RUN: sh %inputs/same-both-ways.sh %mpispec %t "1 2 4" mpicxx -O2 -std=c++11 -I %inputs %s
// RUN: %behind clang-22 sh %inputs/same-both-ways.sh %mpispec %t "2" mpicxx -std=c++20 -I %inputs %s
