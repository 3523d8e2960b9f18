// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/recurrent_cell.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/recurrent_cell.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// After highway.h, which it needs.
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> Limited(D d, hn::Vec<D> x, float limit) {
  return AtMost(d, AtLeast(d, x, -limit), limit);
}

template <class D>
HWY_INLINE hn::Vec<D> Relu(D d, hn::Vec<D> x) {
  return AtLeast(d, x, 0.0f);
}

template <class D>
HWY_NOINLINE hn::Vec<D> Activate(D d, const CellActivation& activation, hn::Vec<D> x) {
  const auto alpha = hn::Set(d, activation.alpha), beta = hn::Set(d, activation.beta);
  const auto one = hn::Set(d, 1.0f);
  switch (activation.function) {
    case CellFunction::kSigmoid:
      return Sigmoid(d, x);
    case CellFunction::kTanh:
      return Tanh(d, x);
    case CellFunction::kRelu:
      return Relu(d, x);
    case CellFunction::kAffine:
      return hn::MulAdd(alpha, x, beta);
    case CellFunction::kLeakyRelu:
      return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(alpha, x), x);
    case CellFunction::kThresholdedRelu:
      return hn::IfThenZeroElse(hn::Le(x, alpha), x);
    case CellFunction::kScaledTanh:
      return hn::Mul(alpha, Tanh(d, hn::Mul(beta, x)));
    case CellFunction::kHardSigmoid:
      return AtMost(d, Relu(d, hn::MulAdd(alpha, x, beta)), 1.0f);
    case CellFunction::kElu:
      return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(alpha, hn::Sub(Exp(d, x), one)), x);
    case CellFunction::kSoftsign:
      return hn::Div(x, hn::Add(one, hn::Abs(x)));
    case CellFunction::kSoftplus:
      return Softplus(d, x);
  }
  return x;
}

// The functions nearly every network uses need no choice for each vector.
template <bool kUsual, CellFunction usual, class D>
HWY_INLINE hn::Vec<D> Activated(D d, const CellActivation& activation, hn::Vec<D> x) {
  if constexpr (!kUsual) return Activate(d, activation, x);
  if constexpr (usual == CellFunction::kSigmoid) return Sigmoid(d, x);
  return Tanh(d, x);
}

template <class D>
HWY_INLINE void Keep(D d, hn::Vec<D> value, float* to, std::size_t at) {
  if (to != nullptr) hn::StoreU(value, d, to + at);
}

template <class D>
HWY_INLINE hn::Vec<D> SumAt(D d, const float* a, const float* b, std::size_t at) {
  return hn::Add(hn::LoadU(d, a + at), hn::LoadU(d, b + at));
}

template <bool kUsual>
struct LstmLanes {
  const CellRules& rules;
  std::size_t hidden;
  const LstmRow& row;

  template <class D>
  HWY_INLINE hn::Vec<D> Gate(D d, std::size_t gate, std::size_t j, hn::Vec<D> c) const {
    auto sum = SumAt(d, row.x, row.recurrent, gate * hidden + j);
    if (row.peephole != nullptr && gate < 3)
      sum = hn::MulAdd(hn::LoadU(d, row.peephole + gate * hidden + j), c, sum);
    return Limited(d, sum, rules.clip);
  }

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t j) const {
    constexpr auto kSigmoid = CellFunction::kSigmoid, kTanh = CellFunction::kTanh;
    const auto before = hn::LoadU(d, row.c + j);
    const auto in = Activated<kUsual, kSigmoid>(d, rules.activations[0], Gate(d, 0, j, before));
    const auto forget = rules.coupled
                            ? hn::Sub(hn::Set(d, 1.0f), in)
                            : Activated<kUsual, kSigmoid>(d, rules.activations[0], Gate(d, 2, j, before));
    const auto candidate = Activated<kUsual, kTanh>(d, rules.activations[1], Gate(d, 3, j, before));
    const auto c = Limited(d, hn::MulAdd(forget, before, hn::Mul(in, candidate)), rules.cell_clip);
    const auto out = Activated<kUsual, kSigmoid>(d, rules.activations[0], Gate(d, 1, j, c));
    const auto shown = Activated<kUsual, kTanh>(d, rules.activations[2], c);
    hn::StoreU(c, d, row.c + j);
    hn::StoreU(hn::Mul(out, shown), d, row.h + j);
    Keep(d, in, row.kept.input, j);
    Keep(d, candidate, row.kept.candidate, j);
    Keep(d, forget, row.kept.forget, j);
    Keep(d, out, row.kept.output, j);
    Keep(d, shown, row.kept.tanh_c, j);
  }
};

template <bool kUsual>
struct GruGateLanes {
  const CellRules& rules;
  std::size_t hidden;
  bool product_first;
  const GruRow& row;

  template <class D>
  HWY_INLINE hn::Vec<D> Gate(D d, std::size_t at) const {
    const auto sum = Limited(d, SumAt(d, row.x, row.recurrent, at), rules.clip);
    return Activated<kUsual, CellFunction::kSigmoid>(d, rules.activations[0], sum);
  }

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t j) const {
    hn::StoreU(Gate(d, j), d, row.update + j);
    const auto reset = Gate(d, hidden + j);
    Keep(d, reset, row.reset, j);
    const auto factor = hn::LoadU(d, product_first ? row.recurrent + 2 * hidden + j : row.h + j);
    hn::StoreU(hn::Mul(reset, factor), d, row.reset_product + j);
  }
};

template <bool kUsual>
struct GruStateLanes {
  const CellRules& rules;
  std::size_t hidden;
  const GruRow& row;

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t j) const {
    const auto sum = hn::Add(hn::LoadU(d, row.x + 2 * hidden + j), hn::LoadU(d, row.candidate + j));
    const auto fresh =
        Activated<kUsual, CellFunction::kTanh>(d, rules.activations[1], Limited(d, sum, rules.clip));
    Keep(d, fresh, row.new_state, j);
    const auto z = hn::LoadU(d, row.update + j);
    const auto rest = hn::Mul(hn::Sub(hn::Set(d, 1.0f), z), fresh);
    hn::StoreU(hn::MulAdd(z, hn::LoadU(d, row.h + j), rest), d, row.h + j);
  }
};

template <bool kUsual>
struct PlainLanes {
  const CellRules& rules;
  const float* x;
  const float* recurrent;
  float* h;

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t j) const {
    const auto sum = Limited(d, SumAt(d, x, recurrent, j), rules.clip);
    hn::StoreU(Activated<kUsual, CellFunction::kTanh>(d, rules.activations[0], sum), d, h + j);
  }
};

template <class Lanes>
HWY_INLINE void ForAll(std::size_t hidden, const Lanes& lanes) {
  const hn::ScalableTag<float> d;
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= hidden; j += hn::Lanes(d))
    lanes(d, j);
  for (; j < hidden; ++j)
    lanes(hn::CappedTag<float, 1>(), j);
}

bool Are(const CellRules& rules, CellFunction f, CellFunction g, CellFunction h) {
  return rules.activations[0].function == f && rules.activations[1].function == g &&
         rules.activations[2].function == h;
}
bool AreUsual(const CellRules& rules) {
  return Are(rules, CellFunction::kSigmoid, CellFunction::kTanh, CellFunction::kTanh);
}

void LstmRowOf(const CellRules& rules, std::size_t hidden, const LstmRow& row) {
  if (AreUsual(rules)) return ForAll(hidden, LstmLanes<true>{rules, hidden, row});
  ForAll(hidden, LstmLanes<false>{rules, hidden, row});
}

void GruGatesOf(const CellRules& rules, std::size_t hidden, bool product_first, const GruRow& row) {
  if (AreUsual(rules)) return ForAll(hidden, GruGateLanes<true>{rules, hidden, product_first, row});
  ForAll(hidden, GruGateLanes<false>{rules, hidden, product_first, row});
}

void GruStateOf(const CellRules& rules, std::size_t hidden, const GruRow& row) {
  if (AreUsual(rules)) return ForAll(hidden, GruStateLanes<true>{rules, hidden, row});
  ForAll(hidden, GruStateLanes<false>{rules, hidden, row});
}

void PlainRowOf(const CellRules& rules, std::size_t hidden, const float* x, const float* recurrent,
                float* h) {
  if (rules.activations[0].function == CellFunction::kTanh)
    return ForAll(hidden, PlainLanes<true>{rules, x, recurrent, h});
  ForAll(hidden, PlainLanes<false>{rules, x, recurrent, h});
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(LstmRowOf);
HWY_EXPORT(GruGatesOf);
HWY_EXPORT(GruStateOf);
HWY_EXPORT(PlainRowOf);
}  // namespace

void RunLstmRow(const CellRules& rules, std::size_t hidden, const LstmRow& row) {
  HWY_DYNAMIC_DISPATCH(LstmRowOf)(rules, hidden, row);
}

void RunGruGates(const CellRules& rules, std::size_t hidden, bool product_first, const GruRow& row) {
  HWY_DYNAMIC_DISPATCH(GruGatesOf)(rules, hidden, product_first, row);
}

void RunGruState(const CellRules& rules, std::size_t hidden, const GruRow& row) {
  HWY_DYNAMIC_DISPATCH(GruStateOf)(rules, hidden, row);
}

void RunPlainCellRow(const CellRules& rules, std::size_t hidden, const float* x, const float* recurrent,
                     float* h) {
  HWY_DYNAMIC_DISPATCH(PlainRowOf)(rules, hidden, x, recurrent, h);
}

}  // namespace foothold
#endif
