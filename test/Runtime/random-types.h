/* Random datatypes, nested, of all constructors that have a typemap (runtime/datatype/typemap.h). They have gaps,
 * holes, lower bounds and strides of both signs. Each is a function of its seed. */
#ifndef MPISPEC_TEST_RANDOM_TYPES_H
#define MPISPEC_TEST_RANDOM_TYPES_H

#include <mpi.h>

enum { MOST_SPAN = 40000 }; /* bytes from the first to the last of an element */

static unsigned random_state;

static int below(int n) {
  random_state = random_state * 1664525 + 1013904223;
  return (int)(random_state >> 8) % n;
}

/* A predefined type; always MPI_INT where two types shall fit each other. */
static MPI_Datatype random_leaf(int only_int) {
  static const MPI_Datatype leaves[] = {MPI_INT,    MPI_CHAR,       MPI_SHORT,
                                        MPI_DOUBLE, MPI_FLOAT,      MPI_BYTE,
                                        MPI_LONG,   MPI_DOUBLE_INT, MPI_C_DOUBLE_COMPLEX,
                                        MPI_2INT,   MPI_LONG_INT};
  return leaves[only_int ? 0 : below(11)];
}

/* How far apart elements must be, in bytes, so that they do not overlap. */
static int room_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_true_extent(type, &lower, &extent);
  return (int)extent;
}

enum { PARTS = 20 };
struct parts {
  int count, lengths[PARTS], places[PARTS];
  MPI_Aint bytes[PARTS];
};

/* Some blocks of elements that are `room` apart, in this order or backwards. */
static struct parts random_parts(int room, int extent) {
  struct parts parts = {.count = 1 + below(below(4) ? 5 : PARTS)};
  int next = below(3) - 1;
  for (int i = 0; i < parts.count; ++i) {
    parts.lengths[i] = extent < room ? below(2) : below(3) ? 1 : below(4);
    parts.places[i] = next;
    parts.bytes[i] = (MPI_Aint)next * room;
    next += parts.lengths[i] + below(3);
  }
  for (int i = 0; below(3) == 0 && i < parts.count / 2; ++i) {
    const int j = parts.count - 1 - i;
    const struct parts old = parts;
    parts.lengths[i] = old.lengths[j], parts.lengths[j] = old.lengths[i];
    parts.places[i] = old.places[j], parts.places[j] = old.places[i];
    parts.bytes[i] = old.bytes[j], parts.bytes[j] = old.bytes[i];
  }
  return parts;
}

static MPI_Datatype random_subarray(MPI_Datatype inner) {
  int sizes[3], parts[3], starts[3];
  MPI_Datatype made;
  const int dimensions = 1 + below(3);
  for (int i = 0; i < dimensions; ++i) {
    sizes[i] = 1 + below(5);
    parts[i] = 1 + below(sizes[i]);
    starts[i] = below(sizes[i] - parts[i] + 1);
  }
  MPI_Type_create_subarray(dimensions, sizes, parts, starts,
                           below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner, &made);
  return made;
}

static MPI_Datatype random_type(int depth, int only_int);

/* Different members, one behind the other. */
static MPI_Datatype random_struct(int depth, int only_int) {
  MPI_Datatype types[3], made;
  MPI_Aint places[3], lower, extent;
  int lengths[3], next = below(20) - 8;
  const int members = 1 + below(3);
  for (int i = 0; i < members; ++i) {
    types[i] = random_type(depth - 1, only_int);
    MPI_Type_get_true_extent(types[i], &lower, &extent);
    lengths[i] = 1;
    places[i] = next - lower;
    next += (int)extent + 4 * below(3);
  }
  MPI_Type_create_struct(members, lengths, places, types, &made);
  for (int i = 0; i < members; ++i)
    MPI_Type_free(&types[i]);
  return made;
}

static MPI_Datatype random_made_of(MPI_Datatype inner) {
  MPI_Datatype made;
  MPI_Aint lower, extent;
  MPI_Type_get_extent(inner, &lower, &extent);
  const int room = room_of(inner), fits = extent >= room;
  const struct parts parts = random_parts(fits ? (int)extent : room, (int)extent);
  const int length = fits ? 1 + below(3) : 1, stride = length + below(3);
  switch (below(10)) {
  case 0:
    MPI_Type_dup(inner, &made);
    break;
  case 1:
    MPI_Type_contiguous(fits ? below(6) : 1, inner, &made);
    break;
  case 2:
    MPI_Type_vector(fits ? below(7) : 1, length, below(4) ? stride : -stride, inner, &made);
    break;
  case 3:
    MPI_Type_create_hvector(below(7), length, stride * (fits ? extent : room) + 4 * below(3), inner,
                            &made);
    break;
  case 4:
    MPI_Type_indexed(fits ? parts.count : 1, parts.lengths, parts.places, inner, &made);
    break;
  case 5:
    MPI_Type_create_hindexed(parts.count, parts.lengths, parts.bytes, inner, &made);
    break;
  case 6:
    MPI_Type_create_indexed_block(fits ? parts.count : 1, 1, parts.places, inner, &made);
    break;
  case 7:
    MPI_Type_create_hindexed_block(parts.count, 1, parts.bytes, inner, &made);
    break;
  case 8:
    MPI_Type_create_resized(inner, below(30) - 10, room + below(30), &made);
    break;
  default:
    if (!fits)
      MPI_Type_dup(inner, &made);
    else
      made = random_subarray(inner);
  }
  return made;
}

static MPI_Datatype random_type(int depth, int only_int) {
  MPI_Datatype made;
  if (depth <= 0 || !below(6)) {
    MPI_Type_contiguous(1 + below(3), random_leaf(only_int), &made);
    return made;
  }
  if (!below(4)) {
    made = random_struct(depth, only_int);
  } else {
    MPI_Datatype inner = random_type(depth - 1, only_int);
    made = random_made_of(inner);
    MPI_Type_free(&inner);
  }
  if (room_of(made) <= MOST_SPAN)
    return made;
  MPI_Type_free(&made);
  return random_type(0, only_int);
}

#endif
