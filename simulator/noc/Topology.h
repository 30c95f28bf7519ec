//===- Topology.h - nodes, links and routes of the on-chip network -----------===//
// Where cores and memory ports sit, and which links a packet crosses.
#pragma once

#include "targets/TargetSpec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace forerun::sim::noc {

/// An end point: cores first, then memory ports (L2 slices; DRAM channels when the target has no L2).
enum class NodeId : std::uint32_t {};
/// A directed link: from a node into its router, from a router to its neighbour, or from a router to a node.
enum class LinkId : std::uint32_t {};

/// Positions:
/// - mesh, torus: core c at column c mod columns, row c / columns. Memory ports sit on the outermost routers: port m of
/// M at position
///   (2m + 1) P / (2M) of the P routers of the rim, counted clockwise from the north-west corner (all routers when
///   there are one or two rows or columns).
/// - ring: core c at router c; port m at router (2m + 1) R / (2M).
/// - crossbar: every node has a link into the one switch and a link out of it.
///
/// Routes: mesh x first, then y; torus likewise, each the shorter way round (east, south on a tie); ring the shorter
/// way round (up on a tie).
class Topology {
 public:
  /// Throws BadConfig for a mesh or torus without columns, or a chip without nodes.
  Topology(const targets::NocSpec& noc, std::uint32_t cores, std::uint32_t memoryPorts);

  NodeId core(std::uint32_t index) const { return NodeId{index}; }
  NodeId memory(std::uint32_t index) const { return NodeId{cores_ + index}; }
  std::uint32_t nodes() const { return cores_ + memoryPorts_; }
  std::uint32_t cores() const { return cores_; }
  std::uint32_t memoryPorts() const { return memoryPorts_; }

  std::uint32_t links() const { return routers_ * kDirections + 2 * nodes(); }
  LinkId injection(NodeId node) const { return LinkId{routers_ * kDirections + static_cast<std::uint32_t>(node)}; }
  LinkId ejection(NodeId node) const {
    return LinkId{routers_ * kDirections + nodes() + static_cast<std::uint32_t>(node)};
  }
  /// A link between routers exists (rims of a mesh have none outward).
  bool isRouterLink(LinkId link) const { return static_cast<std::uint32_t>(link) < routers_ * kDirections; }

  /// Hops between the routers of two nodes; 1 in a crossbar.
  std::uint32_t hops(NodeId from, NodeId to) const {
    return static_cast<std::uint32_t>(route(from, to).size()) + hiddenHops();
  }
  /// Hops of every way that are no links: 1 in a crossbar, whose ports are its only links, else 0.
  std::uint32_t hiddenHops() const { return kind_ == targets::Topology::Crossbar ? 1 : 0; }
  /// Links between routers on the way, in order; empty in a crossbar and between neighbours of one router.
  std::span<const LinkId> route(NodeId from, NodeId to) const {
    const std::uint32_t* begin = &routeBegins_[std::size_t{routerOf(from)} * routers_ + routerOf(to)];
    return {routeLinks_.data() + begin[0], begin[1] - begin[0]};
  }
  std::uint32_t routerOf(NodeId node) const { return routerOf_[static_cast<std::uint32_t>(node)]; }

 private:
  static constexpr std::uint32_t kDirections = 4;  // east, west, south, north; a ring uses east (up) and west (down)

  std::vector<std::uint32_t> rim() const;
  std::uint32_t stepToward(std::uint32_t router, std::uint32_t target, LinkId& link) const;

  targets::Topology kind_;
  std::uint32_t cores_, memoryPorts_, columns_ = 0, rows_ = 0, routers_ = 0;
  std::vector<std::uint32_t> routerOf_;
  std::vector<LinkId> routeLinks_;          ///< of all routes, one behind the other: routers_ x routers_
  std::vector<std::uint32_t> routeBegins_;  ///< where each begins in routeLinks_, and the end of the last
};

}  // namespace forerun::sim::noc
