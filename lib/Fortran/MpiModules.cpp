//===- MpiModules.cpp - MPI's Fortran modules as source text ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fortran/MpiModules.h"
#include "Fortran/FortranCall.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

/// Functions that need no row in Functions.def, because no rule reads their arguments in Fortran.
static constexpr StringLiteral Others[] = {"Finalize",
                                           "Pcontrol",
                                           "Address",
                                           "Type_extent",
                                           "Type_lb",
                                           "Type_ub",
                                           "Type_struct",
                                           "Type_hvector",
                                           "Type_hindexed",
                                           "Type_match_size",
                                           "Type_create_f90_real",
                                           "Type_create_f90_complex",
                                           "Type_create_f90_integer",
                                           "Type_get_name",
                                           "Type_set_name",
                                           "Type_get_envelope",
                                           "Type_get_contents",
                                           "Type_get_attr",
                                           "Type_set_attr",
                                           "Type_delete_attr",
                                           "Type_create_keyval",
                                           "Type_free_keyval",
                                           "Keyval_create",
                                           "Keyval_free",
                                           "Attr_put",
                                           "Attr_get",
                                           "Attr_delete",
                                           "Comm_create_keyval",
                                           "Comm_free_keyval",
                                           "Comm_get_attr",
                                           "Comm_set_attr",
                                           "Comm_delete_attr",
                                           "Comm_get_parent",
                                           "Comm_spawn",
                                           "Comm_spawn_multiple",
                                           "Comm_accept",
                                           "Comm_connect",
                                           "Comm_join",
                                           "Comm_call_errhandler",
                                           "Comm_create_errhandler",
                                           "Errhandler_create",
                                           "Errhandler_set",
                                           "Errhandler_get",
                                           "Errhandler_free",
                                           "Open_port",
                                           "Close_port",
                                           "Publish_name",
                                           "Unpublish_name",
                                           "Lookup_name",
                                           "Info_create",
                                           "Info_free",
                                           "Info_set",
                                           "Info_get",
                                           "Info_delete",
                                           "Info_dup",
                                           "Info_get_nkeys",
                                           "Info_get_nthkey",
                                           "Info_get_valuelen",
                                           "Info_get_string",
                                           "Info_create_env",
                                           "Alloc_mem",
                                           "Free_mem",
                                           "Sizeof",
                                           "Get_library_version",
                                           "Add_error_class",
                                           "Add_error_code",
                                           "Add_error_string",
                                           "Grequest_start",
                                           "Grequest_complete",
                                           "Status_set_cancelled",
                                           "Status_set_elements",
                                           "Status_set_elements_x",
                                           "Status_f2f08",
                                           "Status_f082f",
                                           "Pack_external",
                                           "Unpack_external",
                                           "Pack_external_size",
                                           "Register_datarep",
                                           "Win_allocate_cptr",
                                           "Win_shared_query",
                                           "Win_get_name",
                                           "Win_set_name",
                                           "Win_get_attr",
                                           "Win_set_attr",
                                           "Win_delete_attr",
                                           "Win_create_keyval",
                                           "Win_free_keyval",
                                           "Win_create_errhandler",
                                           "Win_set_errhandler",
                                           "Win_get_errhandler",
                                           "Win_call_errhandler",
                                           "Win_set_info",
                                           "Win_get_info",
                                           "File_delete",
                                           "File_get_amode",
                                           "File_set_info",
                                           "File_get_info",
                                           "File_get_view",
                                           "File_get_byte_offset",
                                           "File_get_type_extent",
                                           "File_set_atomicity",
                                           "File_get_atomicity",
                                           "File_create_errhandler",
                                           "File_set_errhandler",
                                           "File_get_errhandler",
                                           "File_call_errhandler",
                                           "Group_from_session_pset",
                                           "Session_init",
                                           "Session_finalize",
                                           "Session_get_info",
                                           "Session_get_num_psets",
                                           "Session_get_nth_pset",
                                           "Session_get_pset_info"};

/// Maps `mpi_comm_rank` to `Comm_rank`, the usual form of the name without its prefix.
static const StringMap<std::string> &functions() {
  static const StringMap<std::string> ByName = [] {
    StringMap<std::string> Map;
    for (const FunctionInfo &F : allFunctions())
      Map["mpi_" + F.Name.lower()] = F.Name.str();
    for (StringRef Name : Others)
      Map["mpi_" + Name.lower()] = Name.str();
    return Map;
  }();
  return ByName;
}

std::string mpiFunctionName(StringRef SmallLetters) {
  std::string Name = functions().lookup(SmallLetters);
  return Name.empty() ? "" : "MPI_" + Name;
}

std::string headerModuleSource() {
  return ("module " + HeaderModule + "\ninclude 'mpif.h'\nend module\n").str();
}

static void declareFunctions(const StringSet<> &Header, raw_ostream &OS) {
  for (const auto &Entry : functions())
    if (!Header.contains(Entry.getKey()))
      OS << "external :: " << Entry.getKey() << '\n';
}

//===- mpi_f08 -------------------------------------------------------------------------------===//

/// The types of handles, each with its constants. constantsOf() adds the names of datatypes.
static constexpr struct {
  StringLiteral Type;
  StringLiteral Constants; ///< separated by blanks, in lower case
} HandleTypes[] = {
    {"mpi_comm", "mpi_comm_world mpi_comm_self mpi_comm_null"},
    {"mpi_datatype", "mpi_datatype_null"},
    {"mpi_errhandler",
     "mpi_errors_are_fatal mpi_errors_return mpi_errors_abort mpi_errhandler_null"},
    {"mpi_file", "mpi_file_null"},
    {"mpi_group", "mpi_group_null mpi_group_empty"},
    {"mpi_info", "mpi_info_null mpi_info_env"},
    {"mpi_message", "mpi_message_null mpi_message_no_proc"},
    {"mpi_op", "mpi_op_null mpi_max mpi_min mpi_sum mpi_prod mpi_land mpi_band mpi_lor mpi_bor "
               "mpi_lxor mpi_bxor mpi_minloc mpi_maxloc mpi_replace mpi_no_op"},
    {"mpi_request", "mpi_request_null"},
    {"mpi_session", "mpi_session_null"},
    {"mpi_win", "mpi_win_null"},
};

/// Datatypes of C, which Fortran programs may name as well.
static constexpr StringLiteral DatatypesOfC =
    "mpi_char mpi_signed_char mpi_unsigned_char mpi_short mpi_unsigned_short mpi_int mpi_unsigned "
    "mpi_long mpi_unsigned_long mpi_long_long mpi_long_long_int mpi_unsigned_long_long mpi_float "
    "mpi_double mpi_long_double mpi_c_bool mpi_int8_t mpi_int16_t mpi_int32_t mpi_int64_t "
    "mpi_uint8_t mpi_uint16_t mpi_uint32_t mpi_uint64_t mpi_c_complex mpi_c_float_complex "
    "mpi_c_double_complex mpi_c_long_double_complex mpi_wchar mpi_2int mpi_double_int "
    "mpi_float_int mpi_long_int mpi_short_int mpi_long_double_int mpi_cxx_bool";

static SmallVector<std::string> constantsOf(StringRef Type, StringRef Listed,
                                            const StringSet<> &Header) {
  SmallVector<std::string> Names;
  auto Add = [&](StringRef Words) {
    SmallVector<StringRef> Split;
    Words.split(Split, ' ');
    for (StringRef Name : Split)
      if (Header.contains(Name))
        Names.push_back(Name.str());
  };
  Add(Listed);
  if (Type == "mpi_datatype") {
    Add(DatatypesOfC);
    for (const FortranDatatype &D : allFortranDatatypes())
      Add(D.Name.lower());
  }
  return Names;
}

static void declareF08(const StringSet<> &Header, raw_ostream &OS) {
  std::string Renamed, Declared;
  for (const auto &[Type, Listed] : HandleTypes) {
    Declared += ("type, bind(c) :: " + Type + "\ninteger :: mpi_val\nend type\n").str();
    for (const std::string &Name : constantsOf(Type, Listed, Header)) {
      Renamed += ", &\n& h_" + Name + " => " + Name;
      Declared +=
          ("type(" + Type + "), parameter :: " + Name + " = " + Type + "(h_" + Name + ")\n").str();
    }
  }
  // The header's statuses are arrays of integers.
  for (StringRef Name : {"mpi_status_ignore", "mpi_statuses_ignore"})
    if (Header.contains(Name))
      Renamed += (", &\n& h_" + Name + " => " + Name).str();
  OS << "module mpi_f08\nuse " << HeaderModule << Renamed << "\n"
     << Declared
     << "type, bind(c) :: mpi_status\ninteger :: mpi_source, mpi_tag, mpi_error\n"
        "integer :: mpi_internal(5)\nend type\n"
        "type(mpi_status) :: mpi_status_ignore, mpi_statuses_ignore(1)\n"
        "interface operator(==)\nmodule procedure equal_comm, equal_datatype, equal_request\n"
        "end interface\n"
        "interface operator(/=)\nmodule procedure other_comm, other_datatype, other_request\n"
        "end interface\n";
  declareFunctions(Header, OS);
  OS << "contains\n";
  for (StringRef Type : {"comm", "datatype", "request"})
    for (StringRef Kind : {"equal", "other"})
      OS << "elemental logical function " << Kind << '_' << Type << "(a, b)\ntype(mpi_" << Type
         << "), intent(in) :: a, b\n"
         << Kind << '_' << Type << " = a%mpi_val " << (Kind == "equal" ? "==" : "/=")
         << " b%mpi_val\nend function\n";
  OS << "end module\n";
}

std::string mpiModulesSource(const StringSet<> &Header) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "module mpi\nuse " << HeaderModule << '\n';
  declareFunctions(Header, OS);
  OS << "end module\n";
  declareF08(Header, OS);
  return Text;
}

} // namespace mpispec
