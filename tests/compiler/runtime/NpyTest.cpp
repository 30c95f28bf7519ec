//===- NpyTest.cpp - .npy files, good and bad -------------------------------===//
// Round trips, headers as NumPy writes them, and the message for every kind of bad file.
#include "compiler/runtime/Npy.h"
#include "tests/compiler/runtime/Errors.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace forerun;
using namespace forerun::runtime;

namespace {

/// A file as numpy.save lays it out, with the given format version.
std::string file(llvm::StringRef header, llvm::StringRef data, unsigned major = 1) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(major);
  text += '\0';
  for (unsigned i = 0; i < (major == 1 ? 2u : 4u); ++i) text += static_cast<char>((header.size() >> (8 * i)) & 0xFF);
  return text + header.str() + data.str();
}

std::string header(llvm::StringRef descr, llvm::StringRef shape, bool fortran = false) {
  return ("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
          ", }\n")
      .str();
}

std::string parseError(llvm::StringRef contents, ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  return messageOf(parseNpy("a.npy", contents, type, shape));
}

TEST(Npy, EveryTypeRoundTrips) {
  for (ElementType type : {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32, ElementType::I64,
                           ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64,
                           ElementType::F8E4M3FN, ElementType::F8E5M2, ElementType::F8E8M0FNU}) {
    Tensor tensor(type, {3, 5});
    for (std::size_t i = 0; i < tensor.bytes.size(); ++i) tensor.bytes[i] = static_cast<std::uint8_t>(i * 7);
    auto back = parseNpy("a.npy", formatNpy(tensor), type, {3, 5});
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(back->bytes, tensor.bytes);
    EXPECT_EQ(back->shape, tensor.shape);
  }
}

// ml_dtypes keeps an int4 in the low half of a byte ('<V1'); int8 has its sign extended.
TEST(Npy, PackedTypesHaveAByteAnElement) {
  Tensor numbers(ElementType::I4, {5});
  numbers.bytes = {0x0, 0x7, 0x8, 0xf, 0x3};
  const std::string text = formatNpy(numbers);
  EXPECT_EQ(text.substr(text.size() - 5), std::string("\x00\x07\xf8\xff\x03", 5));
  for (const std::string& contents : {text, file(header("<V1", "(5,)"), llvm::StringRef("\x00\x07\x08\x0f\x03", 5))})
    EXPECT_EQ(llvm::cantFail(parseNpy("a.npy", contents, ElementType::I4, {5})).bytes, numbers.bytes);
  EXPECT_EQ(parseError(file(header("|i1", "(2,)"), "\x07\x08"), ElementType::I4, {2}),
            "a.npy: holds 8, which i4 has not (-8 to 7); convert it: x.clip(-8, 7)");
  EXPECT_EQ(parseError(file(header("|i1", "(1,)"), "\xf7"), ElementType::I4, {1}),
            "a.npy: holds -9, which i4 has not (-8 to 7); convert it: x.clip(-8, 7)");
  EXPECT_EQ(parseError(file(header("<V1", "(1,)"), "\x10"), ElementType::F4E2M1FN, {1}),
            "a.npy: holds 16, which f4E2M1FN has not (codes 0 to 15); convert it: "
            "x.astype(ml_dtypes.float4_e2m1fn)");
}

TEST(Npy, DataStartAtAMultipleOf64Bytes) {
  const std::string text = formatNpy(Tensor(ElementType::F32, {7}));
  EXPECT_EQ((text.size() - 28) % 64, 0u);
  EXPECT_NE(text.find("'shape': (7,)"), std::string::npos);
}

TEST(Npy, AllFormatVersionsAndScalars) {
  for (unsigned major : {1u, 2u, 3u})
    EXPECT_TRUE(
        bool(llvm::cantFail(parseNpy("a.npy", file(header("<f4", "(2,)"), "12345678", major), ElementType::F32, {-1}))
                 .shape == std::vector<std::int64_t>{2}));
  EXPECT_EQ(llvm::cantFail(parseNpy("a.npy", file(header("<f4", "()"), "1234"), ElementType::F32, {})).elements(), 1);
}

TEST(Npy, UnsignedIsReadAsTheIntegerOfItsWidth) {
  EXPECT_EQ(parseError(file(header("|u1", "(2,)"), "ab"), ElementType::I8, {2}), "(no error)");
}

TEST(Npy, FortranOrderOfAVectorIsHarmless) {
  EXPECT_EQ(parseError(file(header("|i1", "(2,)", true), "ab"), ElementType::I8, {2}), "(no error)");
}

TEST(Npy, BadFilesSayWhatToDo) {
  EXPECT_EQ(parseError("hello", ElementType::F32, {2}),
            "a.npy: is not a .npy file (its first bytes are not \\x93NUMPY); write it with numpy.save");
  EXPECT_EQ(parseError(file(header("<f4", "(2,)"), "12345678", 9), ElementType::F32, {2}),
            "a.npy: has .npy format version 9.0, expected 1, 2 or 3; write it with numpy.save");
  EXPECT_EQ(parseError(file(header("<f4", "(2,)"), "1234567"), ElementType::F32, {2}),
            "a.npy: is cut short: 7 bytes of data, expected 8 for shape (2,); write it again");
  EXPECT_EQ(parseError(file(header("<f4", "(2,)"), "123456789"), ElementType::F32, {2}),
            "a.npy: has 9 bytes of data, expected 8 for shape (2,); write one array a file");
  EXPECT_EQ(parseError(file(header("<f8", "(2,)"), ""), ElementType::F16, {2}),
            "a.npy: holds elements of type '<f8', expected f16 ('<f2'); convert it: x.astype('float16')");
  EXPECT_EQ(parseError(file(header(">f4", "(2,)"), "12345678"), ElementType::F32, {2}),
            "a.npy: is big-endian ('>f4'), expected little-endian; convert it: x.astype(x.dtype.newbyteorder('<'))");
  EXPECT_EQ(parseError(file(header("<f4", "(2, 3)"), ""), ElementType::F32, {2, -1, 4}),
            "a.npy: has shape (2, 3), expected (2, any, 4); give an array of that shape, or change the kernel's "
            "declared one");
  EXPECT_EQ(
      parseError(file(header("<f4", "(2, 1)", true), "12345678"), ElementType::F32, {2, 1}),
      "a.npy: is in Fortran (column-major) order, expected C (row-major); convert it: numpy.ascontiguousarray(x)");
  EXPECT_EQ(parseError(file(header("<f4", "(2,)"), "12345678").substr(0, 20), ElementType::F32, {2}),
            "a.npy: is cut short inside its header; write it again");
  EXPECT_EQ(parseError(file(header("<f4", "(9223372036854775807, 2)"), ""), ElementType::F32, {-1, -1}),
            "a.npy: 9223372036854775807x2xf32 is larger than any memory");
}

TEST(Npy, BadHeadersSayWhere) {
  EXPECT_EQ(
      parseError(file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}", ""), ElementType::F32, {2}),
      "a.npy: has a header that cannot be read: expected a plain element type in quotes (structured types are not "
      "supported) at "
      "'[('x', '<f4')], 'for'; write it with numpy.save");
  for (const char* bad :
       {"", "{", "{'descr'}", "{'shape': (2,)}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,)}", "{'descr': '<f4', 'x': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} trailing"})
    EXPECT_NE(parseError(file(bad, "12345678"), ElementType::F32, {2}).find("has a header that cannot be read"),
              std::string::npos)
        << bad;
}

TEST(Npy, MissingFile) {
  EXPECT_EQ(messageOf(readNpy("/nonexistent/a.npy", ElementType::F32, {2})),
            "/nonexistent/a.npy: cannot be read: No such file or directory");
}

}  // namespace
