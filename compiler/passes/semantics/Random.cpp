//===- Random.cpp - tile.random as straight-line code ----------------------===//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011), as
// compiler/runtime/Philox.h has it for the host.
#include "compiler/passes/semantics/Expansions.h"

#include <array>

using namespace mlir;

namespace forerun::passes::semantics {

Value expandRandom(ScalarBuilder& b, Value seed, Value position) {
  constexpr std::int64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57, kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  const Type word = b.integerType(32);
  auto low = [&](Value value) { return b.narrowInt(word, value); };
  auto high = [&](Value value) { return b.narrowInt(word, b.shiftRightUnsigned(value, 32)); };
  auto multiply = [&](Value value, std::int64_t by) {
    return expandMultiplyExtended(b, value, b.integer(word, by), /*isSigned=*/false);
  };
  Value block = b.shiftRightUnsigned(position, 2), zero = b.integer(word, 0);
  std::array<Value, 4> counter{low(block), high(block), zero, zero};
  std::array<Value, 2> key{low(seed), high(seed)};
  for (int round = 0; round < 10; ++round) {
    const LowHigh first = multiply(counter[0], kMultiplier0), second = multiply(counter[2], kMultiplier1);
    counter = {b.bitXor(b.bitXor(second.high, counter[1]), key[0]), second.low,
               b.bitXor(b.bitXor(first.high, counter[3]), key[1]), first.low};
    key = {b.addInt(key[0], b.integer(word, kWeyl0)), b.addInt(key[1], b.integer(word, kWeyl1))};
  }
  auto bit = [&](std::int64_t mask) {
    Value set = b.bitAnd(low(position), b.integer(word, mask));
    return b.compare(arith::CmpIPredicate::ne, set, zero);
  };
  Value odd = bit(1);
  return b.select(bit(2), b.select(odd, counter[3], counter[2]), b.select(odd, counter[1], counter[0]));
}

}  // namespace forerun::passes::semantics
