//===- Products.cpp - The command's output, made from rewritten text --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Driver/Products.h"
#include "Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace mpispec {

/// The linker has written the rule of \p P, with the file \p Made as its target. Here the target
/// becomes the user's output, because make would otherwise never find the rule.
static void correctRule(Session &S, const Product &P, StringRef Made) {
  auto Rule = MemoryBuffer::getFile(P.Rule);
  StringRef Text = Rule ? (*Rule)->getBuffer() : "";
  if (!Text.consume_front(Made) || !Text.starts_with(":"))
    return;
  const std::string Right = P.Output + Text.str();
  if (Error E = writeOutputFile(P.Rule, [&](raw_ostream &OS) { OS << Right; }))
    S.say(toString(std::move(E)));
}

/// Makes \p P as \p Output. Returns true if that succeeded without a message.
static bool make(Session &S, Product &P, StringRef Output) {
  QuietRun Run = S.runQuietly("make", P.Make(Output));
  if (!Run.good() && P.OnRejection)
    P.OnRejection(S.messages());
  P.Made = Run.good() ? Output.str() : "";
  if (Run.good() && !P.Rule.empty())
    correctRule(S, P, Output);
  return Run.good() && Run.Silent;
}

/// Makes \p P in the temporary directory, under its own base name.
static bool makeAside(Session &S, Product &P) {
  Expected<std::string> Directory = S.makeDirectory();
  if (Directory)
    return make(S, P, *Directory + "/" + sys::path::filename(P.Output).str());
  S.say(toString(Directory.takeError()));
  return false;
}

//===- Putting a product where it belongs -----------------------------------------------------===//

/// Copies \p Made to a new name in the directory of \p Target, so that it can replace \p Target
/// atomically. Like every new file there, it has the group and the access list that the directory
/// gives.
static std::error_code copyBeside(StringRef Made, StringRef Target, SmallVectorImpl<char> &Beside) {
  SmallString<256> Model(sys::path::parent_path(Target));
  sys::path::append(Model, ".mpispec-%%%%%%%%");
  int Descriptor = -1;
  if (std::error_code Code = sys::fs::createUniqueFile(Model, Descriptor, Beside))
    return Code;
  std::error_code Code = sys::fs::copy_file(Made, Descriptor);
  sys::fs::file_t File = sys::fs::convertFDToNativeFile(Descriptor);
  sys::fs::closeFile(File);
  return Code;
}

/// Puts P.Made at P.Output. It gets the mode bits of the file that it replaces, if there is one. A
/// symbolic link stays and its target is replaced.
static std::error_code deliver(const Product &P) {
  SmallString<256> Target, Beside;
  bool Replaces = !sys::fs::real_path(P.Output, Target);
  if (!Replaces)
    Target = P.Output;
  ErrorOr<sys::fs::perms> Mode = sys::fs::getPermissions(Replaces ? Target.str() : P.Made);
  if (!Mode)
    return Mode.getError();
  std::error_code Code = copyBeside(P.Made, Target, Beside);
  if (!Code)
    Code = sys::fs::setPermissions(Beside, *Mode);
  if (!Code)
    Code = sys::fs::rename(Beside, Target);
  if (Code && !Beside.empty())
    sys::fs::remove(Beside);
  return Code;
}

/// Calls deliver(), except in a dry run. Returns false if deliver() failed.
static bool putInPlace(Session &S, const Product &P) {
  if (S.settings().DryRun)
    return true;
  std::error_code Code = deliver(P);
  if (Code)
    S.say("cannot replace '" + P.Output + "': " + Code.message());
  return !Code;
}

/// Makes \p P where the user's command has made it, so that its side files are replaced as well.
static void remakeInPlace(Session &S, const CommandLine &User, Product &P) {
  make(S, P, P.Output);
  if (P.Made.empty())
    S.runQuietly("run again", User);
}

//===- All products ---------------------------------------------------------------------------===//

/// Whether the output is no symbolic link and has the mode bits of a new file. Compilers treat
/// other outputs differently. Therefore the user's compiler makes them.
static bool hasOrdinaryPlace(const Product &P) {
  if (sys::fs::is_symlink_file(P.Output))
    return false;
  ErrorOr<sys::fs::perms> Old = sys::fs::getPermissions(P.Output);
  ErrorOr<sys::fs::perms> New = sys::fs::getPermissions(P.Made);
  return !Old || !New || *Old == *New;
}

/// Makes all products and puts them in place. Returns false if a step failed or printed anything,
/// or if an output has no ordinary place. Then the user's command must run.
static bool makeSilently(Session &S, std::vector<Product> &Products) {
  bool Silent = true;
  for (Product &P : Products)
    Silent &= makeAside(S, P);
  return Silent && all_of(Products, hasOrdinaryPlace) &&
         all_of(Products, [&](const Product &P) { return putInPlace(S, P); });
}

static void replaceSpecialised(Session &S, const CommandLine &User, Product &P) {
  if (!P.Specialised)
    return;
  if (P.SideFiles)
    return remakeInPlace(S, User, P);
  if (!P.Made.empty())
    putInPlace(S, P);
}

int makeProducts(Session &S, const CommandLine &User, std::vector<Product> &Products, PlainRun P) {
  if (P == PlainRun::NotNeeded && makeSilently(S, Products))
    return 0;
  if (P != PlainRun::Succeeded) {
    auto IsMade = [](const Product &P) { return P.Specialised && !P.Made.empty(); };
    if (P == PlainRun::NotNeeded && none_of(Products, IsMade))
      return S.endAs(User);
    Ending E = S.runOpenly("run", User);
    if (E.K == Ending::NotStarted)
      return S.endAs(User);
    if (!E.succeeded())
      return E.exitStatus();
  }
  for (Product &Each : Products) {
    if (P != PlainRun::NotNeeded && Each.Specialised && !Each.SideFiles)
      makeAside(S, Each);
    replaceSpecialised(S, User, Each);
  }
  return 0;
}

} // namespace mpispec
