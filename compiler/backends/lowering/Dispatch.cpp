//===- Dispatch.cpp - which variant carries out a primitive -----------------===//
// See Dispatch.h.
#include "compiler/backends/lowering/Dispatch.h"

#include "compiler/dialect/Place.h"
#include "compiler/dialect/TileOps.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace forerun::backends {

namespace {

std::string namesOf(const Candidates& candidates) {
  return llvm::join(llvm::map_range(candidates, [](const Candidate& one) { return one.name; }), ", ");
}

/// The variant that `variant = "..."` names, if it may be had.
const Candidate* pinned(Operation* op, llvm::StringRef name, const Candidates& candidates) {
  const Candidate* pin = llvm::find_if(candidates, [&](const Candidate& one) { return one.name == name; });
  if (pin == candidates.end()) {
    op->emitError() << "'" << op->getName() << "' has no variant '" << name
                    << "' here; its variants: " << namesOf(candidates);
    return nullptr;
  }
  if (!pin->refusal.empty()) {
    op->emitError() << "variant '" << name << "' of '" << op->getName() << "' does not apply: " << pin->refusal;
    return nullptr;
  }
  auto options = op->getAttrOfType<DictionaryAttr>(tile::kOptionsAttribute);
  if (!options) return pin;
  for (NamedAttribute option : options) {
    const auto* schema =
        llvm::find_if(pin->options, [&](const OptionSchema& known) { return known.key == option.getName(); });
    if (schema == pin->options.end()) {
      auto error = op->emitError() << "variant '" << name << "' of '" << op->getName() << "' has no option '"
                                   << option.getName().getValue() << "'";
      if (pin->options.empty()) error << "; it has none";
      for (const OptionSchema& known : pin->options)
        error << "; " << known.key << ": " << known.meaning << ", " << known.low << " to " << known.high;
      return nullptr;
    }
    const std::int64_t value = cast<IntegerAttr>(option.getValue()).getInt();
    if (value < schema->low || value > schema->high) {
      op->emitError() << "option '" << schema->key << "' of variant '" << name << "' is " << schema->low << " to "
                      << schema->high << " (" << schema->meaning << "), found " << value;
      return nullptr;
    }
  }
  return pin;
}

/// The variant that the command line prefers, where it applies; `known` is set where it is one at all.
const Candidate* preferred(Operation* op, const Candidates& candidates, ArrayRef<Preference> preferences,
                           llvm::SmallBitVector& known) {
  const Candidate* found = nullptr;
  for (auto [number, preference] : llvm::enumerate(preferences)) {
    if (op->getName().stripDialect() != preference.operation) continue;
    for (const Candidate& one : candidates) {
      if (one.name != preference.variant) continue;
      known.set(static_cast<unsigned>(number));
      if (one.refusal.empty()) found = &one;
    }
  }
  return found;
}

const Candidate* cheapest(Operation* op, const Candidates& candidates) {
  const Candidate* best = nullptr;
  for (const Candidate& one : candidates)
    if (one.refusal.empty() && (!best || one.cycles < best->cycles)) best = &one;
  if (best) return best;
  auto error = op->emitError() << "no variant of '" << op->getName() << "' applies";
  for (const Candidate& one : candidates) error.attachNote() << "'" << one.name << "': " << one.refusal;
  return nullptr;
}

/// The cheaper variant that the author could have had instead of a plain loop.
const Candidate* missed(const Candidate& chosen, const Candidates& candidates) {
  if (!chosen.plainLoop) return nullptr;
  for (const Candidate& one : candidates)
    if (!one.refusal.empty() && one.mendable && one.cycles < chosen.cycles) return &one;
  return nullptr;
}

void explain(llvm::raw_ostream& os, Operation* op, const Candidate& chosen, llvm::StringRef why,
             const Candidates& candidates) {
  os << tile::place(op->getLoc()) << "  " << op->getName();
  for (Type type : op->getOperandTypes())
    if (auto buffer = dyn_cast<tile::BufferType>(type))
      os << "  "
         << tile::BufferType::get(type.getContext(), buffer.getDims(), buffer.getElementType(), buffer.getSpace(),
                                  Attribute());
  os << "\n";
  SmallVector<const Candidate*> order;
  for (const Candidate& one : candidates) order.push_back(&one);
  llvm::sort(order,
             [](const Candidate* a, const Candidate* b) { return std::pair(a->cycles, a) < std::pair(b->cycles, b); });
  for (const Candidate* one : order) {
    os << llvm::formatv("  {0} {1,-8} {2,10:F0} cycles  {3}", one == &chosen ? ">" : " ", one->name, one->cycles,
                        one->emits);
    if (!one->refusal.empty()) os << "; refused: " << one->refusal;
    if (one == &chosen) os << why;
    os << "\n";
  }
}

}  // namespace

LogicalResult dispatch(Operation* root, llvm::function_ref<Candidates(Operation*)> candidatesOf,
                       const DispatchOptions& options) {
  bool good = true;
  llvm::SmallBitVector known(static_cast<unsigned>(options.preferences.size()));
  root->walk([&](Operation* op) {
    if (!op->hasTrait<tile::Primitive>() || !op->getParentOfType<tile::KernelOp>()) return;
    const Candidates candidates = candidatesOf(op);
    const llvm::StringRef pin = tile::variantOf(op);
    const Candidate* chosen = nullptr;
    llvm::StringRef why;
    if (!pin.empty()) {
      chosen = pinned(op, pin, candidates);
      why = "; pinned";
    } else if (const Candidate* wanted = preferred(op, candidates, options.preferences, known)) {
      chosen = wanted;
      why = "; preferred";
    } else {
      chosen = cheapest(op, candidates);
    }
    if (!chosen) {
      good = false;
      return;
    }
    if (options.explain) explain(*options.explain, op, *chosen, why, candidates);
    if (const Candidate* better = options.strict && why.empty() ? missed(*chosen, candidates) : nullptr) {
      op->emitError() << "would be the plain loop '" << chosen->name << "'; the cheaper variant '" << better->name
                      << "' does not apply: " << better->refusal << "; mend that or pin the loop with "
                      << tile::kVariantAttribute << " = \"" << chosen->name << "\"";
      good = false;
      return;
    }
    op->setAttr(tile::kVariantAttribute, StringAttr::get(op->getContext(), chosen->name));
  });
  for (auto [number, preference] : llvm::enumerate(options.preferences)) {
    if (known.test(static_cast<unsigned>(number))) continue;
    root->emitError() << "no 'tile." << preference.operation << "' of this module has a variant '" << preference.variant
                      << "'";
    good = false;
  }
  return success(good);
}

}  // namespace forerun::backends
