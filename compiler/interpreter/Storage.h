//===- Storage.h - the bytes of one allocated buffer ------------------------===//
// A buffer of the tile language with what the interpreter knows beyond its bytes: what is valid, what was ever written,
// how uncertain it is.
#pragma once

#include "isa/ElementType.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace forerun::interpreter {

using isa::ElementType;
using Index = llvm::SmallVector<std::int64_t, 4>;

/// Memory spaces of docs/language.md.
enum class Space : std::uint8_t { Global, Scratch, Acc, Reg };

/// What `--check` leaves open: where elements get a radius (Uncertainty.h).
enum class Radii : std::uint8_t {
  None,             ///< nowhere
  OrderedProducts,  ///< where the language leaves an order open, matrix products excepted: the accelerator's order is
                    ///< this interpreter's
  All,
};

/// Run-time valid extents of a buffer. Leading indices may have their own (double buffering): those are kept by prefix
/// of the index.
class ValidExtents {
 public:
  explicit ValidExtents(llvm::ArrayRef<std::int64_t> shape) : whole_(shape) {}

  /// Extents that hold for a window whose leading dimensions are the single indices `prefix`. Where indices of a window
  /// have different extents, the least.
  Index get(llvm::ArrayRef<std::int64_t> prefix) const;
  void setWhole(llvm::ArrayRef<std::int64_t> extents);
  /// `extents` has the buffer's rank; only dimensions after the prefix count.
  void setAt(llvm::ArrayRef<std::int64_t> prefix, llvm::ArrayRef<std::int64_t> extents);

 private:
  Index whole_;
  std::map<std::vector<std::int64_t>, Index> byPrefix_;
};

struct Storage {
  /// Allocates `shape` elements, all valid and none written. Without `data` only extents are kept (work is counted, not
  /// done).
  Storage(ElementType type, llvm::ArrayRef<std::int64_t> shape, Space space, bool data);

  std::uint8_t* element(std::int64_t at) { return bytes.data() + at * static_cast<std::int64_t>(elementBytes()); }
  const std::uint8_t* element(std::int64_t at) const {
    return bytes.data() + at * static_cast<std::int64_t>(elementBytes());
  }
  std::int64_t elements() const { return elements_; }
  std::size_t elementBytes() const { return isa::storageBytes(type); }
  bool hasData() const { return data_; }
  /// Forgets the contents, which a counted (not performed) write has made stale.
  void dropData() {
    data_ = false;
    bytes.clear();
    written.clear();
  }
  /// Declares every element written, as inputs are.
  void markAllWritten() { written.clear(); }
  /// Elements between neighbours along dimension `d`.
  std::int64_t stride(unsigned d) const { return strides_[d]; }
  /// First element of [first, first + count) never written, or -1.
  std::int64_t firstUnwritten(std::int64_t first, std::int64_t count) const;

  /// Uncertainty of elements (Uncertainty.h); empty = all 0.
  bool isUncertain() const { return !radius.empty(); }
  void makeUncertain();
  /// The radius of one element; 0 while none is kept.
  float radiusAt(std::int64_t at) const { return isUncertain() ? radius[static_cast<std::size_t>(at)] : 0; }
  /// After something other than matmul wrote this element.
  void noteWritten(std::int64_t at, float elementRadius);
  /// Starts keeping magnitude and terms; what the accumulator holds now counts as given.
  void trackMagnitude();
  /// After another operation than matmul wrote these elements.
  void resetMagnitude(std::int64_t first, std::int64_t count);

  ElementType type;
  Index shape;
  Space space;
  std::string name;                   ///< for messages: argument name, or empty
  std::vector<std::uint8_t> bytes;    ///< row-major; empty without data
  std::vector<std::uint8_t> written;  ///< one an element; empty = all written
  ValidExtents valid;
  std::vector<float> radius;     ///< one an element: results of a conforming implementation lie this close
  std::vector<float> magnitude;  ///< matmul accumulators: sum |a||b| behind each element
  std::vector<float> terms;      ///< matmul accumulators: products behind each element

 private:
  std::int64_t elements_ = 1;
  bool data_;
  Index strides_;
};

}  // namespace forerun::interpreter
