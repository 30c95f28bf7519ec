//===- VectorMemory.cpp - vector loads and stores ---------------------------===//
// Unit-stride, fault-only-first, strided, indexed, segment, mask and whole-register accesses (V 1.0, chapter 7). Bytes
// move as on the machine because hosts are little-endian.
#include "simulator/core/instructions/VectorElementwise.h"
#include "simulator/kernel/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace forerun::sim::core {

namespace {

static_assert(std::endian::native == std::endian::little, "vector registers are kept in the machine's byte order");

void note(VectorContext& c, std::uint64_t address, std::uint64_t bytes) {
  if (!c.runs || bytes == 0) return;
  if (!c.runs->empty() && c.runs->back().address + c.runs->back().bytes == address)
    c.runs->back().bytes += static_cast<std::uint32_t>(bytes);
  else
    c.runs->push_back({address, static_cast<std::uint32_t>(bytes)});
}

void checkAligned(std::uint64_t address, unsigned log2Bytes) {
  if (address & ((1u << log2Bytes) - 1))
    refuse("vector access at address " + std::to_string(address) + " is not aligned to its elements of " +
           std::to_string(1u << log2Bytes) + " bytes");
}

/// Where the fields of a segment live in the register file.
struct Fields {
  std::uint8_t* first;      ///< element 0 of field 0
  std::size_t strideBytes;  ///< from a field's group to the next
  unsigned count;
  unsigned log2Bytes;  ///< of an element

  std::uint8_t* at(unsigned field, std::size_t element) const {
    return first + field * strideBytes + (element << log2Bytes);
  }
};

Fields fieldsOf(VectorContext& c, const DecodedVector& d) {
  const unsigned bits = d.vd.elementBits(c.v.vtype);
  const std::size_t registers = d.vd.registerCount(c.v.vtype) / d.vd.fields;
  return {c.v.reg(d.vd.first), registers * c.v.vlenBytes(), d.vd.fields,
          static_cast<unsigned>(std::countr_zero(bits / 8))};
}

/// Calls visit(begin, end) for each stretch of active elements in [vstart, vl).
template <class Visit>
void forActiveStretches(VectorContext& c, const DecodedVector& d, Visit visit) {
  const std::size_t end = c.v.vl;
  std::size_t i = c.v.vstart;
  if (!d.masked) {
    if (i < end) visit(i, end);
    return;
  }
  // A load may overwrite no part of its own mask: vd never overlaps v0.
  const std::uint8_t* mask = c.v.reg(0);
  while (i < end) {
    while (i < end && !maskBit(mask, i)) ++i;
    const std::size_t begin = i;
    while (i < end && maskBit(mask, i)) ++i;
    if (begin < i) visit(begin, i);
  }
}

template <class T>
void splitAs(const Fields& f, std::size_t begin, std::size_t n, const std::uint8_t* memory) {
  for (unsigned k = 0; k < f.count; ++k) {
    T* d = reinterpret_cast<T*>(f.at(k, begin));
    const T* s = reinterpret_cast<const T*>(memory) + k;
    for (std::size_t i = 0; i < n; ++i) d[i] = s[i * f.count];
  }
}
template <class T>
void joinAs(const Fields& f, std::size_t begin, std::size_t n, std::uint8_t* memory) {
  for (unsigned k = 0; k < f.count; ++k) {
    const T* s = reinterpret_cast<const T*>(f.at(k, begin));
    T* d = reinterpret_cast<T*>(memory) + k;
    for (std::size_t i = 0; i < n; ++i) d[i * f.count] = s[i];
  }
}

/// n segments that lie one after the other in memory, to registers.
void fromMemory(const Fields& f, std::size_t begin, std::size_t n, const std::uint8_t* memory) {
  if (f.count == 1) {
    std::memcpy(f.at(0, begin), memory, n << f.log2Bytes);
    return;
  }
  switch (f.log2Bytes) {
    case 0:
      return splitAs<std::uint8_t>(f, begin, n, memory);
    case 1:
      return splitAs<std::uint16_t>(f, begin, n, memory);
    case 2:
      return splitAs<std::uint32_t>(f, begin, n, memory);
    default:
      return splitAs<std::uint64_t>(f, begin, n, memory);
  }
}
void toMemory(const Fields& f, std::size_t begin, std::size_t n, std::uint8_t* memory) {
  if (f.count == 1) {
    std::memcpy(memory, f.at(0, begin), n << f.log2Bytes);
    return;
  }
  switch (f.log2Bytes) {
    case 0:
      return joinAs<std::uint8_t>(f, begin, n, memory);
    case 1:
      return joinAs<std::uint16_t>(f, begin, n, memory);
    case 2:
      return joinAs<std::uint32_t>(f, begin, n, memory);
    default:
      return joinAs<std::uint64_t>(f, begin, n, memory);
  }
}

template <bool isStore>
void transfer(VectorContext& c, const Fields& f, std::size_t begin, std::size_t n, std::uint64_t address) {
  const auto bytes = static_cast<std::uint32_t>((n * f.count) << f.log2Bytes);
  if constexpr (isStore)
    toMemory(f, begin, n, c.memory.write(address, bytes));
  else
    fromMemory(f, begin, n, c.memory.read(address, bytes));
  note(c, address, bytes);
}

/// Single elements at addresses of their own. Remembers the window of the last one, which mostly holds the next.
template <bool isStore>
class SingleAccess {
 public:
  SingleAccess(VectorContext& c, const Fields& f) : c_(c), f_(f) { window_.bytes = 0; }

  /// One segment.
  void operator()(std::size_t i, std::uint64_t address) {
    checkAligned(address, f_.log2Bytes);
    if (f_.count > 1) return transfer<isStore>(c_, f_, i, 1, address);
    switch (f_.log2Bytes) {
      case 0:
        return move<std::uint8_t>(i, address);
      case 1:
        return move<std::uint16_t>(i, address);
      case 2:
        return move<std::uint32_t>(i, address);
      default:
        return move<std::uint64_t>(i, address);
    }
  }

 private:
  template <class T>
  void move(std::size_t i, std::uint64_t address) {
    const std::uint64_t offset = address - window_.base;
    if (offset < window_.bytes && window_.bytes - offset >= sizeof(T) && !window_.initialised) [[likely]] {
      if constexpr (isStore)
        std::memcpy(window_.data + offset, f_.at(0, i), sizeof(T));
      else
        std::memcpy(f_.at(0, i), window_.data + offset, sizeof(T));
    } else {
      window_ = c_.memory.find(address, sizeof(T));
      if constexpr (isStore)
        std::memcpy(c_.memory.write(address, sizeof(T)), f_.at(0, i), sizeof(T));
      else
        std::memcpy(f_.at(0, i), c_.memory.read(address, sizeof(T)), sizeof(T));
    }
    note(c_, address, sizeof(T));
  }

  VectorContext& c_;
  const Fields f_;
  MemoryWindow window_;
};

template <bool isStore>
void executeUnitStride(VectorContext& c, const DecodedVector& d) {
  const Fields f = fieldsOf(c, d);
  const std::uint64_t base = c.x[d.xRead1];
  if (c.v.vstart < c.v.vl) checkAligned(base, f.log2Bytes);
  forActiveStretches(c, d, [&](std::size_t begin, std::size_t end) {
    transfer<isStore>(c, f, begin, end - begin, base + ((begin * f.count) << f.log2Bytes));
  });
}

/// Loads until the first element but element 0 that cannot be read, and sets vl to it.
void executeFaultOnlyFirst(VectorContext& c, const DecodedVector& d) {
  const Fields f = fieldsOf(c, d);
  const std::uint64_t base = c.x[d.xRead1];
  if (c.v.vstart < c.v.vl) checkAligned(base, f.log2Bytes);
  const std::size_t segmentBytes = std::size_t{f.count} << f.log2Bytes;
  std::size_t fault = c.v.vl;
  forActiveStretches(c, d, [&](std::size_t begin, std::size_t end) {
    if (fault < c.v.vl) return;
    bool faults = false;
    try {
      transfer<false>(c, f, begin, end - begin, base + begin * segmentBytes);
    } catch (const Error&) {
      faults = true;
    }
    if (!faults) return;
    // Some element of the stretch does: find out which.
    for (std::size_t i = begin; i < end; ++i) {
      try {
        transfer<false>(c, f, i, 1, base + i * segmentBytes);
      } catch (const Error&) {
        if (i == 0) throw;
        fault = i;
        return;
      }
    }
  });
  c.v.vl = fault;
}

template <bool isStore>
void executeStrided(VectorContext& c, const DecodedVector& d) {
  const Fields f = fieldsOf(c, d);
  const std::uint64_t base = c.x[d.xRead1], stride = c.x[d.xRead2];
  SingleAccess<isStore> access(c, f);
  forActiveStretches(c, d, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) access(i, base + i * stride);
  });
}

template <bool isStore, class Index>
void executeIndexed(VectorContext& c, const DecodedVector& d) {
  const Fields f = fieldsOf(c, d);
  const std::uint64_t base = c.x[d.xRead1];
  // A single-field load may overwrite its indices from below or above; they are read first.
  const std::uint8_t* indices = c.v.reg(d.vs2.first);
  std::vector<std::uint8_t> copy;
  if constexpr (!isStore) {
    if (d.vd.first < d.vs2.first + d.vs2.registerCount(c.v.vtype) &&
        d.vs2.first < d.vd.first + d.vd.registerCount(c.v.vtype)) {
      copy.assign(indices, indices + c.v.vl * sizeof(Index));
      indices = copy.data();
    }
  }
  SingleAccess<isStore> access(c, f);
  forActiveStretches(c, d, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Index offset;
      std::memcpy(&offset, indices + i * sizeof(Index), sizeof(Index));
      access(i, base + offset);
    }
  });
}

template <bool isStore>
void bytesTransfer(VectorContext& c, std::uint8_t* registers, std::uint64_t address, std::size_t bytes) {
  if (bytes == 0) return;
  if constexpr (isStore)
    std::memcpy(c.memory.write(address, static_cast<std::uint32_t>(bytes)), registers, bytes);
  else
    std::memcpy(registers, c.memory.read(address, static_cast<std::uint32_t>(bytes)), bytes);
  note(c, address, bytes);
}

/// vlm.v, vsm.v: ceil(vl / 8) bytes.
template <bool isStore>
void executeMaskTransfer(VectorContext& c, const DecodedVector& d) {
  const std::size_t end = (c.v.vl + 7) / 8, begin = c.v.vstart;
  if (begin < end) bytesTransfer<isStore>(c, c.v.reg(d.vd.first) + begin, c.x[d.xRead1] + begin, end - begin);
}

template <bool isStore>
void executeWhole(VectorContext& c, const DecodedVector& d) {
  const VectorOperation& o = operationOf(d);
  const unsigned log2Bytes = static_cast<unsigned>(o.variant);
  const std::size_t end = std::size_t{o.registers} * c.v.vlenBytes(), begin = c.v.vstart << log2Bytes;
  checkAligned(c.x[d.xRead1], log2Bytes);
  if (begin < end) bytesTransfer<isStore>(c, c.v.reg(d.vd.first) + begin, c.x[d.xRead1] + begin, end - begin);
}

constexpr const char* kBitsNames[] = {"8", "16", "32", "64"};

std::string segmentName(unsigned fields) { return fields == 1 ? "" : "SEG" + std::to_string(fields); }

VectorOperation memoryOperation(bool isStore, VectorAccess access, unsigned fields) {
  VectorOperation o;
  o.kind = isStore ? VectorKind::Store : VectorKind::Load;
  o.access = access;
  o.fields = static_cast<std::uint8_t>(fields);
  if (isStore) o.overlap = OverlapRule::Free;
  return o;
}

void addUnitStride(VectorOperations& table, bool isStore, unsigned fields, unsigned log2Bytes) {
  VectorOperation o = memoryOperation(isStore, VectorAccess::UnitStride, fields);
  o.form = VectorForm::Memory;
  o.vd = {VectorWidth::Fixed, static_cast<std::int8_t>(log2Bytes)};
  o.executor = isStore ? executeUnitStride<true> : executeUnitStride<false>;
  const std::string stem = std::string(isStore ? "VS" : "VL") + segmentName(fields) + "E" + kBitsNames[log2Bytes];
  table.add(stem + "_V", o);
  if (!isStore) {
    o.access = VectorAccess::FaultOnlyFirst;
    o.executor = executeFaultOnlyFirst;
    table.add(stem + "FF_V", o);
  }
  o.access = VectorAccess::Strided;
  o.form = VectorForm::Strided;
  o.executor = isStore ? executeStrided<true> : executeStrided<false>;
  table.add(std::string(isStore ? "VSS" : "VLS") + segmentName(fields) + "E" + kBitsNames[log2Bytes] + "_V", o);
}

template <class Index>
void addIndexed(VectorOperations& table, bool isStore, unsigned fields, unsigned log2Bytes) {
  VectorOperation o = memoryOperation(isStore, VectorAccess::Indexed, fields);
  o.form = VectorForm::Indexed;
  o.vd = kSame;
  o.vs2 = {VectorWidth::Fixed, static_cast<std::int8_t>(log2Bytes)};
  o.executor = isStore ? executeIndexed<true, Index> : executeIndexed<false, Index>;
  for (const char* order : {"UX", "OX"})
    table.add(std::string(isStore ? "VS" : "VL") + order + segmentName(fields) + "EI" + kBitsNames[log2Bytes] + "_V",
              o);
}

}  // namespace

void addMemoryOperations(VectorOperations& table) {
  for (bool isStore : {false, true}) {
    for (unsigned fields = 1; fields <= 8; ++fields) {
      for (unsigned log2Bytes = 0; log2Bytes < 4; ++log2Bytes) addUnitStride(table, isStore, fields, log2Bytes);
      addIndexed<std::uint8_t>(table, isStore, fields, 0);
      addIndexed<std::uint16_t>(table, isStore, fields, 1);
      addIndexed<std::uint32_t>(table, isStore, fields, 2);
      addIndexed<std::uint64_t>(table, isStore, fields, 3);
    }
    VectorOperation mask = memoryOperation(isStore, VectorAccess::Mask, 1);
    mask.form = VectorForm::Memory;
    mask.vd = kBits;
    mask.executor = isStore ? executeMaskTransfer<true> : executeMaskTransfer<false>;
    table.add(isStore ? "VSM_V" : "VLM_V", mask);

    VectorOperation whole = memoryOperation(isStore, VectorAccess::WholeRegister, 1);
    whole.form = VectorForm::Memory;
    whole.overlap = OverlapRule::Free;
    whole.vd = {VectorWidth::Whole, 0};
    whole.executor = isStore ? executeWhole<true> : executeWhole<false>;
    for (unsigned registers : {1u, 2u, 4u, 8u}) {
      whole.registers = static_cast<std::uint8_t>(registers);
      whole.variant = 0;
      if (isStore) table.add("VS" + std::to_string(registers) + "R_V", whole);
      for (unsigned log2Bytes = 0; !isStore && log2Bytes < 4; ++log2Bytes) {
        whole.variant = static_cast<int>(log2Bytes);
        table.add("VL" + std::to_string(registers) + "RE" + kBitsNames[log2Bytes] + "_V", whole);
      }
    }
  }
}

}  // namespace forerun::sim::core
