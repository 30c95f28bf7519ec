//===- MemorySystem.h - time of accesses beyond a core -----------------------===//
// Puts network, L2 and DRAM of one chip together: when does a burst of a DMA engine or a hart's access to global memory
// complete.
#pragma once

#include "simulator/cache/L2Cache.h"
#include "simulator/dram/Dram.h"
#include "simulator/kernel/Cycles.h"
#include "simulator/kernel/Pool.h"
#include "simulator/kernel/Reply.h"
#include "simulator/kernel/Statistics.h"
#include "simulator/noc/Network.h"
#include "targets/TargetSpec.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace forerun::sim {

/// Times of a posted write.
struct WriteTimes {
  Cycles accepted = 0;   ///< the memory side has the data: a later read of anyone sees them
  Cycles completed = 0;  ///< the requester has the acknowledgement
};

/// Bytes moved so far at each level.
struct MemoryTraffic {
  std::uint64_t nocReadBytes = 0, nocWrittenBytes = 0;    ///< into the core that asks; out of it, once a receiver
  std::uint64_t l2ReadBytes = 0, l2WrittenBytes = 0;      ///< through slice ports; 0 without L2
  std::uint64_t dramReadBytes = 0, dramWrittenBytes = 0;  ///< over DRAM pins, write-backs included
};

/// All times are reference cycles. Addresses of read and write are machine addresses of the global region (kGlobalBase
/// and up); data move elsewhere (AddressSpace). Requests may come out of time order, within what callers run ahead of
/// each other; `advanceHorizon` says what cannot come any more.
///
/// Read: request message core -> memory port, L2 (or DRAM), data packet back. Write: data packet, L2 (or the DRAM
/// controller's queue) accepts, acknowledgement message back. A burst is split at the pieces that the slice hash
/// interleaves; pieces proceed side by side.
///
/// What has to wait for DRAM is decided once no earlier request can come, so most requests are answered later:
/// `advanceHorizon` must go on, in steps of at most kStep, while `waiting`. Then every answer comes before its time,
/// because data need longer than that from DRAM's decision to the core.
class MemorySystem final : private ReplySink {
 public:
  /// Throws BadConfig when the target contradicts itself.
  explicit MemorySystem(const targets::TargetSpec& target);

  static constexpr Cycles kStep = 16;

  /// When the data are complete at the core, or the write's acknowledgement; kNever when that is not decided yet and
  /// `reply` receives it.
  Cycles read(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) {
    return request(core, address, bytes, at, false, reply, nullptr);
  }
  Cycles write(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, Reply reply) {
    return request(core, address, bytes, at, true, reply, nullptr);
  }
  /// For callers that cannot wait: decides as if no other request came until the answer. Read: data complete at the
  /// core.
  Cycles read(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at);
  WriteTimes write(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at);
  /// Another core's scratch over the network; the time of its banks is the caller's. Read: data at `core`; write:
  /// `accepted` at the target's port.
  Cycles remoteRead(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at);
  WriteTimes remoteWrite(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at);
  Cycles remoteScratch(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, bool write, Cycles at) {
    return write ? remoteWrite(core, targetCore, bytes, at).completed : remoteRead(core, targetCore, bytes, at);
  }
  /// One packet from `core` to the scratch of every core in `targets`; `arrivals` (as long, or empty) receives when
  /// each has it. Returns the time at which the last acknowledgement is back.
  Cycles multicast(std::uint32_t core, std::span<const std::uint32_t> targets, std::uint32_t bytes, Cycles at,
                   std::span<Cycles> arrivals = {});
  /// Writes all dirty lines to DRAM and waits for DRAM to be done: the end of a launch.
  Cycles flush(Cycles at);

  /// No request will come for a time before `now`: decides and answers what happens until then; keeps calendars short.
  void advanceHorizon(Cycles now);
  /// Requests have not been answered.
  bool waiting() const { return dram_.waiting(); }
  /// Steps of the horizon would write dirty lines back.
  bool cleanable() const { return l2_ && l2_->cleanable(); }

  MemoryTraffic traffic() const;
  /// Children "noc", "l2" (when present) and "dram" with bytes, achieved and peak bandwidth, busy cycles and hit rates
  /// for a run of `cycles`.
  void report(StatisticsTree& tree, Cycles cycles) const;

  const noc::Network& network() const { return network_; }
  const cache::L2Cache* l2() const { return l2_.get(); }
  const dram::Dram& dram() const { return dram_; }
  dram::Dram& dram() { return dram_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// A request of several pieces under way: pieces that have not been answered, and one while pieces are sent.
  struct Burst {
    Reply reply;
    WriteTimes* into;  ///< of a caller that waits and wants both times; may be null
    std::uint32_t pieces;
    WriteTimes times;  ///< as known so far; a read is completed with its data
  };
  struct Piece {
    Reply reply;          ///< of a request of one piece; others have a burst
    std::uint32_t burst;  ///< or kNone
    std::uint32_t core, bytes;
    noc::NodeId port;
    bool write;
  };
  Cycles request(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, bool write, Reply reply,
                 WriteTimes* times);
  Cycles send(const Piece& piece, std::uint64_t offset, Cycles at);
  WriteTimes wayBack(const Piece& piece, Cycles at);
  bool arrived(std::uint32_t burst, WriteTimes times);
  void reply(std::uint32_t tag, Cycles at) override;
  std::uint32_t portOf(std::uint64_t offset) const {
    return l2_ ? l2_->map().sliceOf(offset) : dram_.addressMap().channelOf(offset);
  }
  static std::uint64_t offsetOf(std::uint64_t address);

  dram::Dram dram_;
  std::unique_ptr<cache::L2Cache> l2_;
  noc::Network network_;
  std::uint32_t pieceBytes_;
  Pool<Burst> bursts_;
  Pool<Piece> pieces_;
  std::uint64_t nocWrittenBytes_ = 0;  ///< what else the network delivered was read
  std::vector<noc::NodeId> nodes_;     ///< of a multicast
  std::vector<Cycles> arrivals_;
};

}  // namespace forerun::sim
