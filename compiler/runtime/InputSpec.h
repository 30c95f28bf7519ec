//===- InputSpec.h - inputs that a line of text describes -------------------===//
// `--in a=randn:128x256xf16:seed=1`, `tile.input = "..."`: deterministic data without a file.
#pragma once

#include "compiler/runtime/Tensor.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace forerun::runtime {

/// KIND[:SHAPE[xTYPE]][:key=value]... or the path of a .npy file (anything that ends in ".npy").
/// | kind    | elements, by row-major index i                                             | keys (defaults)        |
/// | randn   | normal, mean + scale * N(0,1)                                              | seed (0) scale (1) mean (0)
/// | | randint | uniform integers low..high, both included                                  | seed (0) low (-8) high
/// (8)  | | uniform | uniform in [low, high)                                                     | seed (0) low (0)
/// high (1)   | | zeros   | 0                                                                          | | | full    |
/// value                                                                      | value (1)              | | iota    |
/// start + step * i                                                           | start (0) step (1)     | | special |
/// randn with NaN, infinities, zeros of both signs, denormals and the largest numbers strewn in; integers: extremes |
/// seed (0) |
struct InputSpec {
  enum class Kind { File, Randn, Randint, Uniform, Zeros, Full, Iota, Special };
  Kind kind = Kind::Zeros;
  std::string path;                                ///< of Kind::File
  std::optional<ElementType> type;                 ///< when the text gives it
  std::optional<std::vector<std::int64_t>> shape;  ///< when the text gives it
  std::uint64_t seed = 0;
  double scale = 1, mean = 0, low = 0, high = 0, value = 1, start = 0, step = 1;

  /// Errors say which part is wrong and list what is known.
  static llvm::Expected<InputSpec> parse(llvm::StringRef text);
};

/// Parses "128x256xf16" ("f32" for rank 0), or "128x256", which leaves the type open.
llvm::Error parseShapedType(llvm::StringRef text, std::optional<ElementType>& type, std::vector<std::int64_t>& shape);

/// Makes the data as `type` and `shape` (-1 admits any extent that the spec or the file gives; all others must agree).
/// `what` names the input in messages, e.g. "input 'a'".
llvm::Expected<Tensor> materialise(const InputSpec& spec, llvm::StringRef what, ElementType type,
                                   llvm::ArrayRef<std::int64_t> shape);

}  // namespace forerun::runtime
