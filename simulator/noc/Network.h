//===- Network.h - time of packets on the on-chip network --------------------===//
// Every link keeps a calendar; packets cut through, so distance costs hops and length is paid once.
#pragma once

#include "simulator/kernel/ClockDomain.h"
#include "simulator/kernel/ReservationCalendar.h"
#include "simulator/kernel/Statistics.h"
#include "simulator/noc/Topology.h"

#include <cstdint>
#include <span>
#include <vector>

namespace forerun::sim::noc {

/// Times are reference cycles; links work in the network's clock.
///
/// A packet of `bytes` occupies every link on its way for ceil(bytes / linkBytesPerCycle) cycles. Without contention
/// its last byte arrives
///   2 * interfaceCycles + hops * hopCycles + ceil(bytes / linkBytesPerCycle)
/// after it was handed over. Its head takes each link in the first free slot at or after hopCycles behind the link
/// before. Planes are whole copies of the network; a packet stays in the plane into which its node has sent least so
/// far. Control messages (read requests, acknowledgements) travel on wires of their own: latency, one flit, no
/// contention.
class Network {
 public:
  /// Throws BadConfig for links without width.
  Network(const targets::TargetSpec& target, std::uint32_t memoryPorts);
  Network(const Network&) = delete;  // calendars point to the horizon
  Network& operator=(const Network&) = delete;

  const Topology& topology() const { return topology_; }

  /// Arrival of the last byte.
  Cycles transfer(NodeId from, NodeId to, std::uint32_t bytes, Cycles at);
  /// One packet to many nodes along a tree: a link that several destinations share is booked once. `arrivals` (as long
  /// as `to`, or empty) receives the time of the last byte at each; returns the latest.
  Cycles multicast(NodeId from, std::span<const NodeId> to, std::uint32_t bytes, Cycles at, std::span<Cycles> arrivals);
  /// Arrival of a control message.
  Cycles message(NodeId from, NodeId to, Cycles at) const;

  /// No request will come for a time before `now`.
  void advanceHorizon(Cycles now) { horizon_.now = clock_.fromReference(now); }

  std::uint64_t bytesDelivered() const { return bytesDelivered_; }
  /// Bytes a second that all cores can receive together.
  double peakBytesPerSecond() const { return peakBytesPerSecond_; }
  /// `cycles` is the length of the run in reference cycles.
  void report(StatisticsTree& tree, Cycles cycles) const;

 private:
  std::uint32_t choosePlane(NodeId from) const;
  ReservationCalendar& link(std::uint32_t plane, LinkId id) {
    return links_[std::size_t{plane} * topology_.links() + static_cast<std::uint32_t>(id)];
  }
  const ReservationCalendar& link(std::uint32_t plane, LinkId id) const {
    return links_[std::size_t{plane} * topology_.links() + static_cast<std::uint32_t>(id)];
  }
  Cycles flits(std::uint32_t bytes) const { return (Cycles{bytes} + linkBytes_ - 1) / linkBytes_; }

  Topology topology_;
  ClockDomain clock_;
  Horizon horizon_;
  std::uint32_t planes_, hopCycles_, linkBytes_, interfaceCycles_;
  std::vector<ReservationCalendar> links_;  ///< plane by plane
  // Multicast: what this packet has booked already.
  struct Visit {
    std::uint64_t packet = 0;
    Cycles start = 0;
  };
  std::vector<Visit> visits_;
  std::uint64_t packets_ = 0, bytesDelivered_ = 0, hopBytes_ = 0;
  double peakBytesPerSecond_, secondsPerCycle_;
};

}  // namespace forerun::sim::noc
