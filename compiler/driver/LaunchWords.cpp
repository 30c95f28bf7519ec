//===- LaunchWords.cpp - arguments of a launch as words ---------------------===//
// See LaunchWords.h.
#include "compiler/driver/LaunchWords.h"

namespace forerun::driver {

llvm::Expected<std::vector<std::uint64_t>> launchWords(const interpreter::Launch& launch, AddressOf addressOf) {
  std::vector<std::uint64_t> words;
  for (const interpreter::RuntimeValue& argument : launch.arguments) {
    if (const auto* scalar = std::get_if<interpreter::Scalar>(&argument)) {
      std::uint64_t bits = 0;
      interpreter::storeColumn(scalar->type, scalar->bytes, &bits, 1);
      words.push_back(bits);
      continue;
    }
    const interpreter::View& view = std::get<interpreter::View>(argument);
    auto address = addressOf(view.storage);
    if (!address) return address.takeError();
    words.push_back(*address + static_cast<std::uint64_t>(view.base()) * view.storage->elementBytes());
    for (unsigned d = 0; d < view.rank(); ++d) words.push_back(static_cast<std::uint64_t>(view.extentOf(d)));
    // Rows of a packed type begin at a whole byte. (A host function takes no windows.)
    const unsigned last = view.rank() - 1;
    const std::int64_t row = view.extentOf(last), padded = isa::isPacked(view.storage->type) ? (row + 1) / 2 * 2 : row;
    for (unsigned d = 0; d < view.rank(); ++d)
      words.push_back(
          static_cast<std::uint64_t>(d == last || row == 0 ? view.stride(d) : view.stride(d) / row * padded));
  }
  return words;
}

}  // namespace forerun::driver
