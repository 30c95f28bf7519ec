//===- TextChecks.cpp - what MLIR's parser cannot be given ------------------===//
// One pass over the text by words and brackets; what it does not recognise is the parser's to refuse.
#include "compiler/pipeline/TextChecks.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace forerun::pipeline {

namespace {

constexpr std::size_t kMaxNesting = 256;

bool isNameCharacter(char c) { return llvm::isAlnum(c) || llvm::StringRef("_.$-").contains(c); }

class Scanner {
 public:
  explicit Scanner(llvm::StringRef text) : text_(text), rest_(text) {}

  std::optional<TextFault> run() {
    scopes_.emplace_back();
    for (llvm::StringRef token = next(); !token.empty(); token = next()) {
      if (token.front() == '%') {
        const llvm::StringRef name = token.split('#').first;
        if (defines()) {
          (opensLater() ? pending_ : scopes_.back()).insert(name);
        } else if (isStructured_ && !isKnown(name)) {
          return TextFault{token.begin(), "use of undeclared SSA value name '" + name.str() +
                                              "': nothing before it defines it here; define it above"};
        }
      } else if (auto fault = bracket(token)) {
        return fault;
      } else if (token == "tile.kernel" || token == "func.func") {
        statement_ = token;
        pending_.clear();
      } else if (token.ends_with(".func")) {
        isStructured_ = false;  // a stage that this compiler wrote: its blocks branch
      }
      beforePrevious_ = previous_;
      previous_ = token;
    }
    return std::nullopt;
  }

 private:
  struct Bracket {
    char open;
    bool isDefinitions = false;  ///< the arguments of a block or of a function, the ids of a kernel
    bool isLater = false;        ///< they belong to the region that follows
    bool isScope = false;        ///< a region
  };

  /// A name with its mark, a word, an arrow or one character; comments and strings are passed over. Empty at the end.
  llvm::StringRef next() {
    while (true) {
      rest_ = rest_.ltrim();
      if (rest_.starts_with("//"))
        rest_ = rest_.drop_front(std::min(rest_.find('\n'), rest_.size()));
      else
        break;
    }
    return take(length(rest_));
  }

  static std::size_t length(llvm::StringRef text) {
    if (text.empty()) return 0;
    if (text.starts_with("->")) return 2;
    if (text.front() == '"') {
      std::size_t i = 1;
      while (i < text.size() && text[i] != '"' && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
      return std::min(i + 1, text.size());
    }
    const bool isName = llvm::StringRef("%@^").contains(text.front());
    if (!isName && !llvm::isAlnum(text.front()) && text.front() != '_') return 1;
    std::size_t i = 1;
    while (i < text.size() && (isNameCharacter(text[i]) || (text.front() == '%' && text[i] == '#')) &&
           !text.substr(i).starts_with("->"))
      ++i;
    return i;
  }

  llvm::StringRef take(std::size_t count) {
    const llvm::StringRef token = rest_.take_front(count);
    rest_ = rest_.drop_front(count);
    return token;
  }

  std::optional<TextFault> bracket(llvm::StringRef token) {
    if (token.size() != 1) return std::nullopt;
    switch (token.front()) {
      case '(':
      case '[':
      case '<':
      case '{':
        if (brackets_.size() == kMaxNesting)
          return TextFault{token.begin(), "expected at most " + std::to_string(kMaxNesting) +
                                              " brackets and regions inside one another, found more; close some before "
                                              "this one"};
        open(token.front());
        break;
      case ')':
      case ']':
      case '>':
      case '}':
        if (brackets_.empty()) break;
        if (brackets_.back().isScope && scopes_.size() > 1) scopes_.pop_back();
        brackets_.pop_back();
        break;
      default:
        break;
    }
    return std::nullopt;
  }

  void open(char character) {
    Bracket bracket{character};
    if (character == '(') {
      const bool isSignature = previous_.starts_with("@") && !statement_.empty();
      const bool isGrid = previous_ == "grid" && statement_ == "tile.kernel";
      bracket.isDefinitions = isLabel(previous_) || isSignature || isGrid;
      bracket.isLater = !isLabel(previous_);
    }
    if (character == '{' && (brackets_.empty() || !brackets_.back().isDefinitions) && previous_ != "attributes") {
      bracket.isScope = true;
      scopes_.push_back(std::move(pending_));
      pending_.clear();
      statement_ = "";
    }
    brackets_.push_back(bracket);
  }

  /// A block's label, and not the successor of a branch: it begins a line or a region.
  bool isLabel(llvm::StringRef token) const {
    if (!token.starts_with("^")) return false;
    const llvm::StringRef before = text_.take_front(static_cast<std::size_t>(token.data() - text_.data())).rtrim(" \t");
    return before.empty() || before.ends_with("\n") || before.ends_with("{") || before.ends_with("}");
  }

  bool inParentheses() const { return !brackets_.empty() && brackets_.back().open == '('; }

  /// Whether the value at hand, behind which the scanner stands, is defined here.
  bool defines() const {
    const llvm::StringRef after = rest_.ltrim();
    if (inParentheses()) {
      if (!brackets_.back().isDefinitions) return after.starts_with("=");  // what a loop carries
      return after.starts_with(":") || after.starts_with(",") || after.starts_with(")");
    }
    if (previous_ == "=" || (!brackets_.empty() && brackets_.back().open != '{')) return false;
    // %a, %b:2 = ...
    for (llvm::StringRef more = after;;) {
      if (more.consume_front(":")) more = more.ltrim().drop_while(llvm::isDigit).ltrim();
      if (more.starts_with("=")) return !more.starts_with("==");
      if (!more.consume_front(",")) return false;
      more = more.ltrim();
      if (!more.consume_front("%")) return false;
      more = more.drop_while([](char c) { return isNameCharacter(c); }).ltrim();
    }
  }

  /// Whether what is defined here is known in the region that opens next only.
  bool opensLater() const {
    if (inParentheses()) return brackets_.back().isLater;
    return previous_ == "scf.for" || (previous_ == "unsigned" && beforePrevious_ == "scf.for");
  }

  bool isKnown(llvm::StringRef name) const {
    return std::any_of(scopes_.rbegin(), scopes_.rend(), [&](const auto& scope) { return scope.contains(name); });
  }

  llvm::StringRef text_, rest_, previous_, beforePrevious_;
  llvm::StringRef statement_;  ///< the function whose signature is at hand, or nothing
  llvm::SmallVector<Bracket> brackets_;
  llvm::SmallVector<llvm::StringSet<>> scopes_;
  llvm::StringSet<> pending_;  ///< what the next region knows
  bool isStructured_ = true;
};

}  // namespace

std::optional<TextFault> findFault(llvm::StringRef text) { return Scanner(text).run(); }

}  // namespace forerun::pipeline
