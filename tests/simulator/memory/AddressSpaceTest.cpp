//===- AddressSpaceTest.cpp - regions of the address map --------------------===//
#include "simulator/memory/AddressSpace.h"

#include "simulator/kernel/Error.h"

#include <gtest/gtest.h>

namespace forerun::sim {
namespace {

MemorySizes sizes() {
  return {.cores = 3,
          .privateBytesPerTeam = {4096, 65536},
          .scratchBytes = 1 << 19,
          .accumulatorBytes = 1 << 16,
          .globalBytes = 64ull << 30};
}

TEST(AddressSpace, MapsEveryRegionFromFirstToLastByte) {
  AddressSpace space(sizes());
  struct Case {
    Region region;
    std::uint64_t base, bytes;
  };
  for (Case c : {Case{Region::Scratch, kScratchBase, 1 << 19}, Case{Region::Accumulator, kAccumulatorBase, 1 << 16},
                 Case{Region::Private, kPrivateBase, 65536}, Case{Region::Program, kProgramBase, kProgramBytes},
                 Case{Region::RemoteScratch, kRemoteScratchBase + kRemoteScratchStride, 1 << 19},
                 Case{Region::Global, kGlobalBase, 64ull << 30}}) {
    for (std::uint64_t address : {c.base, c.base + c.bytes - 1}) {
      Mapping mapping = space.find(1, 1, address);
      ASSERT_EQ(mapping.region, c.region);
      EXPECT_EQ(mapping.base, c.base);
      EXPECT_EQ(mapping.bytes, c.bytes);
      mapping.data[address - mapping.base] = 7;
    }
    EXPECT_EQ(space.find(1, 1, c.base + c.bytes).region, Region::Unmapped);
    EXPECT_EQ(space.find(1, 1, c.base - 1).region, Region::Unmapped);
  }
}

TEST(AddressSpace, RemoteScratchIsTheOwnersScratch) {
  AddressSpace space(sizes());
  Mapping local = space.find(2, 0, kScratchBase),
          remote = space.find(0, 1, kRemoteScratchBase + 2 * kRemoteScratchStride + 100);
  EXPECT_EQ(remote.core, 2u);
  EXPECT_EQ(local.data, remote.data);
  EXPECT_EQ(local.initialised, remote.initialised);
  EXPECT_NE(local.data, space.find(1, 0, kScratchBase).data);
  EXPECT_EQ(space.find(0, 0, kRemoteScratchBase + 3 * kRemoteScratchStride).region, Region::Unmapped);
}

TEST(AddressSpace, ShadowsScratchAndAccumulatorOnlyAndStartsClear) {
  AddressSpace space(sizes());
  Mapping scratch = space.find(0, 0, kScratchBase), accumulator = space.find(0, 0, kAccumulatorBase);
  ASSERT_NE(scratch.initialised, nullptr);
  ASSERT_NE(accumulator.initialised, nullptr);
  EXPECT_EQ(scratch.initialised[(1 << 19) - 1], 0);
  EXPECT_EQ(space.find(0, 0, kGlobalBase).initialised, nullptr);
  EXPECT_EQ(space.find(0, 0, kPrivateBase).initialised, nullptr);
}

TEST(AddressSpace, PrivateMemoryBelongsToOneHart) {
  AddressSpace space(sizes());
  EXPECT_NE(space.find(0, 0, kPrivateBase).data, space.find(1, 0, kPrivateBase).data);
  EXPECT_NE(space.find(0, 0, kPrivateBase).data, space.find(0, 1, kPrivateBase).data);
  EXPECT_EQ(space.find(0, 0, kPrivateBase + 4096).region, Region::Unmapped);
  EXPECT_EQ(space.find(0, 2, kPrivateBase).region, Region::Unmapped);
}

TEST(AddressSpace, RefusesSizesBeyondTheAddressMap) {
  MemorySizes large = sizes();
  large.scratchBytes = kRemoteScratchStride + 1;
  EXPECT_THROW(AddressSpace{large}, Error);
}

}  // namespace
}  // namespace forerun::sim
