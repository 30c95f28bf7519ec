//===- InputSpec.cpp - inputs that a line of text describes -----------------===//
// Parsing is separate from generation, so that a kernel file's defaults can be checked without making data.
#include "compiler/runtime/InputSpec.h"

#include "compiler/runtime/Npy.h"
#include "compiler/runtime/Philox.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace forerun::runtime {

namespace {

using Kind = InputSpec::Kind;

/// Keys that a kind takes, for parsing and for messages.
llvm::ArrayRef<llvm::StringRef> keysOf(Kind kind) {
  static const std::array<llvm::StringRef, 3> kRandn{"seed", "scale", "mean"}, kRange{"seed", "low", "high"};
  static const std::array<llvm::StringRef, 1> kFull{"value"}, kSpecial{"seed"};
  static const std::array<llvm::StringRef, 2> kIota{"start", "step"};
  switch (kind) {
    case Kind::Randn:
      return kRandn;
    case Kind::Randint:
    case Kind::Uniform:
      return kRange;
    case Kind::Full:
      return kFull;
    case Kind::Iota:
      return kIota;
    case Kind::Special:
      return kSpecial;
    case Kind::Zeros:
    case Kind::File:
      return {};
  }
  return {};
}

double& fieldOf(InputSpec& spec, llvm::StringRef key) {
  return *llvm::StringSwitch<double*>(key)
              .Case("scale", &spec.scale)
              .Case("mean", &spec.mean)
              .Case("low", &spec.low)
              .Case("high", &spec.high)
              .Case("value", &spec.value)
              .Case("start", &spec.start)
              .Default(&spec.step);
}

/// Numbers that find faults in float code; `i` picks one.
double specialFloat(ElementType type, std::uint32_t i) {
  struct Limits {
    double tiny, smallestNormal, largest;
  };
  const Limits limits = [&]() -> Limits {
    switch (type) {
      case ElementType::F16:
        return {0x1p-24, 0x1p-14, 65504};
      case ElementType::BF16:
        return {0x1p-133, 0x1p-126, 0x1.FEp127};
      case ElementType::F32:
        return {0x1p-149, 0x1p-126, 0x1.FFFFFEp127};
      case ElementType::F8E4M3FN:
        return {0x1p-9, 0x1p-6, 448};
      case ElementType::F8E5M2:
        return {0x1p-16, 0x1p-14, 57344};
      case ElementType::F4E2M1FN:
        return {0.5, 1, 6};
      case ElementType::F8E8M0FNU:
        return {0x1p-127, 0x1p-127, 0x1p127};
      default:
        return {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                std::numeric_limits<double>::max()};
    }
  }();
  const double inf = std::numeric_limits<double>::infinity();
  const double values[] = {std::numeric_limits<double>::quiet_NaN(),
                           inf,
                           -inf,
                           0.0,
                           -0.0,
                           limits.tiny,
                           -limits.tiny,
                           limits.smallestNormal - limits.tiny,
                           limits.smallestNormal,
                           limits.largest,
                           -limits.largest,
                           1.0};
  return values[i % std::size(values)];
}

std::int64_t specialInt(ElementType type, std::uint32_t i) {
  const unsigned bits = type == ElementType::I1 ? 1 : isa::storageBits(type);
  const auto high = static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1), low = ~high;
  const std::int64_t values[] = {0, -1, 1, low, high, low + 1, high - 1};
  return values[i % std::size(values)];
}

/// Elements [begin, end); begin is a multiple of 4.
void fillPart(const InputSpec& spec, Tensor& tensor, std::int64_t begin, std::int64_t end) {
  const bool isFloat = isa::isFloat(tensor.type);
  RandomStream random(spec.seed, static_cast<std::uint64_t>(begin));
  auto put = [&](std::int64_t i, double value) { isa::storeFromDouble(tensor.type, tensor.at(i), value); };
  for (std::int64_t i = begin; i < end; ++i) {
    switch (spec.kind) {
      case Kind::Randn:
        put(i, spec.mean + spec.scale * normalOf(random.next()));
        break;
      case Kind::Uniform:
        put(i, spec.low + (spec.high - spec.low) * (random.next() / 4294967296.0));
        break;
      case Kind::Randint: {
        const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(spec.low)),
                   span = static_cast<std::uint64_t>(static_cast<std::int64_t>(spec.high)) - low + 1;
        const auto step = static_cast<std::uint64_t>((static_cast<unsigned __int128>(random.next()) * span) >> 32);
        isa::storeFromInt(tensor.type, tensor.at(i), static_cast<std::int64_t>(low + step));
        break;
      }
      case Kind::Full:
        put(i, spec.value);
        break;
      case Kind::Iota:
        put(i, spec.start + spec.step * static_cast<double>(i));
        break;
      case Kind::Special: {
        const std::uint32_t bits = random.next();
        if (bits % 4 != 0 && isFloat)
          put(i, randomNormal(spec.seed + 1, i));
        else if (isFloat)
          put(i, specialFloat(tensor.type, bits / 4));
        else if (bits % 2)
          isa::storeFromInt(tensor.type, tensor.at(i), static_cast<std::int32_t>(bits));
        else
          isa::storeFromInt(tensor.type, tensor.at(i), specialInt(tensor.type, bits / 2));
        break;
      }
      case Kind::Zeros:
      case Kind::File:
        break;
    }
  }
}

// An element depends on its index alone, so that parts may be made side by side.
void fill(const InputSpec& spec, Tensor& tensor) {
  constexpr std::int64_t kPart = 1 << 16;
  const std::int64_t count = tensor.elements();
  llvm::parallelFor(0, static_cast<std::size_t>((count + kPart - 1) / kPart), [&](std::size_t part) {
    const std::int64_t begin = static_cast<std::int64_t>(part) * kPart;
    fillPart(spec, tensor, begin, std::min(begin + kPart, count));
  });
}

}  // namespace

llvm::Error parseShapedType(llvm::StringRef text, std::optional<ElementType>& type, std::vector<std::int64_t>& shape) {
  shape.clear();
  type = std::nullopt;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back()) {
    std::int64_t extent = 0;
    if (part.getAsInteger(10, extent))
      return llvm::createStringError("'" + text + "' is not a shape and type; write e.g. 128x256xf16 or 128x256");
    shape.push_back(extent);
  }
  std::int64_t extent = 0;
  if (!parts.back().getAsInteger(10, extent)) {
    shape.push_back(extent);
  } else {
    type = isa::parseElementType(std::string_view(parts.back().data(), parts.back().size()));
    if (!type)
      return llvm::createStringError("'" + text +
                                     "' does not end in an element type; write e.g. 128x256xf16 (types: i1 i4 i8 i16 "
                                     "i32 i64 f16 bf16 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN f8E8M0FNU) or 128x256");
  }
  return elementCount(type.value_or(ElementType::F64), shape).takeError();
}

llvm::Expected<InputSpec> InputSpec::parse(llvm::StringRef text) {
  InputSpec spec;
  if (text.ends_with(".npy")) {
    spec.kind = Kind::File;
    spec.path = text.str();
    return spec;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  const auto kind = llvm::StringSwitch<std::optional<Kind>>(parts[0])
                        .Case("randn", Kind::Randn)
                        .Case("randint", Kind::Randint)
                        .Case("uniform", Kind::Uniform)
                        .Case("zeros", Kind::Zeros)
                        .Case("full", Kind::Full)
                        .Case("iota", Kind::Iota)
                        .Case("special", Kind::Special)
                        .Default(std::nullopt);
  if (!kind)
    return llvm::createStringError(
        "'" + text +
        "' is neither a .npy file nor a known input; write file.npy or KIND:SHAPExTYPE with KIND one of randn, "
        "randint, uniform, zeros, full, iota, special");
  spec.kind = *kind;
  spec.low = *kind == Kind::Randint ? -8 : 0;
  spec.high = *kind == Kind::Randint ? 8 : 1;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto [key, value] = parts[i].split('=');
    if (i == 1 && !parts[i].contains('=')) {
      std::vector<std::int64_t> shape;
      if (llvm::Error error = parseShapedType(parts[i], spec.type, shape)) return std::move(error);
      spec.shape = std::move(shape);
      continue;
    }
    if (!llvm::is_contained(keysOf(*kind), key)) {
      std::string known = llvm::join(keysOf(*kind), ", ");
      return llvm::createStringError("'" + key + "' in '" + text + "' is not an option of " + parts[0] +
                                     "; known: " + (known.empty() ? "none" : known));
    }
    const bool bad = key == "seed" ? value.getAsInteger(0, spec.seed) : value.getAsDouble(fieldOf(spec, key));
    if (bad) return llvm::createStringError("'" + value + "' in '" + text + "' is not a number");
  }
  if (spec.low > spec.high) return llvm::createStringError("'" + text + "': low is above high");
  return spec;
}

llvm::Expected<Tensor> materialise(const InputSpec& spec, llvm::StringRef what, ElementType type,
                                   llvm::ArrayRef<std::int64_t> shape) {
  if (spec.kind == Kind::File) {
    llvm::Expected<Tensor> tensor = readNpy(spec.path, type, shape);
    if (!tensor) return llvm::createStringError(what + ": " + llvm::toString(tensor.takeError()));
    return tensor;
  }
  if (spec.type && *spec.type != type)
    return llvm::createStringError(what + ": the specification says " + isa::name(*spec.type) +
                                   ", the kernel's argument is " + isa::name(type));
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  if (spec.shape) {
    bool fits = spec.shape->size() == extents.size();
    for (std::size_t i = 0; fits && i < extents.size(); ++i) fits = extents[i] < 0 || extents[i] == (*spec.shape)[i];
    if (!fits)
      return llvm::createStringError(what + ": the specification says " + describe(type, *spec.shape) +
                                     ", the kernel's argument is " + describe(type, shape));
    extents = *spec.shape;
  }
  if (llvm::is_contained(extents, std::int64_t{-1}))
    return llvm::createStringError(what + ": the kernel leaves the shape open (" + describe(type, shape) +
                                   "); give one, e.g. randn:128x256x" + isa::name(type));
  if (llvm::Error error = elementCount(type, extents).takeError()) return std::move(error);
  Tensor tensor(type, std::move(extents));
  fill(spec, tensor);
  return tensor;
}

}  // namespace forerun::runtime
