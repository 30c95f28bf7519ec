//===- Mutator.h - kernel files with mistakes in them ------------------------===//
// Changes kernel files as people and programs get them wrong: most of the text stays valid, so that faults behind the
// parser are reached as well.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace forerun::fuzz {

/// A word, name, number, string, arrow or single character of a file, with the blanks before it.
struct Piece {
  enum class Kind { Word, Operation, Value, Symbol, Number, String, Other };
  Kind kind = Kind::Other;
  std::string blanks, text;
};
using Pieces = std::vector<Piece>;

Pieces split(llvm::StringRef text);
std::string join(llvm::ArrayRef<Piece> pieces);

class Mutator {
 public:
  /// Texts of kernel files, and which of them are without fault: those are what is changed most, the others are where
  /// parts come from.
  Mutator(llvm::ArrayRef<std::string> texts, llvm::ArrayRef<bool> valid);

  /// A file with a few changes; a function of the arguments and of nothing else.
  std::string make(std::uint64_t seed, std::uint64_t number);

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  const std::string& choose(llvm::ArrayRef<std::string> texts) { return texts[below(texts.size())]; }
  const Pieces& anySeed() { return seeds_[below(seeds_.size())]; }

  void change(Pieces& pieces);
  std::string replacementFor(const Piece& piece, llvm::ArrayRef<Piece> around);
  void replaceOne(Pieces& pieces);
  void replaceAlike(Pieces& pieces);
  void replaceInType(Pieces& pieces);
  void editPieces(Pieces& pieces);
  void rename(Pieces& block, llvm::ArrayRef<Piece> file);
  void editLines(Pieces& pieces);
  void addAttribute(Pieces& pieces);
  void wrapLines(Pieces& pieces);
  void cutOff(Pieces& pieces);

  std::vector<Pieces> seeds_;
  std::vector<std::size_t> valid_;
  std::map<Piece::Kind, std::vector<std::string>> vocabulary_;  ///< each text once, sorted
  std::mt19937_64 random_;
};

}  // namespace forerun::fuzz
