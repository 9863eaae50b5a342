/* mpi.h - stand-in for a library with the standard ABI of MPI-5.0. A handle is a pointer to an
 * incomplete struct. Predefined handles are small integers cast to this pointer. Ranks and tags with a
 * meaning are enumerators, no macros.
 */
#ifndef STANDIN_MPI_H
#define STANDIN_MPI_H

typedef struct standin_abi_comm *MPI_Comm;
typedef struct standin_abi_datatype *MPI_Datatype;
typedef struct standin_abi_op *MPI_Op;
typedef struct standin_abi_request *MPI_Request;
typedef struct standin_abi_group *MPI_Group;
typedef struct standin_abi_info *MPI_Info;
typedef struct standin_abi_win *MPI_Win;
typedef struct standin_abi_file *MPI_File;
typedef long MPI_Aint;
typedef long MPI_Count;
typedef long MPI_Offset;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int reserved[5];
} MPI_Status;

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)

#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x216)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x229)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_BYTE ((MPI_Datatype)0x247)

#define MPI_OP_NULL ((MPI_Op)0x20)
#define MPI_BAND ((MPI_Op)0x2a)
#define MPI_MAXLOC ((MPI_Op)0x29)
#define MPI_SUM ((MPI_Op)0x21)
#define MPI_MIN ((MPI_Op)0x22)
#define MPI_MAX ((MPI_Op)0x23)
#define MPI_NO_OP ((MPI_Op)0x2e)

#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_WIN_NULL ((MPI_Win)0x110)
#define MPI_FILE_NULL ((MPI_File)0x118)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_BOTTOM ((void *)0)

enum { MPI_SUCCESS = 0 };
enum { MPI_UNDEFINED = -32766 };
enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -2, MPI_PROC_NULL = -3, MPI_ROOT = -4 };

#include "../mpi-prototypes.h"
#endif
