//===- ElementLoops.h - loops that the groups of operations share -----------===//
// Turns a scalar function into a function over columns.
#pragma once

#include "compiler/interpreter/ElementOps.h"

#include <type_traits>

namespace forerun::interpreter {

/// F::apply(T) or F::apply(T, T) or F::apply(T, T, T), element by element; the result type is what apply returns.
template <typename F, typename T>
void unaryLoop(const ElementCall& call) {
  using R = decltype(F::apply(T()));
  const T* a = call.input<T>(0);
  R* out = call.output<R>();
  for (std::size_t i = 0; i < call.count; ++i) out[i] = F::apply(a[i]);
}

template <typename F, typename T>
void binaryLoop(const ElementCall& call) {
  using R = decltype(F::apply(T(), T()));
  const T *a = call.input<T>(0), *b = call.input<T>(1);
  R* out = call.output<R>();
  for (std::size_t i = 0; i < call.count; ++i) out[i] = F::apply(a[i], b[i]);
}

template <typename F, typename T>
void ternaryLoop(const ElementCall& call) {
  const T *a = call.input<T>(0), *b = call.input<T>(1), *c = call.input<T>(2);
  T* out = call.output<T>();
  for (std::size_t i = 0; i < call.count; ++i) out[i] = F::apply(a[i], b[i], c[i]);
}

}  // namespace forerun::interpreter
