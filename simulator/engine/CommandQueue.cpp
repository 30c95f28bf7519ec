//===- CommandQueue.cpp - commands of one queue, from issue to retirement ----===//
// Which bytes a command touches, by kind.
#include "simulator/engine/CommandQueue.h"

#include "simulator/dma/DmaFunction.h"
#include "simulator/kernel/Error.h"

namespace forerun::sim::engine {

const char* mnemonic(CommandKind kind) {
  switch (kind) {
    case CommandKind::DmaCopy:
      return "xdma.copy";
    case CommandKind::DmaIndex:
      return "xdma.index";
    case CommandKind::MatrixLoad:
      return "xmm.load";
    case CommandKind::MatrixRun:
      return "xmm.run";
    case CommandKind::MatrixStore:
      return "xmm.store";
    case CommandKind::VectorMap:
      return "xve.map";
    case CommandKind::VectorReduce:
      return "xve.reduce";
  }
  return "command";
}

bool conflicts(const Footprint& a, const Footprint& b) {
  auto any = [](const std::vector<StridedBox>& x, const std::vector<StridedBox>& y) {
    for (const StridedBox& p : x)
      for (const StridedBox& q : y)
        if (overlaps(p, q)) return true;
    return false;
  };
  return any(a.writes, b.writes) || any(a.writes, b.reads) || any(a.reads, b.writes);
}

Footprint footprintOf(const Command& command, const EngineMemory& memory) {
  Footprint print;
  auto add = [&](std::vector<StridedBox>& to, const StridedBox& box) {
    if (!box.empty()) to.push_back(memory.canonical(box));
  };
  const std::string name = mnemonic(command.kind);
  auto boxed = [&](const Descriptor& descriptor, const char* operand) {
    const std::string role = name + " " + operand;
    checkShape(descriptor, role.c_str());
    return boxOf(descriptor, role.c_str());
  };
  switch (command.kind) {
    case CommandKind::DmaCopy: {
      const StridedBox target = boxed(command.first, "dDst");
      for (const StridedBox& box : dma::destinations(command.first, target, memory.core(), memory.cores()))
        add(print.writes, box);
      checkShape(command.second, "xdma.copy dSrc");
      if (!target.empty())
        add(print.reads, boxOf(command.second, dma::copySourceRange(command.first, command.second), "xdma.copy dSrc"));
      break;
    }
    case CommandKind::DmaIndex:
      add(print.writes, boxed(command.first, "dDst"));
      add(print.reads, boxed(command.second, "dSrc"));
      add(print.reads, boxed(command.third, "dIdx"));
      break;
    case CommandKind::MatrixLoad:
      add(print.reads, boxed(command.first, "dB"));
      break;
    case CommandKind::MatrixRun:
      add(print.reads, boxed(command.second, "dA"));
      add(print.writes, boxed(command.first, "dAcc"));
      break;
    case CommandKind::MatrixStore:
      add(print.reads, boxed(command.first, "dAcc"));
      add(print.writes, boxed(command.second, "dDst"));
      break;
    case CommandKind::VectorMap:
    case CommandKind::VectorReduce:
      throw Error(ErrorKind::UnsupportedFeature, name + ": the vector engine is not modelled");
  }
  return print;
}

}  // namespace forerun::sim::engine
