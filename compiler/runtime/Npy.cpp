//===- Npy.cpp - NumPy's array files ----------------------------------------===//
// Format: numpy.lib.format, "Format Version 1.0 / 2.0 / 3.0" of NumPy's documentation.
#include "compiler/runtime/Npy.h"

#include "compiler/runtime/AtomicFile.h"
#include "compiler/runtime/NpyHeader.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

namespace forerun::runtime {

namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicBytes = 6;

/// NumPy's `descr` for a type as we write it.
const char* descrOf(ElementType type) {
  switch (type) {
    case ElementType::I1:
      return "|b1";
    case ElementType::I4:
    case ElementType::I8:
      return "|i1";
    case ElementType::I16:
      return "<i2";
    case ElementType::I32:
      return "<i4";
    case ElementType::I64:
      return "<i8";
    case ElementType::F16:
      return "<f2";
    case ElementType::F32:
      return "<f4";
    case ElementType::F64:
      return "<f8";
    case ElementType::BF16:
      return "<V2";
    case ElementType::F8E4M3FN:
    case ElementType::F8E5M2:
    case ElementType::F4E2M1FN:
    case ElementType::F8E8M0FNU:
      return "|V1";
  }
  return "";
}

/// What to write in Python to get `type` from an array `x`.
std::string numpyConversion(ElementType type) {
  switch (type) {
    case ElementType::I1:
      return "x.astype('bool')";
    case ElementType::I4:
    case ElementType::I8:
      return "x.astype('int8')";
    case ElementType::I16:
      return "x.astype('int16')";
    case ElementType::I32:
      return "x.astype('int32')";
    case ElementType::I64:
      return "x.astype('int64')";
    case ElementType::F16:
      return "x.astype('float16')";
    case ElementType::F32:
      return "x.astype('float32')";
    case ElementType::F64:
      return "x.astype('float64')";
    case ElementType::BF16:
      return "x.astype(ml_dtypes.bfloat16)";
    case ElementType::F8E4M3FN:
      return "x.astype(ml_dtypes.float8_e4m3fn)";
    case ElementType::F8E5M2:
      return "x.astype(ml_dtypes.float8_e5m2)";
    case ElementType::F4E2M1FN:
      return "x.astype(ml_dtypes.float4_e2m1fn)";
    case ElementType::F8E8M0FNU:
      return "x.astype(ml_dtypes.float8_e8m0fnu)";
  }
  return "";
}

/// Whether kind and size ("f2", "u4") can be read as `type`.
bool accepts(ElementType type, llvm::StringRef kindAndSize) {
  const llvm::StringRef own = llvm::StringRef(descrOf(type)).drop_front();
  // What ml_dtypes calls its float8_e5m2, unlike its other types.
  if (kindAndSize == own || (type == ElementType::F8E5M2 && kindAndSize == "f1")) return true;
  if (type == ElementType::I4 && kindAndSize == "V1") return true;  // its int4
  return kindAndSize.front() == 'u' && own.front() == 'i' && kindAndSize.drop_front() == own.drop_front();
}

std::string shapeText(llvm::ArrayRef<std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] < 0 ? std::string("any") : std::to_string(shape[i]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool shapeMatches(llvm::ArrayRef<std::int64_t> expected, llvm::ArrayRef<std::int64_t> found) {
  if (expected.size() != found.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (expected[i] >= 0 && expected[i] != found[i]) return false;
  return true;
}

}  // namespace

llvm::Expected<Tensor> parseNpy(llvm::StringRef path, llvm::StringRef contents, ElementType type,
                                llvm::ArrayRef<std::int64_t> shape) {
  auto fail = [&](const llvm::Twine& message) { return llvm::createStringError(path + ": " + message); };
  if (contents.size() < kMagicBytes + 2 || contents.substr(0, kMagicBytes) != llvm::StringRef(kMagic, kMagicBytes))
    return fail("is not a .npy file (its first bytes are not \\x93NUMPY); write it with numpy.save");
  const unsigned major = static_cast<std::uint8_t>(contents[6]), minor = static_cast<std::uint8_t>(contents[7]);
  if (major < 1 || major > 3)
    return fail("has .npy format version " + llvm::Twine(major) + "." + llvm::Twine(minor) +
                ", expected 1, 2 or 3; write it with numpy.save");
  const std::size_t lengthBytes = major == 1 ? 2 : 4;
  std::size_t headerBytes = 0;
  if (contents.size() < 8 + lengthBytes) return fail("is cut short inside its header; write it again");
  for (std::size_t i = 0; i < lengthBytes; ++i)
    headerBytes |= static_cast<std::size_t>(static_cast<std::uint8_t>(contents[8 + i])) << (8 * i);
  if (contents.size() < 8 + lengthBytes + headerBytes) return fail("is cut short inside its header; write it again");

  llvm::Expected<NpyHeader> header = parseNpyHeader(contents.substr(8 + lengthBytes, headerBytes));
  if (!header)
    return fail("has a header that cannot be read: " + llvm::toString(header.takeError()) +
                "; write it with numpy.save");
  const llvm::StringRef descr = header->descr;
  if (descr.size() < 3)
    return fail("has an unknown element type '" + descr + "'; convert it: " + numpyConversion(type));
  if (!accepts(type, descr.drop_front()))
    return fail("holds elements of type '" + descr + "', expected " + isa::name(type) + " ('" + descrOf(type) +
                "'); convert it: " + numpyConversion(type));
  if (descr.front() == '>')
    return fail("is big-endian ('" + descr +
                "'), expected little-endian; convert it: x.astype(x.dtype.newbyteorder('<'))");
  if (!shapeMatches(shape, header->shape))
    return fail("has shape " + shapeText(header->shape) + ", expected " + shapeText(shape) +
                "; give an array of that shape, or change the kernel's declared one");
  if (header->fortranOrder && header->shape.size() > 1)
    return fail("is in Fortran (column-major) order, expected C (row-major); convert it: numpy.ascontiguousarray(x)");

  llvm::Expected<std::int64_t> count = elementCount(type, header->shape);
  if (!count) return fail(llvm::toString(count.takeError()));
  const llvm::StringRef data = contents.substr(8 + lengthBytes + headerBytes);
  const std::uint64_t expectedBytes = static_cast<std::uint64_t>(*count) * isa::storageBytes(type);
  if (data.size() < expectedBytes)
    return fail("is cut short: " + llvm::Twine(data.size()) + " bytes of data, expected " + llvm::Twine(expectedBytes) +
                " for shape " + shapeText(header->shape) + "; write it again");
  if (data.size() > expectedBytes)
    return fail("has " + llvm::Twine(data.size()) + " bytes of data, expected " + llvm::Twine(expectedBytes) +
                " for shape " + shapeText(header->shape) + "; write one array a file");
  Tensor tensor(type, header->shape);
  std::memcpy(tensor.bytes.data(), data.data(), expectedBytes);
  if (!isa::isPacked(type)) return tensor;
  // A byte an element, of which the low half counts.
  const bool isInteger = type == ElementType::I4, isSigned = isInteger && descr.contains('i');
  for (std::uint8_t& byte : tensor.bytes) {
    const int value = isSigned ? static_cast<std::int8_t>(byte) : byte;
    if (value > (isSigned ? 7 : 15) || value < -8)
      return fail("holds " + llvm::Twine(value) + ", which " + isa::name(type) + " has not (" +
                  (isSigned ? "-8 to 7" : "codes 0 to 15") +
                  "); convert it: " + (isInteger ? "x.clip(-8, 7)" : numpyConversion(type)));
    byte &= 0xf;
  }
  return tensor;
}

llvm::Expected<Tensor> readNpy(llvm::StringRef path, ElementType type, llvm::ArrayRef<std::int64_t> shape) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) return llvm::createStringError(path + ": cannot be read: " + buffer.getError().message());
  return parseNpy(path, (*buffer)->getBuffer(), type, shape);
}

std::string formatNpy(const Tensor& tensor) {
  std::string header = std::string("{'descr': '") + descrOf(tensor.type) +
                       "', 'fortran_order': False, 'shape': " + shapeText(tensor.shape) + ", }";
  // The data start at a multiple of 64 bytes; the header ends with a newline.
  const std::size_t prefix = kMagicBytes + 2 + 2;
  header.append((64 - (prefix + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string file(kMagic, kMagicBytes);
  file += '\x01';
  file += '\x00';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  file += header;
  if (tensor.type == ElementType::I4)
    for (std::int64_t i = 0; i < tensor.elements(); ++i)
      file += static_cast<char>(isa::loadAsInt(tensor.type, tensor.at(i)));
  else
    file.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return file;
}

llvm::Error writeNpy(llvm::StringRef path, const Tensor& tensor) {
  return writeFileAtomically(path, formatNpy(tensor));
}

}  // namespace forerun::runtime
