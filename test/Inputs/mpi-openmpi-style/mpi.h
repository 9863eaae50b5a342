/* mpi.h - stand-in for Open MPI and its relatives: a handle is the address of an object of the
 * library, whose struct the program never sees. A predefined handle is an address constant, no
 * integer constant.
 */
#ifndef STANDIN_MPI_H
#define STANDIN_MPI_H

typedef struct standin_communicator *MPI_Comm;
typedef struct standin_datatype *MPI_Datatype;
typedef struct standin_op *MPI_Op;
typedef struct standin_request *MPI_Request;
typedef struct standin_group *MPI_Group;
typedef struct standin_info *MPI_Info;
typedef struct standin_win *MPI_Win;
typedef struct standin_file *MPI_File;
typedef long MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;
typedef struct standin_status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int cancelled;
  unsigned long count;
} MPI_Status;

struct standin_predefined_communicator;
struct standin_predefined_datatype;
struct standin_predefined_op;
struct standin_predefined_request;
struct standin_predefined_group;
struct standin_predefined_info;
struct standin_predefined_win;
struct standin_predefined_file;

#ifdef __cplusplus
extern "C" {
#define STANDIN_HANDLE(TYPE, OBJECT) (static_cast<TYPE>(static_cast<void *>(&(OBJECT))))
#else
#define STANDIN_HANDLE(TYPE, OBJECT) ((TYPE)((void *)&(OBJECT)))
#endif
extern struct standin_predefined_communicator standin_comm_null, standin_comm_world,
    standin_comm_self;
extern struct standin_predefined_datatype standin_datatype_null, standin_char, standin_byte,
    standin_short, standin_int, standin_long, standin_float, standin_double,
    standin_c_double_complex, standin_double_int;
extern struct standin_predefined_group standin_group_null, standin_group_empty;
extern struct standin_predefined_info standin_info_null;
extern struct standin_predefined_win standin_win_null;
extern struct standin_predefined_file standin_file_null;
extern struct standin_predefined_op standin_no_op, standin_op_null, standin_band, standin_max, standin_maxloc,
    standin_min, standin_sum;
extern struct standin_predefined_request standin_request_null;
#ifdef __cplusplus
}
#endif

#define MPI_COMM_NULL STANDIN_HANDLE(MPI_Comm, standin_comm_null)
#define MPI_COMM_WORLD STANDIN_HANDLE(MPI_Comm, standin_comm_world)
#define MPI_COMM_SELF STANDIN_HANDLE(MPI_Comm, standin_comm_self)

#define MPI_DATATYPE_NULL STANDIN_HANDLE(MPI_Datatype, standin_datatype_null)
#define MPI_CHAR STANDIN_HANDLE(MPI_Datatype, standin_char)
#define MPI_BYTE STANDIN_HANDLE(MPI_Datatype, standin_byte)
#define MPI_SHORT STANDIN_HANDLE(MPI_Datatype, standin_short)
#define MPI_INT STANDIN_HANDLE(MPI_Datatype, standin_int)
#define MPI_LONG STANDIN_HANDLE(MPI_Datatype, standin_long)
#define MPI_FLOAT STANDIN_HANDLE(MPI_Datatype, standin_float)
#define MPI_DOUBLE STANDIN_HANDLE(MPI_Datatype, standin_double)
#define MPI_C_DOUBLE_COMPLEX STANDIN_HANDLE(MPI_Datatype, standin_c_double_complex)
#define MPI_DOUBLE_INT STANDIN_HANDLE(MPI_Datatype, standin_double_int)

#define MPI_MAX STANDIN_HANDLE(MPI_Op, standin_max)
#define MPI_MIN STANDIN_HANDLE(MPI_Op, standin_min)
#define MPI_OP_NULL STANDIN_HANDLE(MPI_Op, standin_op_null)
#define MPI_BAND STANDIN_HANDLE(MPI_Op, standin_band)
#define MPI_MAXLOC STANDIN_HANDLE(MPI_Op, standin_maxloc)
#define MPI_NO_OP STANDIN_HANDLE(MPI_Op, standin_no_op)
#define MPI_SUM STANDIN_HANDLE(MPI_Op, standin_sum)

#define MPI_REQUEST_NULL STANDIN_HANDLE(MPI_Request, standin_request_null)
#define MPI_GROUP_NULL STANDIN_HANDLE(MPI_Group, standin_group_null)
#define MPI_GROUP_EMPTY STANDIN_HANDLE(MPI_Group, standin_group_empty)
#define MPI_INFO_NULL STANDIN_HANDLE(MPI_Info, standin_info_null)
#define MPI_WIN_NULL STANDIN_HANDLE(MPI_Win, standin_win_null)
#define MPI_FILE_NULL STANDIN_HANDLE(MPI_File, standin_file_null)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_BOTTOM ((void *)0)

#define MPI_SUCCESS 0
#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-4)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)

#include "../mpi-prototypes.h"
#endif
