//===- Topology.cpp - nodes, links and routes of the on-chip network ---------===//
// All routes are computed once, so that a packet only walks a list.
#include "simulator/noc/Topology.h"

#include "simulator/kernel/Error.h"

namespace forerun::sim::noc {

namespace {

enum Direction : std::uint32_t { East, West, South, North };

/// Whether to go up from `from` to `to` on a circle of `size` places: the shorter way, up on a tie.
bool goesUp(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  std::uint32_t up = (to + size - from) % size;
  return up <= size - up;
}

}  // namespace

Topology::Topology(const targets::NocSpec& noc, std::uint32_t cores, std::uint32_t memoryPorts)
    : kind_(noc.topology), cores_(cores), memoryPorts_(memoryPorts) {
  if (cores == 0) throw Error(ErrorKind::BadConfig, "a network without cores");
  std::vector<std::uint32_t> places;  // routers that take memory ports, in order
  switch (kind_) {
    case targets::Topology::Mesh:
    case targets::Topology::Torus:
      if (noc.columns == 0)
        throw Error(ErrorKind::BadConfig, "noc.columns is 0; a mesh or torus needs the number of cores a row");
      columns_ = noc.columns;
      rows_ = (cores + columns_ - 1) / columns_;
      routers_ = columns_ * rows_;
      places = rim();
      break;
    case targets::Topology::Ring:
      columns_ = routers_ = cores;
      rows_ = 1;
      for (std::uint32_t r = 0; r < routers_; ++r) places.push_back(r);
      break;
    case targets::Topology::Crossbar:
      columns_ = rows_ = routers_ = 1;
      places = {0};
      break;
  }
  for (std::uint32_t core = 0; core < cores; ++core)
    routerOf_.push_back(kind_ == targets::Topology::Crossbar ? 0 : core);
  for (std::uint64_t port = 0; port < memoryPorts; ++port)
    routerOf_.push_back(places[(2 * port + 1) * places.size() / (2 * std::uint64_t{memoryPorts})]);

  for (std::uint32_t from = 0; from < routers_; ++from)
    for (std::uint32_t to = 0; to < routers_; ++to) {
      routeBegins_.push_back(static_cast<std::uint32_t>(routeLinks_.size()));
      for (std::uint32_t at = from; at != to;) {
        LinkId link;
        at = stepToward(at, to, link);
        routeLinks_.push_back(link);
      }
    }
  routeBegins_.push_back(static_cast<std::uint32_t>(routeLinks_.size()));
}

std::vector<std::uint32_t> Topology::rim() const {
  std::vector<std::uint32_t> places;
  if (rows_ <= 2 || columns_ <= 2) {
    for (std::uint32_t router = 0; router < routers_; ++router) places.push_back(router);
    return places;
  }
  auto add = [&](std::uint32_t column, std::uint32_t row) { places.push_back(row * columns_ + column); };
  for (std::uint32_t column = 0; column < columns_; ++column) add(column, 0);
  for (std::uint32_t row = 1; row < rows_; ++row) add(columns_ - 1, row);
  for (std::uint32_t column = columns_ - 1; column-- > 0;) add(column, rows_ - 1);
  for (std::uint32_t row = rows_ - 1; row-- > 1;) add(0, row);
  return places;
}

std::uint32_t Topology::stepToward(std::uint32_t router, std::uint32_t target, LinkId& link) const {
  std::uint32_t x = router % columns_, y = router / columns_, targetX = target % columns_, targetY = target / columns_;
  bool wraps = kind_ != targets::Topology::Mesh;
  Direction direction;
  if (x != targetX) {
    bool up = wraps ? goesUp(x, targetX, columns_) : targetX > x;
    direction = up ? East : West;
    x = (x + (up ? 1 : columns_ - 1)) % columns_;
  } else {
    bool up = wraps ? goesUp(y, targetY, rows_) : targetY > y;
    direction = up ? South : North;
    y = (y + (up ? 1 : rows_ - 1)) % rows_;
  }
  link = LinkId{router * kDirections + direction};
  return y * columns_ + x;
}

}  // namespace forerun::sim::noc
