// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a message-passing library of its own that consists of headers. Traits map types to
// datatypes, layouts describe parts of containers, and every operation is a template. A compiler
// spends most of its time on parsing and instantiating these libraries, and each call has several
// element types.
#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <mpi.h>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace messages {

//--- Datatypes ------------------------------------------------------------------------------------

template <class T, class = void> struct datatype_of;
#define MESSAGES_BASIC(TYPE, HANDLE)                                                               \
  template <> struct datatype_of<TYPE> {                                                           \
    static MPI_Datatype get() { return HANDLE; }                                                   \
  }
MESSAGES_BASIC(char, MPI_CHAR);
MESSAGES_BASIC(int, MPI_INT);
MESSAGES_BASIC(unsigned, MPI_UNSIGNED);
MESSAGES_BASIC(long, MPI_LONG);
MESSAGES_BASIC(float, MPI_FLOAT);
MESSAGES_BASIC(double, MPI_DOUBLE);
MESSAGES_BASIC(std::complex<double>, MPI_CXX_DOUBLE_COMPLEX);
#undef MESSAGES_BASIC

template <class E> struct datatype_of<E, std::enable_if_t<std::is_enum<E>::value>> {
  static MPI_Datatype get() { return datatype_of<std::underlying_type_t<E>>::get(); }
};

class committed {
public:
  explicit committed(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  ~committed() { MPI_Type_free(&type_); }
  committed(const committed &) = delete;
  committed &operator=(const committed &) = delete;
  MPI_Datatype get() const { return type_; }

private:
  MPI_Datatype type_;
};

template <class T, std::size_t N> struct datatype_of<std::array<T, N>> {
  static MPI_Datatype get() {
    static const committed type([] {
      MPI_Datatype made;
      MPI_Type_contiguous(N, datatype_of<T>::get(), &made);
      return made;
    }());
    return type.get();
  }
};

template <class A, class B> struct datatype_of<std::pair<A, B>> {
  static MPI_Datatype get() {
    static const committed type([] {
      std::pair<A, B> sample;
      int lengths[2] = {1, 1};
      MPI_Aint at[2], base;
      MPI_Get_address(&sample, &base);
      MPI_Get_address(&sample.first, &at[0]);
      MPI_Get_address(&sample.second, &at[1]);
      at[0] -= base, at[1] -= base;
      MPI_Datatype types[2] = {datatype_of<A>::get(), datatype_of<B>::get()}, made;
      MPI_Type_create_struct(2, lengths, at, types, &made);
      return made;
    }());
    return type.get();
  }
};

//--- Layouts --------------------------------------------------------------------------------------

template <class T> class layout {
public:
  static layout contiguous(int count) {
    MPI_Datatype made;
    MPI_Type_contiguous(count, datatype_of<T>::get(), &made);
    return layout(made);
  }
  static layout strided(int blocks, int length, int stride) {
    MPI_Datatype made;
    MPI_Type_vector(blocks, length, stride, datatype_of<T>::get(), &made);
    return layout(made);
  }
  MPI_Datatype get() const { return type_->get(); }

private:
  explicit layout(MPI_Datatype made) : type_(std::make_shared<committed>(made)) {}
  std::shared_ptr<committed> type_;
};

//--- Operations -----------------------------------------------------------------------------------

template <class F> struct operation_of;
template <> struct operation_of<std::plus<>> {
  static MPI_Op get() { return MPI_SUM; }
};
template <> struct operation_of<std::multiplies<>> {
  static MPI_Op get() { return MPI_PROD; }
};

class request {
public:
  MPI_Request *get() { return &request_; }
  void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class communicator {
public:
  explicit communicator(MPI_Comm comm) : comm_(comm) {}
  int rank() const {
    int rank;
    MPI_Comm_rank(comm_, &rank);
    return rank;
  }
  int size() const {
    int size;
    MPI_Comm_size(comm_, &size);
    return size;
  }

  template <class T> void send(const T &value, int to, int tag = 0) const {
    MPI_Send(&value, 1, datatype_of<T>::get(), to, tag, comm_);
  }
  template <class T> void send(const T *data, const layout<T> &l, int to, int tag = 0) const {
    MPI_Send(data, 1, l.get(), to, tag, comm_);
  }
  template <class I> void send(I begin, I end, int to, int tag = 0) const {
    using T = typename std::iterator_traits<I>::value_type;
    MPI_Send(&*begin, static_cast<int>(end - begin), datatype_of<T>::get(), to, tag, comm_);
  }
  template <class T> void receive(T &value, int from, int tag = 0) const {
    MPI_Recv(&value, 1, datatype_of<T>::get(), from, tag, comm_, MPI_STATUS_IGNORE);
  }
  template <class T> void receive(T *data, const layout<T> &l, int from, int tag = 0) const {
    MPI_Recv(data, 1, l.get(), from, tag, comm_, MPI_STATUS_IGNORE);
  }
  template <class I> void receive(I begin, I end, int from, int tag = 0) const {
    using T = typename std::iterator_traits<I>::value_type;
    MPI_Recv(&*begin, static_cast<int>(end - begin), datatype_of<T>::get(), from, tag, comm_,
             MPI_STATUS_IGNORE);
  }
  template <class T> request isend(const T &value, int to, int tag = 0) const {
    request r;
    MPI_Isend(&value, 1, datatype_of<T>::get(), to, tag, comm_, r.get());
    return r;
  }
  template <class T> request ireceive(T &value, int from, int tag = 0) const {
    request r;
    MPI_Irecv(&value, 1, datatype_of<T>::get(), from, tag, comm_, r.get());
    return r;
  }
  template <class F, class T> T allreduce(F, const T &mine) const {
    T all;
    MPI_Allreduce(&mine, &all, 1, datatype_of<T>::get(), operation_of<F>::get(), comm_);
    return all;
  }
  template <class T> void broadcast(int root, T &value) const {
    MPI_Bcast(&value, 1, datatype_of<T>::get(), root, comm_);
  }
  template <class... Ts> void broadcast_all(int root, std::tuple<Ts...> &values) const {
    std::apply([&](auto &...each) { (broadcast(root, each), ...); }, values);
  }

private:
  MPI_Comm comm_;
};

} // namespace messages

//--- A program ------------------------------------------------------------------------------------

enum class phase : int { fill, step, done };

template <class T> static T ring(const messages::communicator &world, T value) {
  int next = (world.rank() + 1) % world.size();
  int before = (world.rank() + world.size() - 1) % world.size();
  T got{};
  messages::request r = world.ireceive(got, before, 3);
  world.isend(value, next, 3).wait();
  r.wait();
  return got;
}

template <class T>
static void halo(const messages::communicator &world, std::vector<T> &field, int rows,
                 int columns) {
  auto column = messages::layout<T>::strided(rows, 1, columns);
  int next = world.rank() + 1 < world.size() ? world.rank() + 1 : MPI_PROC_NULL;
  int before = world.rank() > 0 ? world.rank() - 1 : MPI_PROC_NULL;
  world.send(field.data() + 1, column, before, 4);
  world.receive(field.data() + columns - 1, column, next, 4);
  world.send(field.begin() + columns, field.begin() + 2 * columns, before, 5);
  world.receive(field.end() - columns, field.end(), next, 5);
}

template <class T> static T residual(const std::vector<T> &field) {
  return std::accumulate(field.begin(), field.end(), T(), [](T sum, T x) { return sum + x * x; });
}

static std::map<std::string, std::function<void(std::vector<double> &)>> steps() {
  std::map<std::string, std::function<void(std::vector<double> &)>> all;
  all["sort"] = [](std::vector<double> &v) { std::sort(v.begin(), v.end()); };
  all["reverse"] = [](std::vector<double> &v) { std::reverse(v.begin(), v.end()); };
  all["smooth"] = [](std::vector<double> &v) {
    std::adjacent_difference(v.begin(), v.end(), v.begin());
    std::transform(v.begin(), v.end(), v.begin(), [](double x) { return x / 2; });
  };
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  messages::communicator world(MPI_COMM_WORLD);
  std::tuple<int, double, phase> parameters{10, 0.5, phase::fill};
  world.broadcast_all(0, parameters);
  std::vector<double> field(64 * 64, std::get<1>(parameters));
  std::vector<float> coarse(16 * 16);
  std::vector<std::complex<double>> waves(32 * 32);
  for (int i = 0; i < std::get<0>(parameters); i++) {
    halo(world, field, 64, 64);
    halo(world, coarse, 16, 16);
    halo(world, waves, 32, 32);
    for (auto &step : steps())
      step.second(field);
    if (world.allreduce(std::plus<>(), residual(field)) < 1e-9)
      break;
  }
  ring(world, world.rank());
  ring(world, 2.5);
  ring(world, 'c');
  ring(world, std::array<double, 3>{1, 2, 3});
  ring(world, std::pair<int, double>(1, 2));
  long steps_taken = world.allreduce(std::plus<>(), 1L);
  double product = world.allreduce(std::multiplies<>(), 1.5);
  MPI_Finalize();
  return steps_taken < 0 || product < 0;
}
