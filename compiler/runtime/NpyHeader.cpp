//===- NpyHeader.cpp - the dictionary in a .npy file ------------------------===//
// A small recursive-descent reader; each member takes what it expects off the front of the text.
#include "compiler/runtime/NpyHeader.h"

#include "llvm/ADT/Twine.h"

namespace forerun::runtime {

namespace {

class HeaderReader {
 public:
  explicit HeaderReader(llvm::StringRef text) : rest_(text) {}

  llvm::Expected<NpyHeader> read() {
    NpyHeader header;
    bool haveDescr = false, haveOrder = false, haveShape = false;
    if (!take("{")) return expected("'{'");
    while (!take("}")) {
      std::string key;
      if (!takeString(key)) return expected("a key in quotes or '}'");
      if (!take(":")) return expected("':'");
      if (key == "descr" && !haveDescr) {
        haveDescr = true;
        if (!takeString(header.descr))
          return expected("a plain element type in quotes (structured types are not supported)");
      } else if (key == "fortran_order" && !haveOrder) {
        haveOrder = true;
        if (take("True"))
          header.fortranOrder = true;
        else if (!take("False"))
          return expected("True or False");
      } else if (key == "shape" && !haveShape) {
        haveShape = true;
        if (!takeShape(header.shape)) return expected("a tuple of extents");
      } else {
        return llvm::createStringError("unexpected key '" + key + "'");
      }
      if (!take(",") && !rest_.ltrim().starts_with("}")) return expected("',' or '}'");
    }
    if (!haveDescr || !haveOrder || !haveShape)
      return llvm::createStringError("descr, fortran_order or shape is missing");
    if (!rest_.trim().trim('\0').empty()) return expected("the end of the header");
    return header;
  }

 private:
  bool take(llvm::StringRef token) {
    rest_ = rest_.ltrim();
    return rest_.consume_front(token);
  }

  bool takeString(std::string& text) {
    rest_ = rest_.ltrim();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return false;
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == llvm::StringRef::npos) return false;
    text = rest_.substr(1, end - 1).str();
    rest_ = rest_.drop_front(end + 1);
    return true;
  }

  bool takeShape(std::vector<std::int64_t>& shape) {
    if (!take("(")) return false;
    while (!take(")")) {
      std::int64_t extent = 0;
      rest_ = rest_.ltrim();
      if (rest_.consumeInteger(10, extent) || extent < 0) return false;
      rest_.consume_front("L");  // Python 2 wrote long integers so.
      shape.push_back(extent);
      if (!take(",") && !rest_.ltrim().starts_with(")")) return false;
    }
    return true;
  }

  llvm::Error expected(const llvm::Twine& what) {
    return llvm::createStringError("expected " + what + " at '" + rest_.ltrim().take_front(20) + "'");
  }

  llvm::StringRef rest_;
};

}  // namespace

llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text) { return HeaderReader(text).read(); }

}  // namespace forerun::runtime
