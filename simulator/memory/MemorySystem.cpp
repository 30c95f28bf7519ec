//===- MemorySystem.cpp - time of accesses beyond a core ---------------------===//
// Splits bursts into pieces and adds up the way of each.
#include "simulator/memory/MemorySystem.h"

#include "simulator/kernel/Error.h"
#include "simulator/memory/AddressSpace.h"

#include <algorithm>
#include <string>

namespace forerun::sim {

MemorySystem::MemorySystem(const targets::TargetSpec& target)
    : dram_(target), l2_(target.l2.present ? std::make_unique<cache::L2Cache>(target, dram_) : nullptr), network_(target, target.l2.present ? target.l2.slices : target.dram.channels), pieceBytes_(l2_ ? l2_->map().pieceBytes() : dram_.addressMap().interleaveBytes()) {}

std::uint64_t MemorySystem::offsetOf(std::uint64_t address) {
  if (address < kGlobalBase) throw Error(ErrorKind::ModelBug, "memory system asked for address " + std::to_string(address) + ", which is not global");
  return address - kGlobalBase;
}

Cycles MemorySystem::read(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  std::uint64_t offset = offsetOf(address);
  Cycles done = at;
  while (bytes != 0) {
    std::uint32_t piece = std::min(bytes, pieceBytes_ - static_cast<std::uint32_t>(offset & (pieceBytes_ - 1)));
    noc::NodeId port = topology.memory(portOf(offset));
    Cycles request = network_.message(topology.core(core), port, at);
    Cycles data = l2_ ? l2_->read(offset, piece, request) : dram_.read(offset, piece, request);
    done = std::max(done, network_.transfer(port, topology.core(core), piece, data));
    offset += piece;
    bytes -= piece;
  }
  return done;
}

WriteTimes MemorySystem::write(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  std::uint64_t offset = offsetOf(address);
  WriteTimes times{at, at};
  while (bytes != 0) {
    std::uint32_t piece = std::min(bytes, pieceBytes_ - static_cast<std::uint32_t>(offset & (pieceBytes_ - 1)));
    noc::NodeId port = topology.memory(portOf(offset));
    Cycles arrival = network_.transfer(topology.core(core), port, piece, at);
    Cycles accepted = l2_ ? l2_->write(offset, piece, arrival) : dram_.write(offset, piece, arrival);
    times.accepted = std::max(times.accepted, accepted);
    times.completed = std::max(times.completed, network_.message(port, topology.core(core), accepted));
    offset += piece;
    bytes -= piece;
  }
  return times;
}

Cycles MemorySystem::remoteRead(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  Cycles request = network_.message(topology.core(core), topology.core(targetCore), at);
  return network_.transfer(topology.core(targetCore), topology.core(core), bytes, request);
}

WriteTimes MemorySystem::remoteWrite(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  Cycles arrival = network_.transfer(topology.core(core), topology.core(targetCore), bytes, at);
  return {arrival, network_.message(topology.core(targetCore), topology.core(core), arrival)};
}

Cycles MemorySystem::multicast(std::uint32_t core, std::span<const std::uint32_t> targets, std::uint32_t bytes, Cycles at, std::span<Cycles> arrivals) {
  const noc::Topology& topology = network_.topology();
  nodes_.clear();
  for (std::uint32_t target : targets) nodes_.push_back(topology.core(target));
  arrivals_.resize(targets.size());
  network_.multicast(topology.core(core), nodes_, bytes, at, arrivals_);
  Cycles done = at;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    done = std::max(done, network_.message(nodes_[i], topology.core(core), arrivals_[i]));
    if (!arrivals.empty()) arrivals[i] = arrivals_[i];
  }
  return done;
}

Cycles MemorySystem::flush(Cycles at) { return dram_.drain(l2_ ? l2_->flush(at) : at); }

void MemorySystem::advanceHorizon(Cycles now) {
  network_.advanceHorizon(now);
  if (l2_) l2_->advanceHorizon(now);
  dram_.advanceHorizon(now);
}

MemoryTraffic MemorySystem::traffic() const {
  MemoryTraffic traffic;
  traffic.nocBytes = network_.bytesDelivered();
  if (l2_) {
    cache::SliceCounters totals = l2_->totals();
    traffic.l2ReadBytes = totals.readBytes;
    traffic.l2WrittenBytes = totals.writtenBytes;
  }
  dram::DramTotals totals = dram_.totals();
  traffic.dramReadBytes = totals.readBytes;
  traffic.dramWrittenBytes = totals.writtenBytes;
  return traffic;
}

void MemorySystem::report(StatisticsTree& tree, Cycles cycles) const {
  network_.report(tree.child("noc"), cycles);
  if (l2_) l2_->report(tree.child("l2"), cycles);
  dram_.report(tree.child("dram"), cycles);
}

}  // namespace forerun::sim
