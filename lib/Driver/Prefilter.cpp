//===- Prefilter.cpp - A text search for MPI calls --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Prefilter.h"
#include "MPI/Functions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <set>

using namespace llvm;

namespace mpispec {

static bool isIdentifierLetter(char Letter) { return isAlnum(Letter) || Letter == '_'; }

/// Is a source with calls of the function analysed? MPI_Comm_rank and MPI_Comm_size do not count,
/// because too many files call only them. Most functions of FunctionKind::Other, such as MPI_Init,
/// do not count either.
static bool isLookedAt(StringRef Name) {
  const FunctionInfo *F = lookUpFunction(Name);
  if (!F || F->Name == "Comm_rank" || F->Name == "Comm_size")
    return false;
  return F->Kind != FunctionKind::Other || F->Name.starts_with("Group_");
}

static bool isHeaderOfMPI(StringRef Path) {
  StringRef Name = sys::path::filename(Path);
  return Name == "mpi.h" || Name == "mpicxx.h";
}

static void searchNames(StringRef Text, TextFindings &Found) {
  constexpr StringLiteral Prefix = "MPI_";
  for (size_t At = 0; (At = Text.find(Prefix, At)) != StringRef::npos; At += Prefix.size()) {
    if (At > 0 && isIdentifierLetter(Text[At - 1]))
      continue;
    Found.NamesMPI = true;
    StringRef Name = Text.substr(At).take_while(isIdentifierLetter);
    if (isLookedAt(Name)) {
      Found.HasCalls = true;
      return;
    }
  }
}

/// Does the macro body \p Body contain two statements outside of all brackets?
static bool isStatementMacro(StringRef Body) {
  unsigned Depth = 0;
  for (size_t At = 0; At < Body.size(); ++At) {
    char Letter = Body[At];
    Depth += Letter == '(' || Letter == '{' || Letter == '[';
    Depth -= Depth && (Letter == ')' || Letter == '}' || Letter == ']');
    if (Letter == ';' && !Depth && !Body.drop_front(At + 1).trim(" \t\r\n\\").empty())
      return true;
  }
  return false;
}

/// A directive's text: up to the first line end that no backslash precedes.
static StringRef logicalLine(StringRef Text) {
  size_t End = 0;
  do
    End = Text.find('\n', End + 1);
  while (End != StringRef::npos && Text.substr(0, End).rtrim('\r').ends_with("\\"));
  return Text.substr(0, End);
}

namespace {
/// Walks from a source through the user's headers.
class Walk {
public:
  explicit Walk(const Invocation &I);
  TextFindings search(StringRef Source);

private:
  void enter(const Twine &Path);
  void searchFile(const std::string &Path);
  void directive(StringRef Line, StringRef Directory);
  void include(StringRef Operand, StringRef Directory);
  bool enterFirst(StringRef Name, ArrayRef<std::string> Directories);

  std::vector<std::string> Quoted, Searched, Forced;
  StringSet<> Known;                                              ///< paths
  std::set<std::pair<sys::fs::UniqueID, std::string>> Identities; ///< directories and file names
  std::vector<std::string> Queue;
  TextFindings Found;
};
} // namespace

Walk::Walk(const Invocation &I) {
  for (const Argument &Arg : I.Arguments) {
    if (Arg.M == Meaning::SearchPath)
      Searched.push_back(Arg.Value);
    else if (Arg.M == Meaning::QuotePath)
      Quoted.push_back(Arg.Value);
    else if (Arg.M == Meaning::ForcedInclude)
      Forced.push_back(Arg.Value);
  }
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (const char *Value = std::getenv(Name)) {
      SmallVector<StringRef> Parts;
      StringRef(Value).split(Parts, ':');
      for (StringRef Part : Parts)
        Searched.push_back(Part.empty() ? "." : Part.str());
    }
}

/// `a/../b/x.h` and `b/x.h` are one file. Headers that include each other by such paths would
/// otherwise get ever longer and ever more paths.
void Walk::enter(const Twine &Path) {
  std::string Name = Path.str();
  if (!Known.insert(Name).second)
    return;
  StringRef Directory = sys::path::parent_path(Name);
  sys::fs::UniqueID Identity(0, 0);
  sys::fs::getUniqueID(Directory.empty() ? "." : Directory, Identity);
  if (Identities.emplace(Identity, sys::path::filename(Name).str()).second)
    Queue.push_back(std::move(Name));
}

bool Walk::enterFirst(StringRef Name, ArrayRef<std::string> Directories) {
  for (const std::string &Directory : Directories) {
    SmallString<256> Path(Directory);
    sys::path::append(Path, Name);
    if (Known.contains(Path))
      return true;
    if (sys::fs::is_regular_file(Path)) {
      enter(Path);
      return true;
    }
  }
  return false;
}

void Walk::include(StringRef Operand, StringRef Directory) {
  char Close = Operand.starts_with("\"") ? '"' : Operand.starts_with("<") ? '>' : 0;
  if (!Close) {
    // The name of the file comes from a macro. It may be any file, also one with calls.
    Found.NamesMPI = Found.NamesProfiling = Found.HasCalls = true;
    return;
  }
  StringRef Name = Operand.drop_front().split(Close).first;
  if (Name.empty() || isHeaderOfMPI(Name))
    return;
  if (sys::path::is_absolute(Name)) {
    if (!canBeReadOnce(Name))
      return enter(Name);
    Found.IncludesOnce = true;
    return;
  }
  if (Close == '"' && (enterFirst(Name, {Directory.str()}) || enterFirst(Name, Quoted)))
    return;
  enterFirst(Name, Searched);
}

void Walk::directive(StringRef Line, StringRef Directory) {
  Line = Line.ltrim(" \t");
  if (Line.consume_front("include_next") || Line.consume_front("include") ||
      Line.consume_front("import"))
    include(Line.ltrim(" \t"), Directory);
  else if (Line.consume_front("define"))
    Found.HasStatementMacro |= isStatementMacro(Line);
}

void Walk::searchFile(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return;
  StringRef Text = (*Buffer)->getBuffer();
  searchNames(Text, Found);
  Found.NamesProfiling |= Text.contains("PMPI_") || Text.contains("##");
  StringRef Directory = sys::path::parent_path(Path);
  for (size_t At = 0; (At = Text.find('#', At)) != StringRef::npos; ++At) {
    StringRef Before = Text.substr(0, At).rtrim(" \t");
    if (Before.empty() || Before.ends_with("\n"))
      directive(logicalLine(Text.substr(At + 1)), Directory);
  }
}

TextFindings Walk::search(StringRef Source) {
  enter(Source);
  for (const std::string &Name : Forced)
    if (!enterFirst(Name, {""}))
      include("\"" + Name + "\"", "");
  // The walk does not stop at the first call, because every file may define a statement macro.
  while (!Queue.empty()) {
    std::string Path = std::move(Queue.back());
    Queue.pop_back();
    searchFile(Path);
  }
  return Found;
}

bool isSpecialFile(StringRef Path) {
  return sys::fs::exists(Path) && !sys::fs::is_regular_file(Path);
}

bool canBeReadOnce(StringRef Path) {
  bool IsDevice = Path.starts_with("/dev/") && !Path.starts_with("/dev/shm/");
  return IsDevice || Path.starts_with("/proc/") || isSpecialFile(Path);
}

TextFindings searchSource(const Invocation &I, StringRef Path) { return Walk(I).search(Path); }

namespace {
/// Follows the line markers of preprocessed text, to determine whether a line belongs to MPI's
/// header.
class Whereabouts {
public:
  bool inHeaderOfMPI() const { return Header != 0; }
  /// \p Marker: `# 12 "foo.h" 1 3`. The flag 1 means that a file is entered, and 2 that the text
  /// returns to one.
  void follow(StringRef Marker) {
    auto [Before, Named] = Marker.split('"');
    auto [File, Flags] = Named.rsplit('"');
    if (Flags.starts_with(" 1")) {
      ++Depth;
      if (!Header && isHeaderOfMPI(File))
        Header = Depth;
    } else if (Flags.starts_with(" 2")) {
      if (Header == Depth)
        Header = 0;
      Depth -= Depth > 0;
    }
  }

private:
  unsigned Depth = 0;  ///< files entered
  unsigned Header = 0; ///< the depth of MPI's header, or 0
};
} // namespace

bool textNamesCalls(StringRef Text) {
  Whereabouts At;
  TextFindings Found;
  while (!Text.empty() && !Found.HasCalls) {
    StringRef Line = Text.take_front(Text.find('\n'));
    Text = Text.drop_front(std::min(Line.size() + 1, Text.size()));
    if (Line.starts_with("# "))
      At.follow(Line);
    else if (!At.inHeaderOfMPI())
      searchNames(Line, Found);
  }
  return Found.HasCalls;
}

} // namespace mpispec
