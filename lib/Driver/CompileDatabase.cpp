//===- CompileDatabase.cpp - A build's commands, from compile_commands.json -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/CompileDatabase.h"
#include "Driver/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace mpispec {

/// \p Path, relative to \p Directory, without symbolic links and dots if it exists.
static std::string realName(StringRef Directory, StringRef Path) {
  SmallString<256> Full(Path);
  sys::path::make_absolute(Directory, Full);
  SmallString<256> Real;
  if (!sys::fs::real_path(Full, Real))
    return Real.str().str();
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

static Error notADatabase(const Twine &Path, const Twine &Why) {
  return createStringError("'" + Path + "' is no compile database: " + Why +
                           "; write it again, for example with cmake "
                           "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
}

static CommandLine wordsOf(const json::Object &Entry) {
  CommandLine Words;
  if (const json::Array *Arguments = Entry.getArray("arguments")) {
    for (const json::Value &Word : *Arguments)
      Words.push_back(Word.getAsString().value_or("").str());
  } else if (std::optional<StringRef> Command = Entry.getString("command")) {
    Words = splitWords(*Command);
  }
  return Words;
}

static SmallString<256> pathIn(StringRef BuildDirectory) {
  SmallString<256> Path(BuildDirectory);
  sys::path::append(Path, "compile_commands.json");
  return Path;
}

static Expected<json::Array> readDatabase(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path + "': " + Buffer.getError().message() +
                             "; name the build directory that holds compile_commands.json, which "
                             "cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON and bear -- make write");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return notADatabase(Path, toString(Root.takeError()));
  if (json::Array *Entries = Root->getAsArray())
    return std::move(*Entries);
  return notADatabase(Path, "it is not an array");
}

Expected<std::vector<DatabaseEntry>> sourcesInDatabase(StringRef BuildDirectory) {
  SmallString<256> Path = pathIn(BuildDirectory), Here;
  sys::fs::current_path(Here);
  Expected<json::Array> Entries = readDatabase(Path);
  if (!Entries)
    return Entries.takeError();
  std::vector<DatabaseEntry> Sources;
  for (const json::Value &Value : *Entries) {
    const json::Object *Entry = Value.getAsObject();
    if (!Entry || !Entry->getString("directory") || !Entry->getString("file"))
      return notADatabase(Path, "an entry has no 'directory' or no 'file'");
    std::string Directory = realName(Here, *Entry->getString("directory"));
    std::string File = realName(Directory, *Entry->getString("file"));
    Sources.push_back({std::move(File), std::move(Directory), wordsOf(*Entry)});
    if (Sources.back().Words.empty())
      return notADatabase(Path, "the entry for '" + *Entry->getString("file") + "' has no command");
  }
  return Sources;
}

Expected<DatabaseEntry> findInDatabase(StringRef BuildDirectory, StringRef File) {
  SmallString<256> Here;
  sys::fs::current_path(Here);
  Expected<std::vector<DatabaseEntry>> Sources = sourcesInDatabase(BuildDirectory);
  if (!Sources)
    return Sources.takeError();
  auto Entry = find_if(*Sources, [Wanted = realName(Here, File)](const DatabaseEntry &E) {
    return E.File == Wanted;
  });
  if (Entry != Sources->end())
    return std::move(*Entry);
  return createStringError("'" + pathIn(BuildDirectory) + "' has no entry for '" + File +
                           "'; build that source once more, or give its flags after --");
}

namespace {
/// The compilers behind the commands of a build. Each wrapper is run once.
class Compilers {
public:
  /// \p Words, with the wrapper replaced by the compiler and the words that the wrapper adds.
  CommandLine behind(const CommandLine &Words);

private:
  const CommandLine &answerOf(const Command &C);

  std::map<CommandLine, CommandLine> Answers;
};
} // namespace

const CommandLine &Compilers::answerOf(const Command &C) {
  auto [Known, New] = Answers.try_emplace(C.Compiler);
  if (New) {
    Command Ask = C;
    Ask.Arguments = {"-c"};
    Toolchain T = resolveToolchain(Ask);
    Known->second = {T.Compiler.back()};
    copy_if(T.Arguments, std::back_inserter(Known->second),
            [](const std::string &Word) { return Word != "-c"; });
  }
  return Known->second;
}

CommandLine Compilers::behind(const CommandLine &Words) {
  Command C = splitCommand(Words);
  CommandLine All = answerOf(C);
  copy_if(C.Arguments, std::back_inserter(All),
          [](const std::string &Word) { return !StringRef(Word).starts_with("--mpispec-"); });
  return All;
}

Expected<json::Array> databaseOfCompilers(StringRef BuildDirectory) {
  SmallString<256> Path = pathIn(BuildDirectory);
  Expected<json::Array> Entries = readDatabase(Path);
  if (!Entries)
    return Entries.takeError();
  Compilers Asked;
  for (json::Value &Value : *Entries) {
    json::Object *Entry = Value.getAsObject();
    CommandLine Words = Entry ? wordsOf(*Entry) : CommandLine();
    if (Words.empty())
      return notADatabase(Path, "an entry has no command");
    Entry->erase("command");
    (*Entry)["arguments"] = json::Array(Asked.behind(Words));
  }
  return Entries;
}

} // namespace mpispec
