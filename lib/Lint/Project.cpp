//===- Project.cpp - The file .mpispec-lint of a project --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lint/Project.h"
#include "Support/Suggestion.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace llvm;

namespace mpispec {

static constexpr StringLiteral FileName = ".mpispec-lint";
static constexpr StringLiteral ChecksKey = "Checks", BaselineKey = "Baseline";

//===- One file ------------------------------------------------------------------------------===//

namespace {
class ProjectFile {
public:
  ProjectFile(LintProject &P, std::vector<std::string> &Mistakes) : P(P), Mistakes(Mistakes) {}
  void read(MemoryBufferRef Buffer);

private:
  void readRoot(yaml::Node *Root);
  void readEntry(yaml::KeyValueNode &Entry);

  LintProject &P;
  std::vector<std::string> &Mistakes;
  yaml::Stream *Document = nullptr;
};
} // namespace

void ProjectFile::readEntry(yaml::KeyValueNode &Entry) {
  SmallString<64> KeyStorage, ValueStorage;
  auto *Key = dyn_cast_or_null<yaml::ScalarNode>(Entry.getKey());
  if (!Key)
    return Document->printError(Entry.getKey(), "a key is a word");
  const StringRef Name = Key->getValue(KeyStorage);
  if (Name != ChecksKey && Name != BaselineKey)
    return Document->printError(Key, "unknown key '" + Name + "'" +
                                         didYouMean(Name, {ChecksKey, BaselineKey}) +
                                         "; the keys are Checks and Baseline");
  yaml::Node *Node = Entry.getValue();
  auto *Scalar = dyn_cast_or_null<yaml::ScalarNode>(Node);
  auto *Block = dyn_cast_or_null<yaml::BlockScalarNode>(Node);
  if (!Scalar && !Block)
    return Document->printError(Node ? Node : Key,
                                "'" + Name + "' needs a text, as in Checks: " + "'-mpispec-tags'");
  std::string Value = (Scalar ? Scalar->getValue(ValueStorage) : Block->getValue()).str();
  if (Name == ChecksKey) {
    std::replace(Value.begin(), Value.end(), '\n', ','); // a block scalar has several lines
    if (Error E = P.Checks.apply(Value))
      Document->printError(Node, toString(std::move(E)));
    return;
  }
  SmallString<256> Path(Value);
  sys::path::make_absolute(P.Directory, Path);
  P.Baseline = Path.str().str();
}

void ProjectFile::readRoot(yaml::Node *Root) {
  if (!Root || isa<yaml::NullNode>(Root))
    return; // an empty file is good
  auto *Map = dyn_cast<yaml::MappingNode>(Root);
  if (!Map)
    return Document->printError(Root, "the file has lines of the form 'Checks: -mpispec-tags'");
  for (yaml::KeyValueNode &Entry : *Map)
    readEntry(Entry);
}

void ProjectFile::read(MemoryBufferRef Buffer) {
  SourceMgr Manager;
  auto Take = [](const SMDiagnostic &D, void *To) {
    static_cast<std::vector<std::string> *>(To)->push_back(
        (D.getFilename() + ":" + Twine(D.getLineNo()) + ": " + D.getMessage()).str());
  };
  const size_t Before = Mistakes.size();
  Manager.setDiagHandler(Take, &Mistakes);
  yaml::Stream Stream(Buffer, Manager, /*ShowColors=*/false);
  Document = &Stream;
  if (auto First = Stream.begin(); First != Stream.end())
    readRoot(First->getRoot());
  if (Mistakes.size() > Before)
    Mistakes.resize(Before + 1); // further mistakes may be consequences of the first one
}

//===- All -----------------------------------------------------------------------------------===//

const LintProject &LintProjects::inDirectory(StringRef Directory) {
  if (auto Known = Found.find(Directory); Known != Found.end())
    return Known->second;
  SmallString<256> Path(Directory);
  sys::path::append(Path, FileName);
  LintProject P;
  if (auto Buffer = MemoryBuffer::getFile(Path)) {
    P.Directory = Directory.str();
    ProjectFile(P, Mistakes).read((*Buffer)->getMemBufferRef());
  } else if (sys::fs::exists(Path)) {
    Mistakes.push_back((Path + ": " + Buffer.getError().message()).str());
  } else if (StringRef Above = sys::path::parent_path(Directory); !Above.empty()) {
    P = inDirectory(Above);
  }
  return Found[Directory] = std::move(P);
}

const LintProject &LintProjects::of(StringRef File) {
  SmallString<256> Path(File);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return inDirectory(sys::path::parent_path(Path));
}

} // namespace mpispec
