/* The ways of completing requests. See stress.h. */
#include "stress.h"

#include <stdlib.h>

/* Of an array completion's error: which requests are still to complete is in the statuses. */
static void check_error(int error) {
  int class = MPI_SUCCESS;
  if (error)
    MPI_Error_class(error, &class);
  require(class == MPI_SUCCESS || class == MPI_ERR_IN_STATUS, "another error", NULL);
}

static int any_is_active(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    int flag;
    MPI_Status status;
    if (requests[i] == MPI_REQUEST_NULL)
      continue;
    MPI_Request_get_status(requests[i], &flag, &status);
    if (!flag)
      return 1;
  }
  return 0;
}

/* All at once; where an error left some pending, once more. */
static void complete_all(int count, MPI_Request requests[], MPI_Status statuses[], int tests) {
  MPI_Status *found = malloc(((size_t)count + 1) * sizeof *found);
  for (int i = 0; i < count; ++i)
    statuses[i].MPI_ERROR = MPI_ERR_PENDING;
  for (int again = 1; again;) {
    int flag = 1;
    for (int i = 0; i < count; ++i)
      found[i].MPI_ERROR = MPI_SUCCESS;
    const int error =
        tests ? MPI_Testall(count, requests, &flag, found) : MPI_Waitall(count, requests, found);
    check_error(error);
    again = !flag && !error;
    for (int i = 0; i < count && !again; ++i)
      if (statuses[i].MPI_ERROR == MPI_ERR_PENDING)
        statuses[i] = found[i];
    for (int i = 0; i < count; ++i)
      again |= statuses[i].MPI_ERROR == MPI_ERR_PENDING;
  }
  free(found);
}

static void complete_any(int count, MPI_Request requests[], MPI_Status statuses[], int tests) {
  for (;;) {
    int index, flag = 1, error;
    MPI_Status status;
    status.MPI_ERROR = MPI_SUCCESS;
    if (tests)
      error = MPI_Testany(count, requests, &index, &flag, &status);
    else
      error = MPI_Waitany(count, requests, &index, &status);
    if (!flag)
      continue;
    if (index == MPI_UNDEFINED)
      return;
    require(index >= 0 && index < count, "any is none of them", NULL);
    statuses[index] = status;
    statuses[index].MPI_ERROR = error;
  }
}

static void complete_some(int count, MPI_Request requests[], MPI_Status statuses[], int tests) {
  int *indices = malloc(((size_t)count + 1) * sizeof *indices), found;
  MPI_Status *some = malloc(((size_t)count + 1) * sizeof *some);
  for (;;) {
    const int error = tests ? MPI_Testsome(count, requests, &found, indices, some)
                            : MPI_Waitsome(count, requests, &found, indices, some);
    check_error(error);
    if (found == MPI_UNDEFINED)
      break;
    require(tests || found > 0, "some are none", NULL);
    for (int k = 0; k < found; ++k) {
      statuses[indices[k]] = some[k];
      if (!error)
        statuses[indices[k]].MPI_ERROR = MPI_SUCCESS;
    }
  }
  free(indices);
  free(some);
}

static void complete_one_by_one(int count, MPI_Request requests[], MPI_Status statuses[]) {
  for (int i = count - 1; i >= 0; --i)
    statuses[i].MPI_ERROR = MPI_Wait(&requests[i], &statuses[i]);
}

void complete(int count, MPI_Request requests[], MPI_Status statuses[], enum completion way) {
  if (way == WAITALL || way == TESTALL)
    complete_all(count, requests, statuses, way == TESTALL);
  else if (way == WAITANY || way == TESTANY)
    complete_any(count, requests, statuses, way == TESTANY);
  else if (way == WAITSOME || way == TESTSOME)
    complete_some(count, requests, statuses, way == TESTSOME);
  else
    complete_one_by_one(count, requests, statuses);
  require(!any_is_active(count, requests), "not all are complete", NULL);
}

/* --- sends under way ---------------------------------------------------------------------------*/

void pending_send(struct pending *pending, const struct message *message) {
  struct typed typed = message_send(message, &pending->requests[pending->count]);
  if (message->form == BLOCKING)
    free(typed.room);
  else
    pending->typed[pending->count++] = typed;
}

void pending_finish(struct pending *pending) {
  MPI_Status statuses[MAXIMUM_MESSAGES];
  const enum completion way = (enum completion)draw(COMPLETIONS);
  complete(pending->count, pending->requests, statuses, way);
  for (int i = 0; i < pending->count; ++i) {
    int cancelled;
    MPI_Test_cancelled(&statuses[i], &cancelled);
    require(!cancelled, "a send was cancelled", NULL);
    if (pending->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&pending->requests[i]);
    free(pending->typed[i].room);
  }
  pending->count = 0;
}
