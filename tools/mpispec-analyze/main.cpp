#include "Facts/Prove.h"
#include "llvm/Support/raw_ostream.h"
using namespace mpispec;
int main(int argc, char **argv) {
  std::vector<std::string> Args(argv + 1, argv + argc);
  auto Unit = parse(Args, [](clang::Preprocessor &, unsigned) {});
  if (!Unit) { llvm::errs() << llvm::toString(Unit.takeError()) << '\n'; return 4; }
  print((*Unit)->Sites, llvm::outs());
  if (getenv("DUMP0")) (*Unit)->module().print(llvm::outs(), nullptr);
  print(proveFacts(**Unit), llvm::outs());
  if (getenv("DUMP")) (*Unit)->module().print(llvm::outs(), nullptr);
}
