//===- DmaFunctionTest.cpp - DMA commands against naive loops ---------------===//
// Random four-dimensional copies, gathers and scatters; aliasing; multicast; and the refusals.
#include "EngineFixture.h"
#include "simulator/dma/DmaFunction.h"
#include "simulator/kernel/Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace forerun;
using namespace forerun::sim;
using isa::ElementType;

namespace {

const ElementType kTypes[] = {ElementType::I8,  ElementType::I16,  ElementType::I32, ElementType::I64,
                              ElementType::F16, ElementType::BF16, ElementType::F32, ElementType::F64};

using Index = std::array<std::int64_t, 4>;

bool inside(const Descriptor& d, const Index& i) {
  for (unsigned x = 0; x < 4; ++x)
    if (i[x] < d.low[x] || i[x] >= d.high[x] || i[x] >= d.extent[x]) return false;
  return true;
}

std::uint64_t address(const Descriptor& d, const Index& i) {
  std::int64_t offset = 0;
  for (unsigned x = 0; x < 4; ++x) offset += i[x] * d.stride[x];
  return d.base + static_cast<std::uint64_t>(offset);
}

template <typename F>
void forEach(const Index& extent, F f) {
  for (std::int64_t i3 = 0; i3 < extent[3]; ++i3)
    for (std::int64_t i2 = 0; i2 < extent[2]; ++i2)
      for (std::int64_t i1 = 0; i1 < extent[1]; ++i1)
        for (std::int64_t i0 = 0; i0 < extent[0]; ++i0) f(Index{i0, i1, i2, i3});
}

struct Dma : test::EngineFixture {
  Descriptor tensor(ElementType type, std::uint64_t base, const Index& extent, bool distinct) {
    Descriptor d;
    d.type = type;
    d.base = base;
    d.extent = extent;
    std::array<unsigned, 4> order{0, 1, 2, 3};
    if (below(2)) std::shuffle(order.begin(), order.end(), random);
    std::int64_t pitch = isa::storageBytes(type);
    for (unsigned x : order) {
      d.stride[x] = pitch;
      pitch = pitch * std::max<std::int64_t>(extent[x], 1) + (below(3) == 0 ? isa::storageBytes(type) * below(3) : 0);
    }
    if (!distinct && below(4) == 0) d.stride[below(4)] = 0;
    for (unsigned x = 0; x < 4; ++x)
      if (below(5) == 0) {
        d.base += static_cast<std::uint64_t>(d.stride[x] * std::max<std::int64_t>(extent[x] - 1, 0));
        d.stride[x] = -d.stride[x];
      }
    if (below(2))
      for (unsigned x = 0; x < 4; ++x) {
        d.low[x] = below(4) == 0 ? below(3) : 0;
        if (below(3) == 0) d.high[x] = std::max<std::int64_t>(0, extent[x] - below(3));
      }
    return d;
  }
  Index shape() { return {1 + below(17), 1 + below(7), 1 + below(4), 1 + below(3)}; }

  std::vector<std::uint8_t> snapshot(std::uint64_t base, std::size_t bytes) { return {host(base), host(base) + bytes}; }
};

constexpr std::size_t kArea = 65536;

TEST(DmaFunction, copyEqualsNaiveLoops) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  for (int round = 0; round < 2000; ++round) {
    const ElementType srcType = kTypes[dma.below(8)], dstType = dma.below(2) ? srcType : kTypes[dma.below(8)];
    const std::uint64_t bases[] = {kScratchBase, kAccumulatorBase, kGlobalBase,
                                   kRemoteScratchBase + kRemoteScratchStride};
    const std::uint64_t srcBase = bases[dma.below(4)], dstBase = bases[dma.below(4)] + 0x20000;
    Index extent = dma.shape();
    Descriptor dst = dma.tensor(dstType, dstBase, extent, true);
    for (auto& e : extent) e = std::max<std::int64_t>(0, e + dma.below(4) - 2);
    Descriptor src = dma.tensor(srcType, srcBase, extent, false);
    dma.fillRandom(ElementType::I64, srcBase, kArea / 8);
    dma.fillRandom(ElementType::I64, dstBase, kArea / 8);
    isa::storeFromInt(srcType, &src.fill, 7);
    std::vector<std::uint8_t> expected = dma.snapshot(dstBase, kArea);
    std::uint64_t written = 0;
    forEach(dst.extent, [&](const Index& i) {
      if (!inside(dst, i)) return;
      std::uint8_t element[8];
      isa::convertElement(srcType, inside(src, i) ? static_cast<const void*>(dma.host(address(src, i))) : &src.fill,
                          dstType, element);
      std::memcpy(expected.data() + (address(dst, i) - dstBase), element, isa::storageBytes(dstType));
      written += isa::storageBytes(dstType);
    });
    Command command;
    command.kind = CommandKind::DmaCopy;
    command.first = dst;
    command.second = src;
    dma::DmaWork work = unit.execute(command);
    EXPECT_EQ(work.writtenBytes, written);
    ASSERT_EQ(dma.snapshot(dstBase, kArea), expected)
        << "round " << round << " " << isa::name(srcType) << " to " << isa::name(dstType);
  }
}

TEST(DmaFunction, overlappingCopyReadsBeforeItWrites) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  dma.fillRandom(ElementType::I16, kScratchBase, 512);
  std::vector<std::uint8_t> before = dma.snapshot(kScratchBase, 1024);
  Command command;
  command.kind = CommandKind::DmaCopy;
  command.first.type = command.second.type = ElementType::I16;
  command.first.extent = command.second.extent = {16, 16, 1, 1};
  command.first.stride = {2, 32, 0, 0};
  command.second.stride = {32, 2, 0, 0};  // transposed in place, named once by the remote alias
  command.first.base = kScratchBase;
  command.second.base = kRemoteScratchBase;
  unit.execute(command);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j)
      EXPECT_EQ(std::memcmp(dma.host(kScratchBase) + i * 32 + j * 2, before.data() + j * 32 + i * 2, 2), 0);
}

TEST(DmaFunction, multicastWritesEveryNamedCore) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  dma.fillRandom(ElementType::F32, kGlobalBase, 64);
  Command command;
  command.kind = CommandKind::DmaCopy;
  command.first.extent = command.second.extent = {64, 1, 1, 1};
  command.first.stride[0] = command.second.stride[0] = 4;
  command.first.base = kScratchBase + 256;
  command.first.multicast = 3;
  command.second.base = kGlobalBase;
  EXPECT_EQ(unit.execute(command).writtenBytes, 512u);
  for (std::uint64_t core = 0; core < 2; ++core)
    EXPECT_EQ(std::memcmp(dma.host(kRemoteScratchBase + core * kRemoteScratchStride + 256), dma.host(kGlobalBase), 256),
              0);
  command.first.multicast = 4;
  EXPECT_THROW(unit.execute(command), Error);
}

TEST(DmaFunction, gatherAndScatterEqualNaiveLoops) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  for (int round = 0; round < 600; ++round) {
    const ElementType srcType = kTypes[dma.below(8)], dstType = dma.below(2) ? srcType : kTypes[dma.below(8)];
    const std::uint64_t srcBase = kGlobalBase, dstBase = kScratchBase, idxBase = kScratchBase + 0x30000;
    const unsigned mode = static_cast<unsigned>(dma.below(3));
    Descriptor dst = dma.tensor(dstType, dstBase, dma.shape(), true),
               src = dma.tensor(srcType, srcBase, dma.shape(), true);
    Descriptor idx;
    idx.type = dma.below(2) ? ElementType::I32 : ElementType::I64;
    idx.extent[0] = 10;
    idx.stride[0] = isa::storageBytes(idx.type);
    idx.base = idxBase;
    for (int i = 0; i < 10; ++i) isa::storeFromInt(idx.type, dma.host(idxBase) + i * idx.stride[0], dma.below(9) - 1);
    Mapping map = dma.at(idxBase);
    std::memset(map.initialised + (idxBase - map.base), 1, 80);
    dma.fillRandom(srcType, srcBase, kArea / 8);
    dma.fillRandom(dstType, dstBase, kArea / 8);
    isa::storeFromInt(srcType, &src.fill, 3);
    std::vector<std::uint8_t> expected = dma.snapshot(dstBase, kArea);
    const Descriptor& walked = mode == 0 ? dst : src;
    forEach(walked.extent, [&](const Index& i) {
      if (!inside(walked, i)) return;
      Index other = i;
      other[1] = isa::loadAsInt(idx.type, dma.host(idxBase) + i[1] * idx.stride[0]);
      if (mode == 0) {
        isa::convertElement(
            srcType,
            other[1] >= 0 && inside(src, other) ? static_cast<const void*>(dma.host(address(src, other))) : &src.fill,
            dstType, expected.data() + (address(dst, i) - dstBase));
      } else if (other[1] >= 0 && inside(dst, other)) {
        std::uint8_t element[8];
        std::uint8_t* to = expected.data() + (address(dst, other) - dstBase);
        isa::convertElement(srcType, dma.host(address(src, i)), dstType, element);
        if (mode == 1) {
          std::memcpy(to, element, isa::storageBytes(dstType));
        } else if (isa::isFloat(dstType)) {
          isa::storeFromDouble(dstType, to, isa::loadAsDouble(dstType, to) + isa::loadAsDouble(dstType, element));
        } else {
          isa::storeFromInt(dstType, to,
                            static_cast<std::int64_t>(static_cast<std::uint64_t>(isa::loadAsInt(dstType, to)) +
                                                      static_cast<std::uint64_t>(isa::loadAsInt(dstType, element))));
        }
      }
    });
    Command command;
    command.kind = CommandKind::DmaIndex;
    command.indexMode = static_cast<std::uint8_t>(mode);
    command.first = dst;
    command.second = src;
    command.third = idx;
    unit.execute(command);
    ASSERT_EQ(dma.snapshot(dstBase, kArea), expected) << "round " << round << " mode " << mode;
  }
}

// Every combination of a packed side with another, of rows that begin and end within a byte.
TEST(DmaFunction, packedElementsMoveAloneInTheirByte) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  constexpr ElementType kPacked[] = {ElementType::I4, ElementType::F4E2M1FN};
  auto load = [](const std::uint8_t* bytes, const Descriptor& d, const Index& i, std::uint8_t* element) {
    const auto offset = static_cast<std::int64_t>(address(d, {0, i[1], i[2], i[3]}) - d.base);
    if (!isa::isPacked(d.type))
      std::memcpy(element, bytes + offset + i[0] * d.stride[0], isa::storageBytes(d.type));
    else
      *element = (bytes[offset + i[0] / 2] >> (i[0] % 2 * 4)) & 0xf;
  };
  for (int round = 0; round < 2000; ++round) {
    const bool reads = dma.below(3) != 0, writes = !reads || dma.below(2);
    Descriptor src, dst;
    src.type = reads ? kPacked[dma.below(2)] : kTypes[dma.below(8)];
    dst.type = !writes ? kTypes[dma.below(8)] : reads && dma.below(2) ? src.type : kPacked[dma.below(2)];
    src.base = dma.below(4) ? kGlobalBase : kScratchBase;
    dst.base = src.base == kScratchBase && dma.below(2) ? kScratchBase + 64 : kScratchBase + 0x20000;
    auto shape = [&](Descriptor& d) {
      d.extent = {1 + dma.below(17), 1 + dma.below(7), 1 + dma.below(4), 1};
      d.stride[0] = isa::isPacked(d.type) ? 0 : isa::storageBytes(d.type);
      d.stride[1] = (static_cast<std::int64_t>(isa::rowBytes(d.type, 17)) + 7) / 8 * 8;
      d.stride[2] = d.stride[1] * 7;
      if (dma.below(2)) d.low[0] = dma.below(3), d.high[0] = d.extent[0] - dma.below(3);
    };
    shape(src);
    shape(dst);
    dma.fillRandom(ElementType::I64, src.base, kArea / 8);
    if (dst.base != src.base + 64) dma.fillRandom(ElementType::I64, dst.base, kArea / 8);
    isa::storeFromInt(src.type, &src.fill, 3);
    const std::vector<std::uint8_t> source = dma.snapshot(src.base, kArea);
    std::vector<std::uint8_t> expected = dma.snapshot(dst.base, kArea);
    forEach(dst.extent, [&](const Index& i) {
      if (!inside(dst, i)) return;
      std::uint8_t from[8], to[8] = {};
      if (inside(src, i)) load(source.data(), src, i, from);
      isa::convertElement(src.type, inside(src, i) ? static_cast<const void*>(from) : &src.fill, dst.type, to);
      const auto offset = static_cast<std::int64_t>(address(dst, {0, i[1], i[2], i[3]}) - dst.base);
      if (!isa::isPacked(dst.type)) {
        std::memcpy(expected.data() + offset + i[0] * dst.stride[0], to, isa::storageBytes(dst.type));
        return;
      }
      std::uint8_t& byte = expected[static_cast<std::size_t>(offset + i[0] / 2)];
      const int shift = static_cast<int>(i[0] % 2 * 4);
      byte = static_cast<std::uint8_t>((byte & ~(0xf << shift)) | (to[0] & 0xf) << shift);
    });
    Command command;
    command.kind = CommandKind::DmaCopy;
    command.first = dst;
    command.second = src;
    unit.execute(command);
    ASSERT_EQ(dma.snapshot(dst.base, kArea), expected)
        << "round " << round << " " << isa::name(src.type) << " to " << isa::name(dst.type);
  }
}

TEST(DmaFunction, refusesBadRegionsShapesAndUnwrittenSources) {
  Dma dma;
  dma::DmaFunction unit(dma.memory);
  auto refusal = [&](const std::function<void(Command&)>& change) {
    Command command;
    command.kind = CommandKind::DmaCopy;
    command.first.extent = command.second.extent = {16, 1, 1, 1};
    command.first.stride[0] = command.second.stride[0] = 4;
    command.first.base = kScratchBase;
    command.second.base = kGlobalBase;
    change(command);
    try {
      unit.execute(command);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal([](Command&) {}), "accepted");
  EXPECT_NE(refusal([](Command& c) { c.first.base = kProgramBase; }).find("program memory"), std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.first.base = 64; }).find("unmapped"), std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.second.base = kGlobalBase + (1 << 20) - 60; }).find("leaves global memory"),
            std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.second.base = kScratchBase + 0x1000; }).find("never written"),
            std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.first.extent[0] = -1; }).find("negative"), std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.first.extent = {1 << 20, 1 << 20, 1, 1}; }).find("2^36"), std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.first.stride[0] = std::int64_t{1} << 62; }).find("address map"),
            std::string::npos);
  EXPECT_NE(refusal([](Command& c) { c.first.type = ElementType::I4; })
                .find("i4, whose neighbours lie in one byte: "
                      "stride0 must be 0, found 4"),
            std::string::npos);
  EXPECT_EQ(refusal([](Command& c) {
              c.second.base = 0;  // never dereferenced: nothing of the source is valid
              c.second.extent[0] = 0;
            }),
            "accepted");
}

// Flags a line of bytes shorten the check; they must neither hide a hole in a line nor outlive what harts write past
// them.
TEST(EngineMemory, findsEveryHoleOfAPartlyWrittenLine) {
  test::EngineFixture f;
  auto box = [](std::uint64_t offset, std::uint64_t bytes) {
    StridedBox b;
    b.first = kScratchBase + offset;
    b.runBytes = bytes;
    return b;
  };
  auto check = [&](const StridedBox& b) { f.memory.requireInitialised(b, f.memory.resolve(b, "operand"), "operand"); };
  auto write = [&](const StridedBox& b) { f.memory.markInitialised(b, f.memory.resolve(b, "operand")); };
  write(box(16, 200));  // from within a line, over two whole ones, into a fourth
  EXPECT_NO_THROW(check(box(16, 200)));
  for (const std::uint64_t hole : {15u, 216u}) EXPECT_THROW(check(box(hole, 1)), Error) << hole;
  EXPECT_THROW(check(box(0, 64)), Error);
  EXPECT_THROW(check(box(192, 64)), Error);
  const Mapping scratch = f.at(kScratchBase);
  std::memset(scratch.initialised, 1, 15);  // as harts mark what they store
  EXPECT_THROW(check(box(0, 64)), Error);
  scratch.initialised[15] = 1;
  EXPECT_NO_THROW(check(box(0, 64)));
  write(box(216, 40));
  EXPECT_NO_THROW(check(box(0, 256)));
  EXPECT_THROW(check(box(0, 257)), Error);
}

}  // namespace
