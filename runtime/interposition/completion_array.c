/* Completion of arrays of requests, ours and the library's mixed: MPI_Waitall, Testall, Waitany,
 * Testany, Waitsome, Testsome.
 *
 * An array without a request of ours goes to the library as it stands, unless something of ours is
 * under way. array.h has what the others need. */
#include "completion.h"
#include "helper.h"
#include "interposition/array.h"
#include "interposition/next.h"
#include "transfer.h"

static int lacking(void) { return mpispec_raise(MPI_COMM_WORLD, MPI_ERR_ARG); }

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

static void wait_for_ours(int count, const MPI_Request requests[]) {
  int from = 0;
  mpispec_requests_attend(count, requests);
  for (unsigned round = 0; !all_ours_are_over(count, requests, &from); ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
  }
}

/* As soon as one has failed, every status tells of an error or of success. */
static void note_failure(int *failed, int count, MPI_Status statuses[]) {
  for (int i = 0; i < count && !*failed; ++i)
    store_error(status_at(statuses, i), MPI_SUCCESS);
  *failed = 1;
}

/* All are over: finishes ours, and puts the library's statuses in their places. */
static int finish_all(int count, MPI_Request requests[], MPI_Status statuses[],
                      struct mpispec_array_part *part, int part_error) {
  int failed = 0;
  if (part_error)
    note_failure(&failed, count, statuses);
  for (int i = 0; i < count; ++i) {
    if (requests[i] == MPI_REQUEST_NULL) {
      mpispec_status_set_empty(status_at(statuses, i));
    } else if (mpispec_request_is_ours(requests[i])) {
      const int error = finish(&requests[i], status_at(statuses, i));
      if (!error)
        continue;
      note_failure(&failed, count, statuses);
      store_error(status_at(statuses, i), error);
    }
  }
  if (statuses != MPI_STATUSES_IGNORE)
    for (int k = 0; k < part->count; ++k) {
      const int error = statuses[part->positions[k]].MPI_ERROR;
      statuses[part->positions[k]] = part->statuses[k];
      if (part_error != MPI_ERR_IN_STATUS)
        statuses[part->positions[k]].MPI_ERROR = error;
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
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, statuses != NULL);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING ? lacking()
                                             : mpispec_next.Waitall(count, requests, statuses);
  }
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  int part_error = MPI_SUCCESS;
  int done = mpispec_array_part_end_some(&part, &part_error);
  if (part_error && part_error != MPI_ERR_IN_STATUS) { /* a handle that is nobody's */
    mpispec_array_part_close(&part, requests);
    mpispec_unlock();
    return part_error;
  }
  wait_for_ours(count, requests);
  for (unsigned round = 0; !done; ++round) {
    mpispec_progress();
    mpispec_progress_relax(round);
    done = mpispec_array_part_end_some(&part, &part_error);
  }
  const int error = finish_all(count, requests, statuses, &part, part_error);
  mpispec_array_part_close(&part, requests);
  mpispec_unlock();
  return raise_if(error, part_error);
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  mpispec_lock();
  mpispec_progress();
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, flag && statuses);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING
               ? lacking()
               : mpispec_next.Testall(count, requests, flag, statuses);
  }
  int from = 0, error = MPI_SUCCESS, part_error = MPI_SUCCESS;
  *flag = all_ours_are_over(count, requests, &from);
  if (*flag) {
    struct mpispec_array_part part = mpispec_array_part_open(count, requests);
    if (part.count)
      part_error = PMPI_Testall(part.count, part.requests, flag, part.statuses);
    if (*flag || part_error)
      error = finish_all(count, requests, statuses, &part, part_error);
    mpispec_array_part_close(&part, requests);
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
    if (request && !request->raised && request->call.communicator)
      *communicator = request->call.communicator->handle;
    *index = i;
    *error = finish(&requests[i], status);
    return 1;
  }
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
  if (part.count)
    *error = PMPI_Testany(part.count, part.requests, &k, &done, status);
  if (k != MPI_UNDEFINED)
    *index = part.positions[k];
  const int all_at_rest = !part.count || (done && k == MPI_UNDEFINED);
  mpispec_array_part_close(&part, requests);
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
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, index && status);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING ? lacking()
                                             : mpispec_next.Waitany(count, requests, index, status);
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
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, index && flag && status);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING
               ? lacking()
               : mpispec_next.Testany(count, requests, index, flag, status);
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
  struct mpispec_array_part part = mpispec_array_part_open(count, requests);
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
  mpispec_array_part_close(&part, requests);
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
  if (some->raised && some->raised != MPI_ERR_IN_STATUS)
    return some->raised; /* a handle that is nobody's */
  return raise_if(some->failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS, some->raised);
}

int MPI_Waitsome(int count, MPI_Request requests[], int *found, int indices[],
                 MPI_Status statuses[]) {
  struct some some;
  mpispec_lock();
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, found && indices && statuses);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING
               ? lacking()
               : mpispec_next.Waitsome(count, requests, found, indices, statuses);
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
  const enum mpispec_array_business business =
      mpispec_array_business_of(count, requests, found && indices && statuses);
  if (business != MPISPEC_ARRAY_OURS) {
    mpispec_unlock();
    return business == MPISPEC_ARRAY_LACKING
               ? lacking()
               : mpispec_next.Testsome(count, requests, found, indices, statuses);
  }
  if (!look_for_some(count, requests, found, indices, statuses, &some))
    mpispec_progress_idle();
  mpispec_unlock();
  return end_some(&some);
}
