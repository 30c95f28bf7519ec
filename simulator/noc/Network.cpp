//===- Network.cpp - time of packets on the on-chip network ------------------===//
// Books links in order of the route.
#include "simulator/noc/Network.h"

#include "simulator/kernel/Error.h"

#include <algorithm>
#include <cassert>

namespace forerun::sim::noc {

Network::Network(const targets::TargetSpec& target, std::uint32_t memoryPorts)
    : topology_(target.noc, target.cores(), memoryPorts),
      clock_(ClockDomain::of(target, target.noc.clock)),
      planes_(target.noc.planes),
      hopCycles_(target.noc.hopCycles),
      linkBytes_(target.noc.linkBytesPerCycle),
      interfaceCycles_(target.noc.interfaceCycles) {
  if (planes_ == 0) throw Error(ErrorKind::BadConfig, "noc.planes is 0");
  if (linkBytes_ == 0) throw Error(ErrorKind::BadConfig, "noc.linkBytesPerCycle is 0");
  links_.assign(std::size_t{planes_} * topology_.links(), ReservationCalendar(&horizon_));
  visits_.resize(topology_.links());
  double clockHz = 0, referenceHz = 1;
  for (const targets::Clock& clock : target.clocks) {
    if (clock.name == target.noc.clock) clockHz = static_cast<double>(clock.hz);
    if (clock.name == target.reference) referenceHz = static_cast<double>(clock.hz);
  }
  peakBytesPerSecond_ = clockHz * linkBytes_ * planes_ * topology_.cores();
  secondsPerCycle_ = 1 / referenceHz;
}

std::uint32_t Network::choosePlane(NodeId from) const {
  std::uint32_t best = 0;
  LinkId first = topology_.injection(from);
  for (std::uint32_t plane = 1; plane < planes_; ++plane)
    if (link(plane, first).busyCycles() < link(best, first).busyCycles()) best = plane;
  return best;
}

Cycles Network::transfer(NodeId from, NodeId to, std::uint32_t bytes, Cycles at) {
  const Cycles length = flits(bytes);
  Cycles head = clock_.fromReference(at) + interfaceCycles_;
  ReservationCalendar* plane = &links_[std::size_t{choosePlane(from)} * topology_.links()];
  auto book = [&](LinkId id, Cycles time) { return plane[static_cast<std::uint32_t>(id)].reserve(time, length); };
  head = book(topology_.injection(from), head);
  std::span<const LinkId> route = topology_.route(from, to);
  for (LinkId id : route) head = book(id, head + hopCycles_);
  // In a crossbar the hop lies between the two ports.
  std::uint32_t hops = static_cast<std::uint32_t>(route.size()) + topology_.hiddenHops();
  head += topology_.hiddenHops() * hopCycles_;
  head = book(topology_.ejection(to), head);
  ++packets_;
  bytesDelivered_ += bytes;
  hopBytes_ += std::uint64_t{bytes} * hops;
  return std::max(at, clock_.toReference(head + length + interfaceCycles_));
}

Cycles Network::multicast(NodeId from, std::span<const NodeId> to, std::uint32_t bytes, Cycles at,
                          std::span<Cycles> arrivals) {
  assert(arrivals.empty() || arrivals.size() == to.size());
  if (to.empty()) return at;
  const Cycles length = flits(bytes);
  Cycles start = clock_.fromReference(at) + interfaceCycles_, last = at;
  std::uint32_t plane = choosePlane(from);
  ++packets_;
  const std::uint64_t packet = packets_;
  auto book = [&](LinkId id, Cycles time) {
    Visit& visit = visits_[static_cast<std::uint32_t>(id)];
    if (visit.packet != packet) {
      visit = {packet, link(plane, id).reserve(time, length)};
      if (topology_.isRouterLink(id)) hopBytes_ += bytes;
    }
    return visit.start;
  };
  start = book(topology_.injection(from), start);
  for (std::size_t i = 0; i < to.size(); ++i) {
    Cycles head = start;
    std::span<const LinkId> route = topology_.route(from, to[i]);
    for (LinkId id : route) head = book(id, head + hopCycles_);
    head += topology_.hiddenHops() * hopCycles_;
    head = book(topology_.ejection(to[i]), head);
    Cycles arrival = std::max(at, clock_.toReference(head + length + interfaceCycles_));
    if (!arrivals.empty()) arrivals[i] = arrival;
    last = std::max(last, arrival);
    bytesDelivered_ += bytes;
  }
  return last;
}

Cycles Network::message(NodeId from, NodeId to, Cycles at) const {
  return clock_.toReference(clock_.fromReference(at) + 2 * Cycles{interfaceCycles_} +
                            Cycles{topology_.hops(from, to)} * hopCycles_ + 1);
}

void Network::report(StatisticsTree& tree, Cycles cycles) const {
  double seconds = static_cast<double>(cycles) * secondsPerCycle_;
  Cycles busiest = 0, sum = 0;
  for (const ReservationCalendar& calendar : links_) {
    busiest = std::max(busiest, calendar.busyCycles());
    sum += calendar.busyCycles();
  }
  Cycles own = clock_.fromReference(cycles);
  tree.count("bytes", "bytes delivered", bytesDelivered_);
  tree.count("packets", "packets", packets_);
  tree.count("hopBytes", "bytes times hops", hopBytes_);
  tree.real("achievedBytesPerSecond", "bytes/s", cycles ? static_cast<double>(bytesDelivered_) / seconds : 0);
  tree.real("peakBytesPerSecond", "bytes/s", peakBytesPerSecond_);
  tree.count("busyCycles", "NoC cycles, sum over links", sum);
  tree.real("busiestLink", "share of cycles", own ? static_cast<double>(busiest) / static_cast<double>(own) : 0);
}

}  // namespace forerun::sim::noc
