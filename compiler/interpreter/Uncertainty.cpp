//===- Uncertainty.cpp - how far a conforming result may lie from the reference //
// Runs map programs at displaced inputs; see the table in the header.
#include "compiler/interpreter/Uncertainty.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace forerun::interpreter {

unsigned significandBits(ElementType type) {
  switch (type) {
    case ElementType::F16:
      return 11;
    case ElementType::BF16:
      return 8;
    case ElementType::F32:
      return 24;
    case ElementType::F64:
      return 53;
    case ElementType::F8E4M3FN:
      return 4;
    case ElementType::F8E5M2:
      return 3;
    case ElementType::F4E2M1FN:
      return 2;
    case ElementType::F8E8M0FNU:
      return 1;
    default:
      return 64;
  }
}

double unitInLastPlace(ElementType type, double value) {
  if (isa::isInteger(type)) return 1;
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  int leastExponent = -1022;
  switch (type) {
    case ElementType::F16:
    case ElementType::F8E5M2:
      leastExponent = -14;
      break;
    case ElementType::F8E4M3FN:
      leastExponent = -6;
      break;
    case ElementType::F4E2M1FN:
      leastExponent = 0;
      break;
    case ElementType::F8E8M0FNU:
      leastExponent = -127;
      break;
    case ElementType::BF16:
    case ElementType::F32:
      leastExponent = -126;
      break;
    default:
      break;
  }
  const int exponent = value == 0 ? leastExponent : std::max(std::ilogb(value), leastExponent);
  return std::ldexp(1.0, exponent - static_cast<int>(significandBits(type)) + 1);
}

double largestFinite(ElementType type) {
  switch (type) {
    case ElementType::F8E4M3FN:
      return 448;
    case ElementType::F8E5M2:
      return 57344;
    case ElementType::F4E2M1FN:
      return 6;
    case ElementType::F8E8M0FNU:
      return std::ldexp(1.0, 127);
    case ElementType::F16:
      return 65504;
    case ElementType::BF16:
      return std::ldexp(255.0, 120);
    case ElementType::F32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

MapColumns::MapColumns(const MapProgram& program) : program_(program) {
  std::size_t bytes = 0;
  for (ElementType type : program.registers) {
    offsets_.push_back(bytes);
    bytes += kColumnElements * laneBytes(laneOf(type));
    bytes = (bytes + 63) / 64 * 64;
  }
  columns_.resize(bytes);
  radii_.resize((program.inputs + program.captured.size()) * kColumnElements);
  for (const auto& [number, captured] : llvm::enumerate(program.captured))
    std::fill_n(radius(program.inputs + static_cast<unsigned>(number)), kColumnElements, captured.value.radius);
}

unsigned MapColumns::registerOf(unsigned source) const {
  return source < program_.inputs ? source : program_.captured[source - program_.inputs].out;
}

void MapColumns::run(std::size_t count) {
  for (const MapProgram::Step& step : program_.steps) {
    ElementCall call;
    for (unsigned i = 0; i < step.inputs; ++i) call.in[i] = at(step.in[i]);
    call.out = at(step.out);
    call.count = count;
    step.function(call);
    if (step.rounds) roundColumn(step.type, call.output<float>(), count);
  }
}

void MapColumns::displace(unsigned source, double sign, std::size_t count) {
  const unsigned reg = registerOf(source);
  const ElementType type = program_.registers[reg];
  const float* r = radius(source);
  if (laneOf(type) == Lane::F32) {
    auto* column = static_cast<float*>(at(reg));
    for (std::size_t k = 0; k < count; ++k) column[k] += static_cast<float>(sign) * r[k];
    roundColumn(type, column, count);
    return;
  }
  for (std::size_t k = 0; k < count; ++k)
    if (r[k] != 0) setColumnFromDouble(type, at(reg), k, columnAsDouble(type, at(reg), k) + sign * r[k]);
}

namespace {

/// change[k] = max(change[k], |moved - base|); NaN against NaN and equal infinities do not move, anything else that is
/// not finite moves without bound.
template <typename T>
void widen(const void* moved, const void* base, std::size_t count, float* change) {
  const auto *m = static_cast<const T*>(moved), *b = static_cast<const T*>(base);
  for (std::size_t k = 0; k < count; ++k) {
    const auto x = static_cast<double>(m[k]), y = static_cast<double>(b[k]);
    const bool same = x == y || (std::isnan(x) && std::isnan(y));
    const double difference = same ? 0 : std::fabs(x - y);
    change[k] = std::max(
        change[k], std::isnan(difference) ? std::numeric_limits<float>::infinity() : static_cast<float>(difference));
  }
}

void widen(ElementType type, const void* moved, const void* base, std::size_t count, float* change) {
  switch (laneOf(type)) {
    case Lane::I8:
      return widen<std::int8_t>(moved, base, count, change);
    case Lane::I16:
      return widen<std::int16_t>(moved, base, count, change);
    case Lane::I32:
      return widen<std::int32_t>(moved, base, count, change);
    case Lane::I64:
      return widen<std::int64_t>(moved, base, count, change);
    case Lane::F32:
      return widen<float>(moved, base, count, change);
    case Lane::F64:
      return widen<double>(moved, base, count, change);
  }
}

}  // namespace

std::vector<std::vector<float>> MapColumns::outputRadii(std::size_t count) {
  const std::size_t outputs = program_.outputs.size();
  std::vector<std::vector<float>> result(outputs);
  auto isCertain = [&](unsigned source) {
    return std::all_of(radius(source), radius(source) + count, [](float r) { return r == 0; });
  };
  llvm::SmallVector<unsigned> moving;
  const auto sources = static_cast<unsigned>(radii_.size() / kColumnElements);
  for (unsigned i = 0; i < sources; ++i)
    if (!isCertain(i)) moving.push_back(i);
  if (moving.empty()) return result;

  // Sources keep their registers while the program runs, so that saving them and the outputs is enough.
  auto copyOf = [&](unsigned reg) {
    const auto* column = static_cast<const std::uint8_t*>(at(reg));
    return std::vector<std::uint8_t>(column, column + count * laneBytes(laneOf(program_.registers[reg])));
  };
  std::vector<std::vector<std::uint8_t>> saved, base;
  for (unsigned source : moving) saved.push_back(copyOf(registerOf(source)));
  for (unsigned reg : program_.outputs) base.push_back(copyOf(reg));
  using Changes = std::vector<std::vector<float>>;
  auto runDisplaced = [&](llvm::ArrayRef<unsigned> displaced, double sign, Changes& changes) {
    for (unsigned i : displaced) displace(i, sign, count);
    run(count);
    for (std::size_t o = 0; o < outputs; ++o) {
      const unsigned reg = program_.outputs[o];
      widen(program_.registers[reg], at(reg), base[o].data(), count, changes[o].data());
    }
    for (auto [source, column] : llvm::zip_equal(moving, saved))
      std::memcpy(at(registerOf(source)), column.data(), column.size());
  };
  const Changes none(outputs, std::vector<float>(count, 0.0f));
  Changes sum = none;
  for (unsigned i : moving) {
    Changes changes = none;
    runDisplaced(i, 1, changes);
    runDisplaced(i, -1, changes);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t k = 0; k < count; ++k) sum[o][k] += changes[o][k];
  }
  if (moving.size() > 1) {
    Changes together = none;
    runDisplaced(moving, 1, together);
    runDisplaced(moving, -1, together);
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t k = 0; k < count; ++k) sum[o][k] = std::max(sum[o][k], together[o][k]);
  }

  std::vector<bool> uncertain(count, false);
  for (unsigned i : moving)
    for (std::size_t k = 0; k < count; ++k)
      if (radius(i)[k] != 0) uncertain[k] = true;
  for (std::size_t o = 0; o < outputs; ++o) {
    const ElementType type = program_.registers[program_.outputs[o]];
    for (std::size_t k = 0; k < count; ++k) {
      if (!uncertain[k]) {
        sum[o][k] = 0;
        continue;
      }
      // Infinities and NaN that stay under every displacement are as certain as the rest of the program.
      const double value = std::fabs(columnAsDouble(type, base[o].data(), k));
      if (isa::isFloat(type) && std::isfinite(value))
        sum[o][k] += static_cast<float>(unitInLastPlace(type, value + sum[o][k]));
    }
    result[o] = std::move(sum[o]);
  }
  return result;
}

}  // namespace forerun::interpreter
