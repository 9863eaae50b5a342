/* The ways of completing requests. See stress.h. */
#include "stress.h"

#include <stdlib.h>

/* After an error of an array completion, the statuses show which requests are still to complete. */
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

/* The calls themselves, each by its name, so that a specialised program has them as sites. Those of
 * PMPI are what another library calls that wants to be seen by no tool. */
static int call_all(int count, MPI_Request requests[], int *flag, MPI_Status statuses[],
                    enum completion way) {
  *flag = 1;
  switch (way) {
  case TESTALL:
    return MPI_Testall(count, requests, flag, statuses);
  case PLAIN_WAITALL:
    return PMPI_Waitall(count, requests, statuses);
  case PLAIN_TESTALL:
    return PMPI_Testall(count, requests, flag, statuses);
  default:
    return MPI_Waitall(count, requests, statuses);
  }
}

static int call_any(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status,
                    enum completion way) {
  *flag = 1;
  switch (way) {
  case TESTANY:
    return MPI_Testany(count, requests, index, flag, status);
  case PLAIN_WAITANY:
    return PMPI_Waitany(count, requests, index, status);
  case PLAIN_TESTANY:
    return PMPI_Testany(count, requests, index, flag, status);
  default:
    return MPI_Waitany(count, requests, index, status);
  }
}

static int call_some(int count, MPI_Request requests[], int *found, int indices[],
                     MPI_Status statuses[], enum completion way) {
  switch (way) {
  case TESTSOME:
    return MPI_Testsome(count, requests, found, indices, statuses);
  case PLAIN_WAITSOME:
    return PMPI_Waitsome(count, requests, found, indices, statuses);
  case PLAIN_TESTSOME:
    return PMPI_Testsome(count, requests, found, indices, statuses);
  default:
    return MPI_Waitsome(count, requests, found, indices, statuses);
  }
}

static int call_one(MPI_Request *request, int *flag, MPI_Status *status, enum completion way) {
  *flag = 1;
  switch (way) {
  case TEST_EACH:
    return MPI_Test(request, flag, status);
  case PLAIN_ONE_BY_ONE:
    return PMPI_Wait(request, status);
  case PLAIN_TEST_EACH:
    return PMPI_Test(request, flag, status);
  default:
    return MPI_Wait(request, status);
  }
}

/* All at once; where an error left some pending, once more. */
static void complete_all(int count, MPI_Request requests[], MPI_Status statuses[],
                         enum completion way) {
  MPI_Status *found = malloc(((size_t)count + 1) * sizeof *found);
  for (int i = 0; i < count; ++i)
    statuses[i].MPI_ERROR = MPI_ERR_PENDING;
  for (int again = 1; again;) {
    int flag;
    for (int i = 0; i < count; ++i)
      found[i].MPI_ERROR = MPI_SUCCESS;
    const int error = call_all(count, requests, &flag, found, way);
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

static void complete_any(int count, MPI_Request requests[], MPI_Status statuses[],
                         enum completion way) {
  for (;;) {
    int index, flag;
    MPI_Status status;
    status.MPI_ERROR = MPI_SUCCESS;
    const int error = call_any(count, requests, &index, &flag, &status, way);
    if (!flag)
      continue;
    if (index == MPI_UNDEFINED)
      return;
    require(index >= 0 && index < count, "any is none of them", NULL);
    statuses[index] = status;
    statuses[index].MPI_ERROR = error;
  }
}

static void complete_some(int count, MPI_Request requests[], MPI_Status statuses[],
                          enum completion way) {
  int *indices = malloc(((size_t)count + 1) * sizeof *indices), found;
  MPI_Status *some = malloc(((size_t)count + 1) * sizeof *some);
  const int tests = way == TESTSOME || way == PLAIN_TESTSOME;
  for (;;) {
    const int error = call_some(count, requests, &found, indices, some, way);
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

/* From the last to the first; tests go round until all are complete. */
static void complete_one_by_one(int count, MPI_Request requests[], MPI_Status statuses[],
                                enum completion way) {
  char *done = calloc((size_t)count + 1, 1);
  for (int left = count; left > 0;)
    for (int i = count - 1; i >= 0; --i) {
      int flag = 0, error = MPI_SUCCESS;
      if (!done[i])
        error = call_one(&requests[i], &flag, &statuses[i], way);
      if (!flag && !error)
        continue;
      statuses[i].MPI_ERROR = error;
      done[i] = 1;
      --left;
    }
  free(done);
}

void complete(int count, MPI_Request requests[], MPI_Status statuses[], enum completion way) {
  if (way <= PLAIN_TESTALL)
    complete_all(count, requests, statuses, way);
  else if (way <= PLAIN_TESTANY)
    complete_any(count, requests, statuses, way);
  else if (way <= PLAIN_TESTSOME)
    complete_some(count, requests, statuses, way);
  else
    complete_one_by_one(count, requests, statuses, way);
  require(!any_is_active(count, requests), "not all are complete", NULL);
}

/* --- without a status --------------------------------------------------------------------------*/

static void ignore_any(int count, MPI_Request requests[], int tests) {
  for (int index = 0, flag = 1; !flag || index != MPI_UNDEFINED;)
    if (tests)
      MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
    else
      MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
}

static void ignore_some(int count, MPI_Request requests[], int tests) {
  int *indices = malloc(((size_t)count + 1) * sizeof *indices);
  for (int found = 0; found != MPI_UNDEFINED;)
    if (tests)
      MPI_Testsome(count, requests, &found, indices, MPI_STATUSES_IGNORE);
    else
      MPI_Waitsome(count, requests, &found, indices, MPI_STATUSES_IGNORE);
  free(indices);
}

static void ignore_each(int count, MPI_Request requests[], int tests) {
  for (int i = 0; i < count; ++i) {
    int flag = !tests;
    if (!tests)
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    while (!flag)
      MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
  }
}

void complete_ignoring(int count, MPI_Request requests[], enum completion way) {
  int flag = way == WAITALL || way == PLAIN_WAITALL;
  if (flag)
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  else if (way <= PLAIN_TESTALL)
    while (!flag)
      MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
  else if (way <= PLAIN_TESTANY)
    ignore_any(count, requests, way % 2);
  else if (way <= PLAIN_TESTSOME)
    ignore_some(count, requests, way % 2);
  else
    ignore_each(count, requests, way % 2);
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
  MPI_Status statuses[MAXIMUM_MESSAGES] = {{0}}; /* those of null requests may stay as they are */
  const enum completion way = (enum completion)draw(COMPLETIONS);
  const int ignores = draw(2);
  if (ignores)
    complete_ignoring(pending->count, pending->requests, way);
  else
    complete(pending->count, pending->requests, statuses, way);
  for (int i = 0; i < pending->count; ++i) {
    int cancelled = 0;
    if (!ignores)
      MPI_Test_cancelled(&statuses[i], &cancelled);
    require(!cancelled, "a send was cancelled", NULL);
    if (pending->requests[i] != MPI_REQUEST_NULL)
      MPI_Request_free(&pending->requests[i]);
    free(pending->typed[i].room);
  }
  pending->count = 0;
}
