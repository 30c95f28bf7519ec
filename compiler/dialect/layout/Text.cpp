//===- Text.cpp - parser and printer of layouts ----------------------------===//
// One pass over the characters; every failure keeps its column.
#include "compiler/dialect/layout/Text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace forerun::layout {

char SyntaxError::ID = 0;

namespace {

constexpr const char* kForm = "write S[(extents):(strides@axes)] + R[...] + offset@axis";

class Parser {
 public:
  explicit Parser(llvm::StringRef text) : text_(text) {}

  llvm::Expected<Layout> layout() {
    std::optional<Swizzle> swizzle;
    const std::size_t start = position();
    if (keyword("swizzle")) {
      swizzle.emplace();
      if (llvm::Error error = swizzleNumbers(*swizzle)) return error;
    }
    const std::size_t shardStart = position();
    Iterators shard, replicas;
    if (llvm::Error error = shardPart(shard)) return error;
    llvm::SmallVector<Term, 4> terms;
    llvm::SmallVector<Coordinate, 4> offset;
    while (position() < text_.size()) {
      terms.push_back({position(), 0, 0});
      if (llvm::Error error = term(replicas, offset)) return error;
      terms.back().replicas = replicas.size();
      terms.back().offsets = offset.size();
    }
    llvm::Expected<Layout> made = Layout::make(shard, replicas, offset, swizzle);
    if (made) return made;
    // The part that is at fault is the first after which the layout is refused.
    llvm::consumeError(made.takeError());
    if (auto part = Layout::make(shard); !part) return error(shardStart, llvm::toString(part.takeError()));
    for (const Term& t : terms)
      if (auto part = Layout::make(shard, Iterators(llvm::ArrayRef(replicas).take_front(t.replicas)),
                                   llvm::ArrayRef(offset).take_front(t.offsets));
          !part)
        return error(t.start, llvm::toString(part.takeError()));
    return error(start, llvm::toString(Layout::make(shard, replicas, offset, swizzle).takeError()));
  }

 private:
  struct Term {  ///< "+ ..."; how many replica iterators and offsets there are after it
    std::size_t start, replicas, offsets;
  };

  /// Skips blanks.
  std::size_t position() {
    while (at_ < text_.size() && llvm::isSpace(text_[at_])) ++at_;
    return at_;
  }

  llvm::Error error(std::size_t at, const llvm::Twine& message) {
    return llvm::make_error<SyntaxError>(at + 1, message.str());
  }
  /// "expected WHAT, found what stands here; REMEDY"
  llvm::Error expected(const llvm::Twine& what, const llvm::Twine& remedy) {
    return error(position(), "expected " + what + ", found " + found() + "; " + remedy);
  }
  std::string found() {
    const llvm::StringRef rest = text_.substr(position());
    if (rest.empty()) return "the end";
    const llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    return ("'" + (word.empty() ? rest.take_front(1) : word) + "'").str();
  }

  bool symbol(char c) {
    if (position() >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  llvm::StringRef peekWord() {
    return text_.substr(position()).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  bool keyword(llvm::StringRef word) {
    if (peekWord() != word) return false;
    at_ += word.size();
    return true;
  }

  llvm::Error integer(std::int64_t& value, llvm::StringRef what) {
    const std::size_t start = position();
    const bool negative = symbol('-');
    const llvm::StringRef digits = text_.substr(position()).take_while(llvm::isDigit);
    if (digits.empty()) {
      at_ = start;
      return expected(what, kForm);
    }
    at_ += digits.size();
    if (digits.getAsInteger(10, value))
      return error(start, "integer " + digits + " is too large; layouts reach at most 2^60");
    if (negative) value = -value;
    return llvm::Error::success();
  }

  llvm::Error axis(Axis& into) {
    into = Axis();
    if (!symbol('@')) return llvm::Error::success();
    const llvm::StringRef name = peekWord();
    if (name.empty())
      return expected("the name of an axis after '@'", "write m, lane, team, core or another axis of the target");
    llvm::Expected<Axis> axis = Axis::make(name);
    if (!axis) return error(position(), llvm::toString(axis.takeError()));
    at_ += name.size();
    into = *axis;
    return llvm::Error::success();
  }

  /// item, or '(' items ')', or '(' ')'.
  template <typename Item>
  llvm::Error list(Item item) {
    if (!symbol('(')) return item();
    if (symbol(')')) return llvm::Error::success();
    do {
      if (llvm::Error error = item()) return error;
    } while (symbol(','));
    if (symbol(')')) return llvm::Error::success();
    return expected("',' or ')'", "close the list of extents or strides");
  }

  llvm::Error iterators(Iterators& into) {
    const std::size_t first = into.size(), start = position();
    const auto extent = [&]() -> llvm::Error {
      const std::size_t at = position();
      Iterator iterator;
      if (llvm::Error error = integer(iterator.extent, "an extent")) return error;
      if (iterator.extent < 1)
        return error(at, "expected a positive extent, found " + llvm::Twine(iterator.extent) +
                             "; a layout places at least one element");
      into.push_back(iterator);
      return llvm::Error::success();
    };
    if (llvm::Error error = list(extent)) return error;
    if (!symbol(':')) return expected("':' between extents and strides", kForm);
    std::size_t next = first;
    const auto stride = [&]() -> llvm::Error {
      Iterator iterator;
      if (llvm::Error error = integer(iterator.stride, "a stride")) return error;
      if (llvm::Error error = axis(iterator.axis)) return error;
      if (next < into.size()) iterator.extent = into[next].extent, into[next] = iterator;
      ++next;
      return llvm::Error::success();
    };
    if (llvm::Error error = list(stride)) return error;
    if (next == into.size()) return llvm::Error::success();
    return error(start, "expected as many strides as extents, found " + llvm::Twine(into.size() - first) +
                            " extents and " + llvm::Twine(next - first) + " strides; give each extent one");
  }

  llvm::Error bracketed(Iterators& into) {
    if (!symbol('[')) return expected("'['", kForm);
    if (llvm::Error error = iterators(into)) return error;
    if (!symbol(']')) return expected("']'", kForm);
    return llvm::Error::success();
  }

  llvm::Error shardPart(Iterators& shard) {
    if (keyword("S")) return bracketed(shard);
    const llvm::StringRef rest = text_.substr(position());
    if (rest.starts_with("(") || (!rest.empty() && llvm::isDigit(rest.front()))) return iterators(shard);
    return expected("S[...]", kForm);
  }

  llvm::Error term(Iterators& replicas, llvm::SmallVectorImpl<Coordinate>& offset) {
    const bool minus = symbol('-');
    if (!minus && !symbol('+')) return expected("'+' or the end", kForm);
    if (!minus && keyword("R")) return bracketed(replicas);
    Coordinate coordinate;
    if (llvm::Error error = integer(coordinate.value, minus ? "an offset" : "R[...] or an offset")) return error;
    if (llvm::Error error = axis(coordinate.axis)) return error;
    if (minus) coordinate.value = -coordinate.value;
    offset.push_back(coordinate);
    return llvm::Error::success();
  }

  llvm::Error swizzleNumbers(Swizzle& swizzle) {
    constexpr const char* kSwizzle = "write swizzle(base,bits,shift) of S[...]";
    if (!symbol('(')) return expected("'('", kSwizzle);
    for (unsigned* number : {&swizzle.base, &swizzle.bits, &swizzle.shift}) {
      if (number != &swizzle.base && !symbol(',')) return expected("','", kSwizzle);
      const std::size_t at = position();
      std::int64_t value = 0;
      if (llvm::Error error = integer(value, "a number of bits")) return error;
      if (value < 0 || value > 59) return error(at, "expected 0 to 59 bits, found " + llvm::Twine(value));
      *number = static_cast<unsigned>(value);
    }
    if (!symbol(')')) return expected("')'", kSwizzle);
    if (!keyword("of")) return expected("'of'", kSwizzle);
    return llvm::Error::success();
  }

  llvm::StringRef text_;
  std::size_t at_ = 0;
};

void printCoordinate(llvm::raw_ostream& os, std::int64_t value, Axis axis) {
  os << value;
  if (axis != Axis()) os << '@' << axis.name();
}

void printIterators(llvm::raw_ostream& os, llvm::ArrayRef<Iterator> iterators) {
  const bool single = iterators.size() == 1;
  os << (single ? "[" : "[(");
  llvm::interleave(iterators, os, [&](const Iterator& i) { os << i.extent; }, ",");
  os << (single ? ":" : "):(");
  llvm::interleave(iterators, os, [&](const Iterator& i) { printCoordinate(os, i.stride, i.axis); }, ",");
  os << (single ? "]" : ")]");
}

}  // namespace

llvm::Expected<Layout> parse(llvm::StringRef text) { return Parser(text).layout(); }

llvm::raw_ostream& operator<<(llvm::raw_ostream& os, const Layout& layout) {
  if (const std::optional<Swizzle>& s = layout.swizzle())
    os << "swizzle(" << s->base << ',' << s->bits << ',' << s->shift << ") of ";
  os << 'S';
  printIterators(os, layout.shard());
  if (!layout.replicas().empty()) {
    os << " + R";
    printIterators(os, layout.replicas());
  }
  for (const Coordinate& coordinate : layout.offset()) {
    os << (coordinate.value < 0 ? " - " : " + ");
    printCoordinate(os, coordinate.value < 0 ? -coordinate.value : coordinate.value, coordinate.axis);
  }
  return os;
}

std::string print(const Layout& layout) {
  std::string text;
  llvm::raw_string_ostream(text) << layout;
  return text;
}

}  // namespace forerun::layout
