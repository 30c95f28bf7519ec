//===- Mutator.cpp - kernel files with mistakes in them ----------------------===//
// Works on pieces of text, not on a parsed module: what it makes may be anything.
#include "tests/fuzz/Mutator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace forerun::fuzz {

namespace {

using Kind = Piece::Kind;

const std::vector<std::string> kElementTypes = {"i1",   "i4",  "i8",  "i16",      "i32",    "i64",      "f16",
                                                "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU"};
const std::vector<std::string> kTypes = {"i1",   "i4",  "i8",        "i16",      "i32",           "i64",   "f16",
                                         "bf16", "f32", "f64",       "f8E4M3FN", "f8E5M2",        "index", "f4E2M1FN",
                                         "i128", "f80", "f8E8M0FNU", "none",     "vector<4xf32>", "ui8"};
const std::vector<std::string> kSpaces = {"global", "scratch", "acc", "reg"};
const std::vector<std::string> kKinds = {"add", "mul", "min",    "max",    "minnum", "maxnum",   "and",
                                         "or",  "xor", "argmin", "argmax", "any",    "exchange", "tree"};
const std::vector<std::string> kScopes = {"core", "team", "lane", "cluster", "chip"};
const std::vector<std::string> kOrders = {"relaxed", "acquire", "release", "acq_rel"};
const std::vector<std::string> kComparisons = {"eq", "ne", "slt", "uge", "oeq", "olt", "une", "ord"};
const std::vector<std::string> kFlags = {"accumulate", "transpose_a", "transpose_b", "overflow <nan>",
                                         "block 32",   "exclusive",   "reverse",     "descending"};
const std::vector<std::string> kNumbers = {"0",
                                           "1",
                                           "2",
                                           "3",
                                           "7",
                                           "16",
                                           "17",
                                           "-1",
                                           "64",
                                           "255",
                                           "1000",
                                           "65536",
                                           "2147483647",
                                           "2147483648",
                                           "-2147483648",
                                           "4294967296",
                                           "-2",
                                           "1048577",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "18446744073709551616",
                                           "0x10",
                                           "0.5",
                                           "1.0e+39"};

/// Operations with the same operands.
const std::vector<std::string> kIntegerOperations = {
    "arith.addi",  "arith.subi",  "arith.muli",  "arith.divsi",      "arith.divui",     "arith.remsi",
    "arith.remui", "arith.shli",  "arith.shrsi", "arith.shrui",      "arith.andi",      "arith.ori",
    "arith.xori",  "arith.minsi", "arith.maxui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"};
const std::vector<std::string> kFloatOperations = {"arith.addf",    "arith.subf",     "arith.mulf",     "arith.divf",
                                                   "arith.remf",    "arith.maximumf", "arith.minimumf", "arith.maxnumf",
                                                   "arith.minnumf", "math.powf",      "math.copysign",  "math.atan2"};
const std::vector<std::string> kFunctions = {"arith.negf", "math.exp",   "math.exp2",  "math.log",       "math.log1p",
                                             "math.tanh",  "math.erf",   "math.rsqrt", "math.sqrt",      "math.sin",
                                             "math.absf",  "math.floor", "math.round", "math.roundeven", "math.cbrt",
                                             "math.tan",   "math.expm1"};
const std::vector<std::string> kConversions = {
    "arith.index_cast", "arith.index_castui", "arith.extsi",  "arith.extui",  "arith.trunci",
    "arith.sitofp",     "arith.uitofp",       "arith.fptosi", "arith.fptoui", "arith.extf",
    "arith.truncf",     "arith.bitcast",      "tile.convert"};
const std::vector<std::string> kMoves = {"tile.copy", "tile.cast", "tile.broadcast", "tile.copy_async"};
const std::vector<std::string> kOrderings = {"tile.sort", "tile.topk"};
const std::vector<std::string> kIndexed = {"tile.gather", "tile.scatter"};
const std::vector<std::string> kCounts = {"tile.team_id", "tile.core_id", "tile.num_teams", "tile.num_cores"};

/// Words of which one may stand where another does.
const std::vector<std::string>* alternativesOf(llvm::StringRef word) {
  for (const auto* words : {&kTypes, &kSpaces, &kKinds, &kScopes, &kOrders, &kComparisons, &kFlags, &kIntegerOperations,
                            &kFloatOperations, &kFunctions, &kConversions, &kMoves, &kOrderings, &kIndexed, &kCounts})
    if (llvm::is_contained(*words, word)) return words;
  return nullptr;
}

bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

bool startsLine(const Piece& piece) { return llvm::StringRef(piece.blanks).contains('\n'); }

/// Indices at which lines start, and the end.
std::vector<std::size_t> linesOf(llvm::ArrayRef<Piece> pieces) {
  std::vector<std::size_t> lines{0};
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (startsLine(pieces[i])) lines.push_back(i);
  lines.push_back(pieces.size());
  return lines;
}

/// Behind the closing bracket of the block that begins in the line at `begin`, or the line's end.
std::size_t endOfBlock(llvm::ArrayRef<Piece> pieces, std::size_t begin) {
  int depth = 0;
  std::size_t i = begin;
  for (; i < pieces.size(); ++i) {
    if (depth == 0 && i != begin && startsLine(pieces[i])) break;
    if (pieces[i].text == "{") ++depth;
    if (pieces[i].text == "}" && --depth <= 0) {
      ++i;
      break;
    }
  }
  return i;
}

}  // namespace

Pieces split(llvm::StringRef text) {
  Pieces pieces;
  std::size_t i = 0;
  while (i < text.size()) {
    Piece piece;
    std::size_t begin = i;
    while (i < text.size()) {
      if (llvm::isSpace(text[i]))
        ++i;
      else if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size());
      else
        break;
    }
    // Comments count as the line's end.
    const llvm::StringRef blanks = text.slice(begin, i);
    piece.blanks = blanks.contains("//") ? "\n" : blanks.str();
    begin = i;
    if (i == text.size()) break;
    const char first = text[i];
    if (llvm::isDigit(first)) {
      piece.kind = Kind::Number;
      const bool isHex = text.substr(i).starts_with("0x") && i + 2 < text.size() && llvm::isHexDigit(text[i + 2]) &&
                         (pieces.empty() || pieces.back().text != "<");
      if (isHex) i += 2;
      while (i < text.size() && (isHex ? llvm::isHexDigit(text[i]) : llvm::isDigit(text[i]))) ++i;
      if (!isHex && i + 1 < text.size() && text[i] == '.' && llvm::isDigit(text[i + 1])) {
        for (++i; i < text.size() && llvm::isDigit(text[i]);) ++i;
        if (i + 2 < text.size() && llvm::toLower(text[i]) == 'e' && (text[i + 1] == '-' || text[i + 1] == '+'))
          for (i += 2; i < text.size() && llvm::isDigit(text[i]);) ++i;
      }
    } else if (first == 'x' && !pieces.empty() && piece.blanks.empty() &&
               (pieces.back().kind == Kind::Number || pieces.back().text == "?")) {
      ++i;  // between extents
    } else if (llvm::isAlpha(first) || first == '_') {
      while (i < text.size() && isNameCharacter(text[i])) ++i;
      piece.kind = text.slice(begin, i).contains('.') ? Kind::Operation : Kind::Word;
    } else if (llvm::StringRef("%@^!#").contains(first)) {
      for (++i; i < text.size() && (isNameCharacter(text[i]) || text[i] == '#');) ++i;
      piece.kind = first == '%' ? Kind::Value : Kind::Symbol;
    } else if (first == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n';) ++i;
      i = std::min(i + 1, text.size());
      piece.kind = Kind::String;
    } else {
      i += text.substr(i).starts_with("->") ? 2 : 1;
    }
    piece.text = text.slice(begin, i).str();
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::string join(llvm::ArrayRef<Piece> pieces) {
  std::string text;
  for (const Piece& piece : pieces) text += piece.blanks + piece.text;
  return text + "\n";
}

Mutator::Mutator(llvm::ArrayRef<std::string> texts, llvm::ArrayRef<bool> valid) {
  for (auto [text, isValid] : llvm::zip_equal(texts, valid)) {
    Pieces pieces = split(text);
    if (pieces.size() < 2) continue;  // comments
    for (const Piece& piece : pieces) vocabulary_[piece.kind].push_back(piece.text);
    if (isValid) valid_.push_back(seeds_.size());
    seeds_.push_back(std::move(pieces));
  }
  for (auto& [kind, words] : vocabulary_) {
    llvm::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
  }
}

std::string Mutator::make(std::uint64_t seed, std::uint64_t number) {
  std::seed_seq sequence{seed & 0xffffffff, seed >> 32, number & 0xffffffff, number >> 32};
  random_.seed(sequence);
  Pieces pieces = below(16) == 0 ? anySeed() : seeds_[valid_[below(valid_.size())]];
  do {
    change(pieces);
  } while (below(5) < 2 && pieces.size() < 20000);
  return join(pieces);
}

void Mutator::change(Pieces& pieces) {
  if (pieces.size() < 2) pieces = anySeed();
  // Changes that leave a file valid are the most frequent: behind the parser there is most to find.
  const std::size_t action = below(24);
  if (action < 5) return replaceOne(pieces);
  if (action < 10) return replaceAlike(pieces);
  if (action < 15) return replaceInType(pieces);
  if (action < 16) return editPieces(pieces);
  if (action < 20) return editLines(pieces);
  if (action < 21) return addAttribute(pieces);
  if (action < 23) return wrapLines(pieces);
  return cutOff(pieces);
}

/// Of the same kind, mostly; `around` is where other names of values come from.
std::string Mutator::replacementFor(const Piece& piece, llvm::ArrayRef<Piece> around) {
  if (const auto* words = alternativesOf(piece.text); words && below(16) != 0)
    return choose(words == &kTypes && below(8) != 0 ? kElementTypes : *words);
  switch (piece.kind) {
    case Kind::Number: {
      std::int64_t number = 0;
      if (below(2) == 0 || llvm::StringRef(piece.text).getAsInteger(10, number) || number > 1 << 20)
        return choose(kNumbers);
      const std::int64_t near[] = {number + 1, number - 1, number * 2, number / 2, number + 7};
      return std::to_string(near[below(std::size(near))]);
    }
    case Kind::Word:
      return choose(vocabulary_[Kind::Word]);
    case Kind::Value:
    case Kind::Symbol: {
      std::vector<std::string> names;
      for (const Piece& other : around)
        if (other.kind == piece.kind && other.text != piece.text && other.text.front() == piece.text.front())
          names.push_back(other.text);
      return names.empty() ? piece.text + "0" : choose(names);
    }
    case Kind::Operation: {
      // Another operation of the dialect, or any.
      std::vector<std::string> near;
      for (const std::string& name : vocabulary_[Kind::Operation])
        if (llvm::StringRef(name).split('.').first == llvm::StringRef(piece.text).split('.').first)
          near.push_back(name);
      return choose(near.empty() || below(8) == 0 ? vocabulary_[Kind::Operation] : near);
    }
    case Kind::String:
      return below(4) == 0 ? "\"\"" : choose(vocabulary_[Kind::String]);
    case Kind::Other:
      return piece.text == "?" ? choose(kNumbers) : choose(vocabulary_[Kind::Other]);
  }
  return piece.text;
}

void Mutator::replaceOne(Pieces& pieces) {
  // Punctuation is changed less often: little is left to find in a file that does not parse.
  std::size_t at = below(pieces.size());
  for (unsigned tries = 0; tries < 6 && pieces[at].kind == Kind::Other; ++tries) at = below(pieces.size());
  if (pieces[at].kind == Kind::Number && below(6) == 0) {
    pieces[at].text = "?";
    return;
  }
  const std::size_t first = at < 200 ? 0 : at - 200;
  const std::size_t last = std::min(at + 200, pieces.size());
  pieces[at].text = replacementFor(pieces[at], llvm::ArrayRef(pieces).slice(first, last - first));
}

/// Every occurrence of a text, so that the types of a file still fit together.
void Mutator::replaceAlike(Pieces& pieces) {
  std::size_t at = below(pieces.size());
  for (unsigned tries = 0; tries < 30 && pieces[at].kind != Kind::Number && !alternativesOf(pieces[at].text); ++tries)
    at = below(pieces.size());
  const std::string old = pieces[at].text, replacement = replacementFor(pieces[at], pieces);
  for (Piece& piece : pieces)
    if (piece.text == old) piece.text = replacement;
}

/// A part of a type, wherever that type stands: its values still fit their uses.
void Mutator::replaceInType(Pieces& pieces) {
  std::vector<std::pair<std::size_t, std::size_t>> types;  // from the name to the closing bracket
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    if (pieces[i].text != "!tile.buffer" || pieces[i + 1].text != "<") continue;
    std::size_t end = i + 2;
    for (int depth = 1; end < pieces.size() && depth > 0; ++end)
      depth += pieces[end].text == "<" ? 1 : pieces[end].text == ">" ? -1 : 0;
    if (end > i + 2) types.emplace_back(i, end);
  }
  if (types.empty()) return replaceAlike(pieces);
  auto textOf = [&](std::pair<std::size_t, std::size_t> type) {
    return join(llvm::ArrayRef(pieces).slice(type.first, type.second - type.first).drop_front());
  };
  const auto chosen = types[below(types.size())];
  const std::string old = textOf(chosen);
  std::vector<std::pair<std::size_t, std::size_t>> same;
  llvm::copy_if(types, std::back_inserter(same), [&](const auto& type) { return textOf(type) == old; });
  std::size_t at = 2 + below(chosen.second - chosen.first - 2);
  for (unsigned tries = 0; tries < 8 && pieces[chosen.first + at].kind == Kind::Other; ++tries)
    at = 2 + below(chosen.second - chosen.first - 2);
  const std::string replacement = replacementFor(pieces[chosen.first + at], pieces);
  for (const auto& type : same)
    if (type.first + at < pieces.size()) pieces[type.first + at].text = replacement;
}

void Mutator::editPieces(Pieces& pieces) {
  const std::size_t at = below(pieces.size()), other = below(pieces.size());
  const auto position = pieces.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(4)) {
    case 0:
      std::swap(pieces[at].text, pieces[other].text);
      return;
    case 1:
      pieces.erase(position);
      return;
    case 2: {
      const Piece copy = pieces[at];
      pieces.insert(position, copy);
      return;
    }
    default: {
      const Pieces& seed = anySeed();
      Piece piece = seed[below(seed.size())];
      if (piece.blanks.empty()) piece.blanks = " ";
      pieces.insert(position, piece);
    }
  }
}

/// Gives values that a repeated or borrowed block defines names of their own, and lets the others that it uses be some
/// that the file has.
void Mutator::rename(Pieces& block, llvm::ArrayRef<Piece> file) {
  std::map<std::string, std::string> names;
  const std::string suffix = "_" + std::to_string(below(1000));
  for (std::size_t i = 0; i + 1 < block.size(); ++i) {
    const bool begins = i == 0 || startsLine(block[i]);
    const Piece& next = block[i + 1];
    if (block[i].kind == Kind::Value && ((begins && llvm::is_contained({"=", ",", ":"}, next.text)) ||
                                         (next.text == ":" && next.blanks.empty()) || next.text == "="))
      names[block[i].text] = block[i].text + suffix;
  }
  std::vector<std::string> known;
  for (const Piece& piece : file)
    if (piece.kind == Kind::Value) known.push_back(piece.text);
  for (Piece& piece : block) {
    if (piece.kind != Kind::Value) continue;
    if (!names.contains(piece.text))
      names[piece.text] = known.empty() || llvm::is_contained(known, piece.text) ? piece.text : choose(known);
    piece.text = names[piece.text];
  }
}

/// A line or the block that begins there: left out, said twice, moved, or taken from another file.
void Mutator::editLines(Pieces& pieces) {
  auto lines = linesOf(pieces);
  const std::size_t begin = lines[below(lines.size() - 1)], end = endOfBlock(pieces, begin);
  const auto first = pieces.begin() + static_cast<std::ptrdiff_t>(begin),
             last = pieces.begin() + static_cast<std::ptrdiff_t>(end);
  Pieces block(first, last);
  const std::size_t action = below(5);
  if (action == 4) {
    const Pieces& seed = anySeed();
    const auto others = linesOf(seed);
    const std::size_t otherBegin = others[below(others.size() - 1)];
    block.assign(seed.begin() + static_cast<std::ptrdiff_t>(otherBegin),
                 seed.begin() + static_cast<std::ptrdiff_t>(endOfBlock(seed, otherBegin)));
  }
  if (action == 0 || action == 1 || (action == 4 && below(2) == 0)) pieces.erase(first, last);
  if (action == 0 || pieces.empty() || block.empty()) return;
  lines = linesOf(pieces);
  const std::size_t to = action == 1 ? lines[below(lines.size())] : std::min(action == 4 ? begin : end, pieces.size());
  if (!startsLine(block.front())) block.front().blanks = "\n";
  if (action > 1 && below(8) != 0) rename(block, pieces);
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(to), block.begin(), block.end());
}

void Mutator::addAttribute(Pieces& pieces) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].text == ":" || pieces[i].text == "{" || pieces[i].text == "}") places.push_back(i);
  if (places.empty()) return;
  const std::vector<std::string> attributes = {"{}",
                                               "{foo}",
                                               "{accumulate}",
                                               "{dim = -1 : i64}",
                                               "{dim = 7}",
                                               "{tile.input = 3}",
                                               "{sym_name = \"a\"}",
                                               "{permutation = array<i64: 0, 0>}",
                                               "{static_origins = array<i64: 1>}",
                                               "{operandSegmentSizes = array<i32: 1, 1>}",
                                               "attributes {tile.name = 1}",
                                               "{kind = 99}",
                                               "{" + choose(kFlags) + "}",
                                               "{dims = array<i64>}"};
  const std::size_t at = places[below(places.size())];
  if (pieces[at].text == "}" && below(2) == 0) {  // drop one
    std::size_t open = at;
    while (open > 0 && pieces[open].text != "{") --open;
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(open),
                 pieces.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return;
  }
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), {Kind::Other, " ", choose(attributes)});
}

/// Lines go into a region, sometimes into very many.
void Mutator::wrapLines(Pieces& pieces) {
  const auto lines = linesOf(pieces);
  const std::size_t from = below(lines.size() - 1),
                    to = from + 1 + below(std::min<std::size_t>(6, lines.size() - 1 - from));
  std::vector<std::string> names;
  for (const Piece& piece : pieces)
    if (piece.kind == Kind::Value) names.push_back(piece.text);
  const std::string value = names.empty() ? "%x" : choose(names), other = names.empty() ? "%x" : choose(names);
  const std::vector<std::string> openings = {"tile.exec core {",
                                             "tile.exec team {",
                                             "tile.exec team [" + choose(kNumbers) + "] {",
                                             "tile.exec team [" + value + " : " + other + "] {",
                                             "tile.mark \"m\" {",
                                             "tile.roles r [0] {",
                                             "scf.if " + value + " {",
                                             "scf.for %w = " + value + " to " + other + " step " + value + " {",
                                             "scf.execute_region {",
                                             "scf.while : () -> () { scf.condition(" + value + ") } do {",
                                             "module {",
                                             "tile.kernel @w() grid(%w) {",
                                             "func.func @w() {",
                                             "tile.map ins() outs() {",
                                             "["};
  const std::string opening = choose(openings);
  const std::size_t times = below(12) == 0 ? 1 + below(30000) : 1;
  std::string before, after;
  for (std::size_t i = 0; i < times; ++i) {
    before += "\n" + opening;
    after += opening == "[" ? "]" : "\n}";
  }
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(lines[to]), {Kind::Other, "", after});
  pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(lines[from]), {Kind::Other, "", before});
}

void Mutator::cutOff(Pieces& pieces) {
  pieces.resize(1 + below(pieces.size()));
  std::string& last = pieces.back().text;
  if (!last.empty()) last.resize(1 + below(last.size()));
}

}  // namespace forerun::fuzz
