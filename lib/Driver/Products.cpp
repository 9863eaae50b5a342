//===- Products.cpp - Making the command's output from rewritten text -------------------------===//
#include "Driver/Products.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace mpispec {

/// Makes \p P as \p Output.
static QuietRun make(Session &S, Product &P, StringRef Output) {
  QuietRun Run = S.runQuietly("make", P.Make(Output));
  P.Rejected = !Run.good();
  if (P.Rejected && P.OnRejection)
    P.OnRejection();
  return Run;
}

/// Makes all products in place. True if all went well and nothing was said.
static bool makeInPlace(Session &S, std::vector<Product> &Products) {
  bool Silent = true;
  for (Product &P : Products) {
    QuietRun Run = make(S, P, P.Output);
    Silent &= Run.good() && Run.Silent;
  }
  return Silent;
}

static bool isWorthKeeping(const Product &P) { return P.Specialised && !P.Rejected; }

/// Copies a product out of the way of the user's command. Empty: it has to be made again.
static std::string keep(Session &S, const Product &P) {
  if (P.SideFiles)
    return "";
  Expected<std::string> Directory = S.makeDirectory();
  if (!Directory) {
    S.say(toString(Directory.takeError()));
    return "";
  }
  std::string Kept = *Directory + "/kept";
  return sys::fs::copy_file(P.Output, Kept) ? "" : Kept;
}

/// Replaces \p Output by \p Kept, at once and with the mode bits of what it replaces. A link stays.
static std::error_code replace(StringRef Output, StringRef Kept) {
  SmallString<256> Real, Beside;
  if (std::error_code Code = sys::fs::real_path(Output, Real))
    return Code;
  ErrorOr<sys::fs::perms> Mode = sys::fs::getPermissions(Real);
  if (!Mode)
    return Mode.getError();
  SmallString<256> Model(sys::path::parent_path(Real));
  sys::path::append(Model, ".mpispec-%%%%%%%%");
  int Descriptor = -1;
  if (std::error_code Code = sys::fs::createUniqueFile(Model, Descriptor, Beside))
    return Code;
  std::error_code Code = sys::fs::copy_file(Kept, Descriptor);
  sys::fs::file_t File = sys::fs::convertFDToNativeFile(Descriptor);
  sys::fs::closeFile(File);
  if (!Code)
    Code = sys::fs::setPermissions(Beside, *Mode);
  if (!Code)
    Code = sys::fs::rename(Beside, Real);
  if (Code)
    sys::fs::remove(Beside);
  return Code;
}

/// Makes a product in place although the user's command made one: its side files are replaced too.
static void remakeInPlace(Session &S, const CommandLine &User, Product &P) {
  if (!make(S, P, P.Output).good())
    S.runQuietly("run again", User);
}

/// Puts \p P where the user's command has put its own.
static void putBack(Session &S, const CommandLine &User, Product &P, std::string Kept) {
  if (P.SideFiles)
    return remakeInPlace(S, User, P);
  if (Kept.empty()) {
    Expected<std::string> Directory = S.makeDirectory();
    if (!Directory)
      return S.say(toString(Directory.takeError()));
    Kept = *Directory + "/" + sys::path::filename(P.Output).str();
    if (!make(S, P, Kept).good())
      return;
  }
  if (std::error_code Code = replace(P.Output, Kept))
    S.say("'" + P.Output + "' stays unspecialised: " + Code.message());
}

int makeProducts(Session &S, const CommandLine &User, std::vector<Product> &Products, PlainRun P) {
  std::vector<std::string> Kept(Products.size());
  if (P == PlainRun::NotNeeded) {
    if (makeInPlace(S, Products))
      return 0;
    for (size_t Index = 0; Index < Products.size(); ++Index)
      if (isWorthKeeping(Products[Index]))
        Kept[Index] = keep(S, Products[Index]);
  }
  if (P != PlainRun::Succeeded) {
    if (none_of(Products, isWorthKeeping))
      return S.endAs(User);
    Ending E = S.runOpenly("run", User);
    if (!E.succeeded())
      return E.exitStatus();
  }
  for (size_t Index = 0; Index < Products.size(); ++Index)
    if (isWorthKeeping(Products[Index]))
      putBack(S, User, Products[Index], std::move(Kept[Index]));
  return 0;
}

} // namespace mpispec
