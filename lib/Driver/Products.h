//===- Products.h - The command's output, made from rewritten text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user sees exactly the diagnostics of their own command. Therefore the products are made in
// the temporary directory. If no diagnostic was given, they are moved into place. If there was any,
// the user's command runs unchanged and visibly. If this command succeeds, the products from
// rewritten text replace those of the command.
//
// The user's files are not changed before the result of the command is certain.
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
  /// Returns the command that makes the product as \p Output.
  std::function<CommandLine(llvm::StringRef Output)> Make;
  bool Specialised = false; ///< it differs from what the user's command makes
  /// The compiler also writes files that are named after the product. Therefore the product can
  /// only be made in place, and only after the user's command.
  bool SideFiles = false;
  /// A file in which the linker names the product and its inputs, as a rule for make; may be empty.
  std::string Rule;
  /// Called with the compiler's messages if it cannot be made.
  std::function<void(llvm::StringRef Messages)> OnRejection;
  std::string Made; ///< the file that was made; empty: it was not made
};

/// The state of the user's command.
enum class PlainRun : uint8_t {
  NotNeeded, ///< there was no diagnostic yet
  Needed,    ///< there was a diagnostic, so that the command must run
  Succeeded, ///< it ran
};

/// Makes \p Products and returns the exit status of the whole. \p User is the user's command.
int makeProducts(Session &S, const CommandLine &User, std::vector<Product> &Products, PlainRun P);

} // namespace mpispec
#endif
