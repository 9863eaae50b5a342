/* Completion of arrays of requests, ours and the library's mixed: MPI_Waitall, Testall, Waitany,
 * Testany, Waitsome, Testsome.
 *
 * An array without a request of ours goes to the library as it stands, unless something of ours is
 * under way. Else the library's requests are copied out side by side, so that the library may look
 * at all of them at once, and copied back. */
#include "completion.h"

#include "helper.h"
#include "transfer.h"

#include <stdlib.h>

/* The library's part of an array. */
struct part {
  int count;
  MPI_Request *requests;
  int *positions; /* in the whole array */
  MPI_Status *statuses;
  int *indices;
};

static int is_in_part(MPI_Request handle) {
  return handle != MPI_REQUEST_NULL && !mpispec_request_is_ours(handle);
}

static struct part part_open(int count, const MPI_Request requests[]) {
  struct part part = {0};
  int first = 0;
  while (first < count && !is_in_part(requests[first]))
    ++first;
  if (first == count)
    return part;
  const size_t room = (size_t)(count - first);
  part.requests = mpispec_must_have(malloc(room * sizeof *part.requests));
  part.positions = mpispec_must_have(malloc(room * sizeof *part.positions));
  part.statuses = mpispec_must_have(malloc(room * sizeof *part.statuses));
  part.indices = mpispec_must_have(malloc(room * sizeof *part.indices));
  for (int i = first; i < count; ++i)
    if (is_in_part(requests[i])) {
      part.requests[part.count] = requests[i];
      part.positions[part.count++] = i;
    }
  return part;
}

static void part_close(struct part *part, MPI_Request requests[]) {
  for (int i = 0; i < part->count; ++i)
    requests[part->positions[i]] = part->requests[i];
  free(part->requests);
  free(part->positions);
  free(part->statuses);
  free(part->indices);
}

/* Is the whole array the library's business? */
static int is_foreign(int count, const MPI_Request requests[]) {
  if (count <= 0 || !requests)
    return 1;
  for (int i = 0; i < count; ++i)
    if (mpispec_request_is_ours(requests[i]))
      return 0;
  return !mpispec_progress_is_needed();
}

static MPI_Status *status_at(MPI_Status statuses[], int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
}

static void store_error(MPI_Status *status, int error) {
  if (status != MPI_STATUS_IGNORE)
    status->MPI_ERROR = error;
}

/* Null, done, or a persistent request at rest: nothing to wait for. */
static int is_at_rest(MPI_Request handle) {
  const struct mpispec_request *request = mpispec_request_find(handle);
  return request && !request->active;
}

static int ours_is_over(MPI_Request handle) {
  struct mpispec_request *request = mpispec_request_find(handle);
  return !request || !request->active || mpispec_request_is_over(request);
}

/* Finishes one of ours that is over. */
static int finish(MPI_Request *handle, MPI_Status *status) {
  struct mpispec_request *request = mpispec_request_find(*handle);
  if (request && !request->active) {
    mpispec_status_set_empty(status);
    return MPI_SUCCESS;
  }
  if (!request || !request->persistent)
    *handle = MPI_REQUEST_NULL;
  if (request)
    return mpispec_request_finish(request, status);
  mpispec_status_set_empty(status);
  return MPI_SUCCESS;
}

/* --- all ---------------------------------------------------------------------------------------*/

static int all_ours_are_over(int count, const MPI_Request requests[], int *from) {
  for (; *from < count; ++*from)
    if (mpispec_request_is_ours(requests[*from]) && !ours_is_over(requests[*from]))
      return 0;
  return 1;
}

/* All are over: finishes ours, and puts the library's statuses in their places. */
static int finish_all(int count, MPI_Request requests[], MPI_Status statuses[], struct part *part,
                      int part_error) {
  int failed = part_error != MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) {
      mpispec_status_set_empty(status_at(statuses, i));
    } else if (mpispec_request_is_ours(requests[i])) {
      const int error = finish(&requests[i], status_at(statuses, i));
      failed |= error != MPI_SUCCESS;
      if (error || failed)
        store_error(status_at(statuses, i), error);
    }
  }
  if (statuses != MPI_STATUSES_IGNORE)
    for (int k = 0; k < part->count; ++k) {
      const int error = statuses[part->positions[k]].MPI_ERROR;
      statuses[part->positions[k]] = part->statuses[k];
      if (part_error != MPI_ERR_IN_STATUS)
        statuses[part->positions[k]].MPI_ERROR = failed ? MPI_SUCCESS : error;
    }
  return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

static int raise_if(int error, int already) {
  if (error && !already)
    mpispec_raise(MPI_COMM_WORLD, error);
  return error;
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  mpispec_lock();
  if (is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Waitall(count, requests, statuses);
  }
  int from = 0, part_error = MPI_SUCCESS;
  mpispec_requests_attend(count, requests);
  for (unsigned round = 0; !all_ours_are_over(count, requests, &from); ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  struct part part = part_open(count, requests);
  int done = part.count == 0;
  for (unsigned round = 0; !done; ++round) {
    part_error = PMPI_Testall(part.count, part.requests, &done, part.statuses);
    if (done || part_error)
      break;
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  const int error = finish_all(count, requests, statuses, &part, part_error);
  part_close(&part, requests);
  mpispec_unlock();
  return raise_if(error, part_error);
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  mpispec_lock();
  mpispec_progress();
  if (!flag || is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Testall(count, requests, flag, statuses);
  }
  int from = 0, error = MPI_SUCCESS, part_error = MPI_SUCCESS;
  *flag = all_ours_are_over(count, requests, &from);
  if (*flag) {
    struct part part = part_open(count, requests);
    if (part.count)
      part_error = PMPI_Testall(part.count, part.requests, flag, part.statuses);
    if (*flag || part_error)
      error = finish_all(count, requests, statuses, &part, part_error);
    part_close(&part, requests);
  }
  if (!*flag)
    mpispec_progress_idle();
  mpispec_unlock();
  return raise_if(error, part_error);
}

/* --- any ---------------------------------------------------------------------------------------*/

/* Looks once. Returns nonzero if one is over (finished, `*index`) or none is active. `*raised`
 * tells whose error handler has been called already. */
static int look_for_any(int count, MPI_Request requests[], int *index, MPI_Status *status,
                        int *error, MPI_Comm *communicator) {
  int active = 0, done = 0, k = MPI_UNDEFINED;
  *error = MPI_SUCCESS;
  *communicator = MPI_COMM_NULL;
  for (int i = 0; i < count; ++i) {
    if (!mpispec_request_is_ours(requests[i]) || is_at_rest(requests[i]))
      continue;
    active = 1;
    if (!ours_is_over(requests[i]))
      continue;
    const struct mpispec_request *request = mpispec_request_find(requests[i]);
    if (request && !request->raised)
      *communicator = request->call.communicator->handle;
    *index = i;
    *error = finish(&requests[i], status);
    return 1;
  }
  struct part part = part_open(count, requests);
  if (part.count)
    *error = PMPI_Testany(part.count, part.requests, &k, &done, status);
  if (k != MPI_UNDEFINED)
    *index = part.positions[k];
  const int all_at_rest = !part.count || (done && k == MPI_UNDEFINED);
  part_close(&part, requests);
  if (k != MPI_UNDEFINED || *error)
    return 1;
  if (active || !all_at_rest)
    return 0;
  *index = MPI_UNDEFINED;
  mpispec_status_set_empty(status);
  return 1;
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  int error;
  MPI_Comm communicator;
  mpispec_lock();
  if (!index || is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Waitany(count, requests, index, status);
  }
  for (unsigned round = 0; !look_for_any(count, requests, index, status, &error, &communicator);
       ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  mpispec_unlock();
  return error && communicator != MPI_COMM_NULL ? mpispec_raise(communicator, error) : error;
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  int error;
  MPI_Comm communicator;
  mpispec_lock();
  mpispec_progress();
  if (!index || !flag || is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Testany(count, requests, index, flag, status);
  }
  *index = MPI_UNDEFINED;
  *flag = look_for_any(count, requests, index, status, &error, &communicator);
  if (!*flag)
    mpispec_progress_idle();
  mpispec_unlock();
  return error && communicator != MPI_COMM_NULL ? mpispec_raise(communicator, error) : error;
}

/* --- some --------------------------------------------------------------------------------------*/

struct some {
  int active, found, failed, raised;
};

static void finish_ours(int count, MPI_Request requests[], int indices[], MPI_Status statuses[],
                        struct some *some) {
  for (int i = 0; i < count; ++i) {
    if (!mpispec_request_is_ours(requests[i]) || is_at_rest(requests[i]))
      continue;
    some->active = 1;
    if (!ours_is_over(requests[i]))
      continue;
    MPI_Status *status = status_at(statuses, some->found);
    const int error = finish(&requests[i], status);
    store_error(status, error);
    some->failed |= error != MPI_SUCCESS;
    indices[some->found++] = i;
  }
}

static void finish_theirs(int count, MPI_Request requests[], int indices[], MPI_Status statuses[],
                          struct some *some) {
  struct part part = part_open(count, requests);
  int found = MPI_UNDEFINED;
  if (part.count)
    some->raised = PMPI_Testsome(part.count, part.requests, &found, part.indices, part.statuses);
  some->active |= found != MPI_UNDEFINED;
  for (int k = 0; found != MPI_UNDEFINED && k < found; ++k) {
    MPI_Status *status = status_at(statuses, some->found);
    if (status != MPI_STATUS_IGNORE)
      *status = part.statuses[k];
    if (some->raised != MPI_ERR_IN_STATUS)
      store_error(status, MPI_SUCCESS);
    indices[some->found++] = part.positions[part.indices[k]];
  }
  some->failed |= some->raised != MPI_SUCCESS;
  part_close(&part, requests);
}

/* Looks once. Returns nonzero if some are over, or none is active (then `*found` is undefined). */
static int look_for_some(int count, MPI_Request requests[], int *found, int indices[],
                         MPI_Status statuses[], struct some *some) {
  *some = (struct some){0};
  finish_ours(count, requests, indices, statuses, some);
  finish_theirs(count, requests, indices, statuses, some);
  *found = some->active ? some->found : MPI_UNDEFINED;
  return some->found || some->failed || !some->active;
}

static int end_some(const struct some *some) {
  return raise_if(some->failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS, some->raised);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *found, int indices[],
                 MPI_Status statuses[]) {
  struct some some;
  mpispec_lock();
  if (!found || is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Waitsome(count, requests, found, indices, statuses);
  }
  for (unsigned round = 0; !look_for_some(count, requests, found, indices, statuses, &some);
       ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
  mpispec_unlock();
  return end_some(&some);
}

int MPI_Testsome(int count, MPI_Request requests[], int *found, int indices[],
                 MPI_Status statuses[]) {
  struct some some;
  mpispec_lock();
  mpispec_progress();
  if (!found || is_foreign(count, requests)) {
    mpispec_unlock();
    return PMPI_Testsome(count, requests, found, indices, statuses);
  }
  if (!look_for_some(count, requests, found, indices, statuses, &some))
    mpispec_progress_idle();
  mpispec_unlock();
  return end_some(&some);
}
