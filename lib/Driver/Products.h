//===- Products.h - Making the command's output from rewritten text ---------------------------===//
//
// The rule about diagnostics: what the user sees is what their own command says. So the products
// are made out of sight, and as long as all is silent they are put where they belong, and that is
// all. As soon as anything is said, the user's command runs, unchanged and openly; if it succeeds,
// what was made from rewritten text then replaces what it made.
//
// Nothing of the user's is touched before it is known how the command ends.
//
//===------------------------------------------------------------------------------------------===//
#ifndef MPISPEC_DRIVER_PRODUCTS_H
#define MPISPEC_DRIVER_PRODUCTS_H

#include "Driver/Session.h"
#include <functional>

namespace mpispec {

/// A file that the command makes.
struct Product {
  std::string Output;
  /// The command that makes it under another name.
  std::function<CommandLine(llvm::StringRef Output)> Make;
  bool Specialised = false; ///< it differs from what the user's command makes
  /// Files beside it are named after it and belong to it: it can only be made in place, and only
  /// after the user's command.
  bool SideFiles = false;
  std::function<void()> OnRejection; ///< called when it turns out that it cannot be made
  std::string Made;                  ///< where it is as long as it is out of sight; empty: nowhere
};

/// What the user's command has done so far.
enum class PlainRun : uint8_t {
  NotNeeded, ///< nobody had anything to say yet
  Needed,    ///< there was a diagnostic: it has to run
  Succeeded, ///< it ran
};

/// Makes \p Products and returns the exit status of the whole. \p User is the user's command.
int makeProducts(Session &S, const CommandLine &User, std::vector<Product> &Products, PlainRun P);

} // namespace mpispec
#endif
