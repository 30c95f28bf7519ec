//===- TileTypes.cpp - types and attributes of the tile dialect ------------===//
// Storage, syntax and invariants of buffers; generated code of the others.
#include "compiler/dialect/TileDialect.h"

#include "compiler/dialect/layout/Text.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace forerun::tile;

/// Keyed on the dimensions as attributes, so that AttrTypeReplacer can swap a parameter for an integer; the extents as
/// integers are derived once a type.
struct forerun::tile::detail::BufferTypeStorage : TypeStorage {
  using KeyTy = std::tuple<ArrayRef<Attribute>, Type, Space, Attribute>;

  BufferTypeStorage(ArrayRef<Attribute> dims, ArrayRef<int64_t> shape, Type elementType, Space space, Attribute layout)
      : dims(dims), shape(shape), elementType(elementType), space(space), layout(layout) {}

  KeyTy getAsKey() const { return {dims, elementType, space, layout}; }
  bool operator==(const KeyTy& key) const { return key == getAsKey(); }
  static llvm::hash_code hashKey(const KeyTy& key) {
    return llvm::hash_combine(std::get<0>(key), std::get<1>(key), static_cast<uint32_t>(std::get<2>(key)),
                              std::get<3>(key));
  }
  static BufferTypeStorage* construct(TypeStorageAllocator& allocator, KeyTy&& key) {
    llvm::SmallVector<int64_t> shape;
    for (Attribute dim : std::get<0>(key)) {
      auto integer = llvm::dyn_cast<IntegerAttr>(dim);
      shape.push_back(integer ? integer.getInt() : ShapedType::kDynamic);
    }
    return new (allocator.allocate<BufferTypeStorage>())
        BufferTypeStorage(allocator.copyInto(std::get<0>(key)), allocator.copyInto(ArrayRef<int64_t>(shape)),
                          std::get<1>(key), std::get<2>(key), std::get<3>(key));
  }

  ArrayRef<Attribute> dims;
  ArrayRef<int64_t> shape;
  Type elementType;
  Space space;
  Attribute layout;
};

#include "compiler/dialect/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/TileAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "compiler/dialect/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/dialect/TileTypes.cpp.inc"
      >();
}

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/TileAttributes.cpp.inc"
      >();
}

bool forerun::tile::isFloat8(Type type) { return llvm::isa<Float8E4M3FNType, Float8E5M2Type>(type); }

bool forerun::tile::isSmallFloat(Type type) {
  return isFloat8(type) || llvm::isa<Float4E2M1FNType, Float8E8M0FNUType>(type);
}

bool forerun::tile::isPacked(Type type) { return type.isInteger(4) || llvm::isa<Float4E2M1FNType>(type); }

bool forerun::tile::isElementType(Type type) {
  if (llvm::isa<ParamType, Float16Type, BFloat16Type, Float32Type, Float64Type>(type) || isSmallFloat(type))
    return true;
  auto integer = llvm::dyn_cast<IntegerType>(type);
  if (!integer || !integer.isSignless()) return false;
  return llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u}, integer.getWidth());
}

namespace {
llvm::SmallVector<Attribute> toDims(MLIRContext* context, ArrayRef<int64_t> shape) {
  Builder builder(context);
  llvm::SmallVector<Attribute> dims;
  for (int64_t extent : shape) dims.push_back(builder.getI64IntegerAttr(extent));
  return dims;
}
}  // namespace

BufferType BufferType::get(ArrayRef<int64_t> shape, Type elementType, Space space) {
  return get(elementType.getContext(), toDims(elementType.getContext(), shape), elementType, space, Attribute());
}

ArrayRef<Attribute> BufferType::getDims() const { return getImpl()->dims; }
ArrayRef<int64_t> BufferType::getShape() const { return getImpl()->shape; }
Type BufferType::getElementType() const { return getImpl()->elementType; }
Space BufferType::getSpace() const { return getImpl()->space; }
Attribute BufferType::getLayout() const { return getImpl()->layout; }

BufferType BufferType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return get(getContext(), shape ? llvm::ArrayRef<Attribute>(toDims(getContext(), *shape)) : getDims(), elementType,
             getSpace(), getLayout());
}

bool BufferType::isStatic() const {
  return !llvm::is_contained(getShape(), ShapedType::kDynamic) && !llvm::isa<ParamType>(getElementType());
}

bool BufferType::hasParams() const {
  return llvm::isa<ParamType>(getElementType()) ||
         llvm::any_of(getDims(), [](Attribute dim) { return llvm::isa<FlatSymbolRefAttr>(dim); });
}

namespace {
LogicalResult verifyLayout(llvm::function_ref<InFlightDiagnostic()> emitError, ArrayRef<Attribute> dims,
                           Attribute attribute) {
  auto layout = llvm::dyn_cast<LayoutAttr>(attribute);
  if (!layout)
    return emitError() << "expected a layout, #tile.layout<S[(extents):(strides@axes)]>, found " << attribute;
  llvm::SmallVector<int64_t> shape;
  for (Attribute dim : dims) {
    auto integer = llvm::dyn_cast<IntegerAttr>(dim);
    if (!integer) return success();  // checked when the parameter is bound
    shape.push_back(integer.getInt());
  }
  if (llvm::is_contained(shape, ShapedType::kDynamic))
    return emitError() << "a layout places a fixed number of elements, found '?' extents; leave the layout out";
  if (llvm::Error error = forerun::layout::checkShape(layout.getValue(), shape))
    return emitError() << "the layout does not fit the buffer: " << llvm::toString(std::move(error));
  return success();
}
}  // namespace

/// Elements of a buffer, `?` extents apart; what computes with sizes in bytes has bits to spare.
static constexpr int64_t kMostElements = int64_t{1} << 48;

LogicalResult BufferType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, ArrayRef<Attribute> dims,
                                 Type elementType, Space space, Attribute layout) {
  if (dims.empty()) return emitError() << "a buffer has at least one dimension; write 1 for a single element";
  int64_t elements = 1;
  for (Attribute dim : dims) {
    auto integer = llvm::dyn_cast<IntegerAttr>(dim);
    if (!integer) {
      if (!llvm::isa<FlatSymbolRefAttr>(dim))
        return emitError() << "expected an integer, '?' or '@PARAM' extent, found " << dim;
      continue;
    }
    int64_t extent = integer.getInt();
    if (extent == ShapedType::kDynamic) {
      if (space != Space::Global)
        return emitError() << "'?' extents are for global buffers; give a " << stringifySpace(space)
                           << " buffer an integer or '@PARAM' extent";
      continue;
    }
    if (extent <= 0) return emitError() << "expected a positive extent, found " << extent;
    if (extent > kMostElements / elements)
      return emitError() << "expected at most " << kMostElements << " elements, found more with extent " << extent
                         << "; no memory holds them";
    elements *= extent;
  }
  if (!isElementType(elementType))
    return emitError() << "expected an element type (" << kElementTypes << " or !tile.param), found " << elementType;
  if (layout && isPacked(elementType))
    return emitError() << "expected no layout for " << elementType
                       << ", two of which share a byte; leave the layout out, or keep the elements as i8";
  return layout ? verifyLayout(emitError, dims, layout) : success();
}

Attribute LayoutAttr::parse(AsmParser& parser, Type) {
  if (parser.parseLess()) return {};
  // The text up to '>' is the layout library's. The parser goes on after the attribute, wherever this leaves its
  // tokens.
  const char* start = parser.getCurrentLocation().getPointer();
  auto layout = forerun::layout::parse(llvm::StringRef(start).take_until([](char c) { return c == '>'; }));
  if (layout) return get(parser.getContext(), *layout);
  llvm::handleAllErrors(layout.takeError(), [&](const forerun::layout::SyntaxError& error) {
    parser.emitError(llvm::SMLoc::getFromPointer(start + error.column - 1)) << error.message;
  });
  return {};
}

void LayoutAttr::print(AsmPrinter& printer) const { printer << '<' << forerun::layout::print(getValue()) << '>'; }

Type BufferType::parse(AsmParser& parser) {
  llvm::SmallVector<Attribute> dims;
  Type elementType;
  if (parser.parseLess()) return {};
  while (true) {
    llvm::SmallVector<int64_t> extents;
    if (parser.parseDimensionList(extents, /*allowDynamic=*/true, /*withTrailingX=*/true)) return {};
    dims.append(toDims(parser.getContext(), extents));
    StringAttr symbol;
    if (failed(parser.parseOptionalSymbolName(symbol))) break;
    dims.push_back(FlatSymbolRefAttr::get(symbol));
    llvm::SMLoc after = parser.getCurrentLocation();
    if (parser.parseXInDimensionList()) {
      parser.emitError(after, "a parameter extent is followed by ' x ', with a space between, as in '@TM x @TK x f16'");
      return {};
    }
  }
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef spaceName;
  if (parser.parseType(elementType) || parser.parseComma() || parser.parseKeyword(&spaceName)) return {};
  std::optional<Space> space = symbolizeSpace(spaceName);
  if (!space) {
    parser.emitError(loc, "unknown memory space '") << spaceName << "'; expected global, scratch, acc or reg";
    return {};
  }
  Attribute layout;
  if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout)) return {};
  if (parser.parseGreater()) return {};
  return parser.getChecked<BufferType>(loc, parser.getContext(), dims, elementType, *space, layout);
}

void BufferType::print(AsmPrinter& printer) const {
  // A symbol name would swallow a directly following x.
  llvm::StringRef separator = llvm::any_of(getDims(), llvm::IsaPred<FlatSymbolRefAttr>) ? " x " : "x";
  printer << '<';
  for (Attribute dim : getDims()) {
    if (auto symbol = llvm::dyn_cast<FlatSymbolRefAttr>(dim))
      printer << symbol;
    else if (int64_t extent = llvm::cast<IntegerAttr>(dim).getInt(); extent == ShapedType::kDynamic)
      printer << '?';
    else
      printer << extent;
    printer << separator;
  }
  printer << getElementType() << ", " << stringifySpace(getSpace());
  if (getLayout()) printer << ", " << getLayout();
  printer << '>';
}
