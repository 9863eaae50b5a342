/* Libraries of accelerators with the interface and the answers of the real ones. malloc'd memory is an invalid value
 * for CUDA and HIP 5, unregistered for HIP 6, and unknown for Level Zero. FAMILY is CUDA, HIP, HIP5 or ZE.
 *
 * The memory of the device is ordinary memory, so that any MPI library can copy it. The functions by which the
 * MPI library packs it are counted. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA, HIP, HIP5, ZE };
#ifndef FAMILY
#define FAMILY CUDA
#endif

enum { HOST = 1, DEVICE, MANAGED };

static struct {
  char *begin;
  size_t bytes;
  int kind;
} known[64];
static int initialized;
long device_queries, device_packs, device_last_error;

void device_initialize(void) { initialized = 1; }

/* Memory at this place is of that kind from now on; 0: of no kind. */
void device_register(void *begin, size_t bytes, int kind) {
  int i = 0;
  while (i < 64 && (!known[i].kind || known[i].begin != begin))
    ++i;
  for (i %= 64; known[i].kind && known[i].begin != begin;)
    ++i; /* a free place */
  known[i].begin = begin;
  known[i].bytes = bytes;
  known[i].kind = kind;
}

static int kind_at(const void *address) {
  ++device_queries;
  for (int i = 0; i < 64; ++i)
    if (known[i].kind && (const char *)address >= known[i].begin &&
        (const char *)address < known[i].begin + known[i].bytes)
      return known[i].kind;
  return 0;
}

#if FAMILY == CUDA
int cuPointerGetAttribute(void *data, int attribute, uint64_t pointer) {
  const int kind = kind_at((void *)pointer);
  if (!initialized)
    return 3; /* CUDA_ERROR_NOT_INITIALIZED */
  if (!kind)
    return 1; /* CUDA_ERROR_INVALID_VALUE */
  if (attribute == 2)
    *(unsigned *)data = kind == HOST ? 1 : 2; /* CU_MEMORYTYPE_HOST, DEVICE */
  else if (attribute == 8)
    *(unsigned *)data = kind == MANAGED; /* CU_POINTER_ATTRIBUTE_IS_MANAGED */
  return 0;
}
#elif FAMILY == ZE
static int context, driver;
int zeDriverGet(uint32_t *count, void **drivers) {
  if (!initialized)
    return 0x78000001; /* ZE_RESULT_ERROR_UNINITIALIZED */
  *count = 1;
  if (drivers)
    drivers[0] = &driver;
  return 0;
}
int zeContextCreate(void *of, const void *description, void **made) {
  *made = &context;
  return of == &driver && *(const int *)description == 0xd ? 0 : 0x78000004;
}
struct properties {
  int structure;
  void *next;
  int type;
  uint64_t id, page_size;
};
int zeMemGetAllocProperties(void *in, const void *address, struct properties *properties, void **device) {
  static const int types[] = {0, 1, 2, 3}; /* ZE_MEMORY_TYPE_UNKNOWN, HOST, DEVICE, SHARED */
  if (in != &context || properties->structure != 0x17)
    return 0x78000004;
  *device = NULL;
  properties->type = types[kind_at(address)];
  return 0;
}
#else
struct attributes {
  int type, device;
  void *device_pointer, *host_pointer;
  int managed;
  unsigned flags;
};
int hipPointerGetAttributes(struct attributes *attributes, const void *address) {
  const int kind = kind_at(address);
  device_last_error = !initialized ? 3 : !kind && FAMILY == HIP5; /* hipErrorNotInitialized, InvalidValue */
  memset(attributes, 0, sizeof *attributes);
  attributes->type = FAMILY == HIP ? kind : kind == HOST ? 0 : kind == DEVICE ? 1 : 4;
  attributes->managed = kind == MANAGED;
  return (int)device_last_error;
}
int hipPeekAtLastError(void) { return (int)device_last_error; }
int hipGetLastError(void) {
  const int error = (int)device_last_error;
  device_last_error = 0;
  return error;
}
int hipRuntimeGetVersion(int *version) {
  *version = FAMILY == HIP ? 60032830 : 50731921;
  return 0;
}
#endif

/* --- what the MPI library is asked to pack ---------------------------------------------------------*/

#define NEXT(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                                           \
  int NAME PARAMETERS {                                                                                                \
    ++device_packs;                                                                                                    \
    return NEXT(NAME) ARGUMENTS;                                                                                       \
  }

#if MPI_VERSION >= 4
COUNTED(PMPI_Pack_c, (const void *b, MPI_Count n, MPI_Datatype t, void *o, MPI_Count s, MPI_Count *p, MPI_Comm c),
        (b, n, t, o, s, p, c))
COUNTED(PMPI_Unpack_c, (const void *b, MPI_Count s, MPI_Count *p, void *o, MPI_Count n, MPI_Datatype t, MPI_Comm c),
        (b, s, p, o, n, t, c))
#endif
COUNTED(PMPI_Pack, (const void *b, int n, MPI_Datatype t, void *o, int s, int *p, MPI_Comm c), (b, n, t, o, s, p, c))
COUNTED(PMPI_Unpack, (const void *b, int s, int *p, void *o, int n, MPI_Datatype t, MPI_Comm c), (b, s, p, o, n, t, c))
