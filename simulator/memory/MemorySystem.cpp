//===- MemorySystem.cpp - time of accesses beyond a core ---------------------===//
// Splits bursts into pieces and adds up the way of each.
#include "simulator/memory/MemorySystem.h"

#include "simulator/kernel/Error.h"
#include "simulator/memory/AddressSpace.h"

#include <algorithm>
#include <string>

namespace forerun::sim {

MemorySystem::MemorySystem(const targets::TargetSpec& target)
    : dram_(target),
      l2_(target.l2.present ? std::make_unique<cache::L2Cache>(target, dram_) : nullptr),
      network_(target, target.l2.present ? target.l2.slices : target.dram.channels),
      pieceBytes_(l2_ ? l2_->map().pieceBytes() : dram_.addressMap().interleaveBytes()) {}

std::uint64_t MemorySystem::offsetOf(std::uint64_t address) {
  if (address < kGlobalBase)
    throw Error(ErrorKind::ModelBug,
                "memory system asked for address " + std::to_string(address) + ", which is not global");
  return address - kGlobalBase;
}

// To the memory side; returns when it has served the piece, kNever when `reply` will hear.
Cycles MemorySystem::send(const Piece& piece, std::uint64_t offset, Cycles at) {
  const noc::NodeId core = network_.topology().core(piece.core);
  if (piece.write) nocWrittenBytes_ += piece.bytes;
  const Cycles arrival =
      piece.write ? network_.transfer(core, piece.port, piece.bytes, at) : network_.message(core, piece.port, at);
  const std::uint32_t tag = pieces_.take(piece);
  const Reply back{this, tag};
  Cycles served;
  if (l2_)
    served =
        piece.write ? l2_->write(offset, piece.bytes, arrival, back) : l2_->read(offset, piece.bytes, arrival, back);
  else
    served =
        piece.write ? dram_.write(offset, piece.bytes, arrival, back) : dram_.read(offset, piece.bytes, arrival, back);
  if (served != kNever) pieces_.release(tag);
  return served;
}

// From the memory side back to the core: data, or the acknowledgement.
WriteTimes MemorySystem::wayBack(const Piece& piece, Cycles at) {
  const noc::NodeId core = network_.topology().core(piece.core);
  return {at,
          piece.write ? network_.message(piece.port, core, at) : network_.transfer(piece.port, core, piece.bytes, at)};
}

// A piece is back; returns whether it was the last.
bool MemorySystem::arrived(std::uint32_t number, WriteTimes times) {
  Burst& burst = bursts_[number];
  burst.times = {std::max(burst.times.accepted, times.accepted), std::max(burst.times.completed, times.completed)};
  if (--burst.pieces != 0) return false;
  if (burst.into) *burst.into = burst.times;
  return true;
}

Cycles MemorySystem::request(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at, bool write,
                             Reply reply, WriteTimes* times) {
  const noc::Topology& topology = network_.topology();
  std::uint64_t offset = offsetOf(address);
  auto room = [&] { return pieceBytes_ - static_cast<std::uint32_t>(offset & (pieceBytes_ - 1)); };
  if (bytes != 0 && bytes <= room() && !times) {
    const Piece piece{reply, kNone, core, bytes, topology.memory(portOf(offset)), write};
    const Cycles served = send(piece, offset, at);
    return served == kNever ? kNever : wayBack(piece, served).completed;
  }
  // One piece more than there are, so that answers to the first do not end the request.
  const std::uint32_t number = bursts_.take({reply, times, 1, {at, at}});
  while (bytes != 0) {
    const Piece piece{{}, number, core, std::min(bytes, room()), topology.memory(portOf(offset)), write};
    ++bursts_[number].pieces;
    const Cycles served = send(piece, offset, at);
    if (served != kNever) arrived(number, wayBack(piece, served));
    offset += piece.bytes;
    bytes -= piece.bytes;
  }
  if (!arrived(number, {at, at})) return kNever;
  const Cycles done = bursts_[number].times.completed;
  bursts_.release(number);
  return done;
}

void MemorySystem::reply(std::uint32_t tag, Cycles at) {
  const Piece piece = pieces_[tag];
  pieces_.release(tag);
  const WriteTimes times = wayBack(piece, at);
  if (piece.burst == kNone) return piece.reply.send(times.completed);
  if (!arrived(piece.burst, times)) return;
  const Reply reply = bursts_[piece.burst].reply;
  const Cycles done = bursts_[piece.burst].times.completed;
  bursts_.release(piece.burst);
  reply.send(done);
}

Cycles MemorySystem::read(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at) {
  ReplyOnce once;
  const Cycles known = read(core, address, bytes, at, {&once, 0});
  if (known != kNever) return known;
  while (once.at == kNever) dram_.hurry(at);
  return once.at;
}

WriteTimes MemorySystem::write(std::uint32_t core, std::uint64_t address, std::uint32_t bytes, Cycles at) {
  ReplyOnce once;
  WriteTimes times;
  if (request(core, address, bytes, at, true, {&once, 0}, &times) != kNever) return times;
  while (once.at == kNever) dram_.hurry(at);
  return times;
}

Cycles MemorySystem::remoteRead(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  Cycles request = network_.message(topology.core(core), topology.core(targetCore), at);
  return network_.transfer(topology.core(targetCore), topology.core(core), bytes, request);
}

WriteTimes MemorySystem::remoteWrite(std::uint32_t core, std::uint32_t targetCore, std::uint32_t bytes, Cycles at) {
  const noc::Topology& topology = network_.topology();
  nocWrittenBytes_ += bytes;
  Cycles arrival = network_.transfer(topology.core(core), topology.core(targetCore), bytes, at);
  return {arrival, network_.message(topology.core(targetCore), topology.core(core), arrival)};
}

Cycles MemorySystem::multicast(std::uint32_t core, std::span<const std::uint32_t> targets, std::uint32_t bytes,
                               Cycles at, std::span<Cycles> arrivals) {
  const noc::Topology& topology = network_.topology();
  nocWrittenBytes_ += std::uint64_t{bytes} * targets.size();
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

Cycles MemorySystem::flush(Cycles at) {
  while (dram_.waiting()) dram_.hurry(at);  // fills of partial writes
  return dram_.drain(l2_ ? l2_->flush(at) : at);
}

void MemorySystem::advanceHorizon(Cycles now) {
  network_.advanceHorizon(now);
  if (l2_) l2_->advanceHorizon(now);
  dram_.advanceHorizon(now);
  if (l2_) l2_->cleanEarly(now);
}

MemoryTraffic MemorySystem::traffic() const {
  MemoryTraffic traffic;
  traffic.nocReadBytes = network_.bytesDelivered() - nocWrittenBytes_;
  traffic.nocWrittenBytes = nocWrittenBytes_;
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
