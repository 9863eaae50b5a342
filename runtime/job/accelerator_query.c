/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Queries the libraries of CUDA, HIP and Level Zero about an address. Their headers need not be
 * installed, because this file repeats their constants, types and parameters.
 *
 * An address is host memory if the library has no record of it, as for memory of malloc. It is also
 * host memory if the library returns that it is, as for memory registered with the library. A
 * library that is not initialised has allocated no memory. Memory of a device, memory that moves
 * between host and device, and every error that is not listed here count as memory of a device. */
#include "job/accelerator_query.h"

#include <stddef.h>
#include <stdint.h>

/* --- CUDA --------------------------------------------------------------------------------------*/

/* Calls the driver's functions, because they leave no error behind for the program. */
static int is_host_of_cuda(mpispec_find_function *find, const void *address) {
  enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_INITIALIZED = 3 };     /* CUresult */
  enum { MEMORY_TYPE = 2, IS_MANAGED = 8 };                         /* CUpointer_attribute */
  enum { HOST = 1 };                                                /* CUmemorytype */
  static int (*query)(void *data, int attribute, uint64_t pointer); /* cuPointerGetAttribute */
  unsigned type = 0, managed = 1;
  if (!query)
    *(void **)&query = find("cuPointerGetAttribute");
  if (!query)
    return 1; /* the runtime library loads the driver with the first memory */
  const int error = query(&type, MEMORY_TYPE, (uintptr_t)address);
  if (error == INVALID_VALUE || error == NOT_INITIALIZED)
    return 1; /* the answer for memory of malloc */
  return error == SUCCESS && type == HOST &&
         query(&managed, IS_MANAGED, (uintptr_t)address) == SUCCESS && !managed;
}

/* --- HIP ---------------------------------------------------------------------------------------*/

/* hipPointerAttribute_t, which later versions may extend. */
struct hip_attributes {
  int type, device;
  void *device_pointer, *host_pointer;
  int managed;
  unsigned flags;
  char reserve[96];
};

/* The numbers of hipMemoryType changed with version 6. Host memory was 0. Now it is 1, and memory
 * of which HIP has no record is 0. */
static int is_host_in_hip(const struct hip_attributes *attributes, int version) {
  enum { VERSION_6 = 60000000 };
  return !attributes->managed &&
         (attributes->type == 0 || (attributes->type == 1 && version >= VERSION_6));
}

/* HIP keeps the error of the last call for hipGetLastError. The program must not get an error of
 * these queries. Therefore the function makes no query while an error of a program's call is kept,
 * and clears the error of its own query. */
static int is_host_of_hip(mpispec_find_function *find, const void *address) {
  enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE /* hipError_t */
  };
  static int (*query)(struct hip_attributes *, const void *); /* hipPointerGetAttributes */
  static int (*peek)(void), (*clear)(void), (*get_version)(int *);
  struct hip_attributes attributes = {.managed = 1};
  int version = 0;
  if (!query) {
    *(void **)&peek = find("hipPeekAtLastError");
    *(void **)&clear = find("hipGetLastError");
    *(void **)&get_version = find("hipRuntimeGetVersion");
    *(void **)&query = find("hipPointerGetAttributes");
  }
  if (!query || !peek || !clear || !get_version || peek() != SUCCESS)
    return 0;
  const int error = query(&attributes, address);
  const int has_none = error == NO_DEVICE || error == INVALID_DEVICE; /* none on this node */
  const int is_host = error == INVALID_VALUE || error == NOT_INITIALIZED || has_none ||
                      (error == SUCCESS && get_version(&version) == SUCCESS &&
                       is_host_in_hip(&attributes, version));
  clear();
  return is_host;
}

/* --- Level Zero --------------------------------------------------------------------------------*/

typedef void *ze_handle;

/* ze_memory_allocation_properties_t */
struct ze_properties {
  int structure;
  void *next;
  int type;
  uint64_t id, page_size;
};

/* ze_context_desc_t */
struct ze_context_description {
  int structure;
  const void *next;
  uint32_t flags;
};

enum { MOST_DRIVERS = 8 };

/* A query needs a context of the driver, which need not be the context of the memory. The runtime
 * makes one for each driver after the program has initialised the library. */
static struct {
  ze_handle contexts[MOST_DRIVERS];
  uint32_t count;
  int fails;
  int (*get_drivers)(uint32_t *, ze_handle *);
  int (*make_context)(ze_handle driver, const struct ze_context_description *, ze_handle *);
  int (*query)(ze_handle context, const void *, struct ze_properties *, ze_handle *device);
} ze;

static void make_contexts(const ze_handle *drivers, uint32_t count) {
  enum { CONTEXT = 0xd }; /* ze_structure_type_t */
  const struct ze_context_description description = {.structure = CONTEXT};
  while (ze.count < count && !ze.fails)
    if (ze.make_context(drivers[ze.count], &description, &ze.contexts[ze.count]))
      ze.fails = 1;
    else
      ++ze.count;
}

/* Makes no context if the library is not initialised or has no driver. Then the library has
 * allocated no memory. */
static void open_ze(mpispec_find_function *find) {
  enum { UNINITIALIZED = 0x78000001 }; /* ze_result_t */
  ze_handle drivers[MOST_DRIVERS];
  uint32_t count = 0;
  if (!ze.query) {
    *(void **)&ze.get_drivers = find("zeDriverGet");
    *(void **)&ze.make_context = find("zeContextCreate");
    *(void **)&ze.query = find("zeMemGetAllocProperties");
    ze.fails = !ze.query || !ze.get_drivers || !ze.make_context;
  }
  if (ze.fails)
    return;
  const int error = ze.get_drivers(&count, NULL);
  if (error == UNINITIALIZED || (!error && !count))
    return;
  ze.fails = error || count > MOST_DRIVERS || ze.get_drivers(&count, drivers);
  make_contexts(drivers, count);
}

static int is_host_of_ze(mpispec_find_function *find, const void *address) {
  enum { SUCCESS = 0, PROPERTIES = 0x17, UNKNOWN = 0, HOST = 1 }; /* ze_memory_type_t last */
  if (!ze.count)
    open_ze(find);
  for (uint32_t i = 0; i < ze.count && !ze.fails; ++i) {
    struct ze_properties properties = {.structure = PROPERTIES, .type = -1};
    ze_handle device;
    if (ze.query(ze.contexts[i], address, &properties, &device) != SUCCESS ||
        (properties.type != UNKNOWN && properties.type != HOST))
      return 0;
  }
  return !ze.fails;
}

const struct mpispec_accelerator_family mpispec_accelerator_families[MPISPEC_ACCELERATOR_FAMILIES] =
    {
        [MPISPEC_CUDA] = {"cuPointerGetAttribute", {"libcuda.so", "libcudart.so"}, is_host_of_cuda},
        [MPISPEC_HIP] = {"hipPointerGetAttributes", {"libamdhip64.so"}, is_host_of_hip},
        [MPISPEC_LEVEL_ZERO] = {"zeMemGetAllocProperties", {"libze_loader.so"}, is_host_of_ze},
};
