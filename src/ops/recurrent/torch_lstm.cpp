// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: one layer of an LSTM in one direction, and its gradient. The part of the gates that
// follows from the input is computed before, as is done with what follows from the gradients of the gates
// (in the order i, f, g, o). 'w' are the weights of the state: [size, 4 size] forward, [4 size, size] back.
#include <cmath>

#include "ops/function_kernel.h"
#include "ops/recurrent/torch_recurrent.h"

namespace foothold {
namespace {

// Outputs of the forward operator.
enum Saved { kY, kH, kC, kI, kF, kG, kO, kTanh, kLastH, kLastC };

void Infer(OpContext& context) {
  const Steps steps(context, 4);
  for (int port = kY; port <= kTanh; ++port)
    context.SetOut(port, context.In(0).type, steps.States(), Format::kNd);
  for (int port = kLastH; port <= kLastC; ++port)
    context.SetOut(port, context.In(0).type, steps.State(), Format::kNd);
}

template <typename T>
T Sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

// One element of the state.
template <typename T>
void Step(const RunArgs& args, const T* gates, std::size_t size, std::size_t k, std::size_t at, T before) {
  const T i = Sigmoid(gates[k]), f = Sigmoid(gates[size + k]), g = std::tanh(gates[2 * size + k]),
          o = Sigmoid(gates[3 * size + k]);
  const T c = f * before + i * g, tanh = std::tanh(c);
  const T values[] = {o * tanh, o * tanh, c, i, f, g, o, tanh};
  for (int port = kY; port <= kTanh; ++port)
    args.Out<T>(port)[at] = values[port];
}

// Rows that have ended keep their state.
template <typename T>
void Rest(const RunArgs& args, std::size_t at, T h, T c) {
  const T values[] = {T{0}, h, c, T{0}, T{0}, T{0}, T{0}, std::tanh(c)};
  for (int port = kY; port <= kTanh; ++port)
    args.Out<T>(port)[at] = values[port];
}

template <typename T>
void Run(const Steps& s, const RunArgs& args) {
  T* gates = reinterpret_cast<T*>(args.workspace);
  const T *h = args.In<T>(2), *c = args.In<T>(3);
  const std::size_t row = 4 * s.size;
  for (std::size_t n = 0; n < s.count; ++n) {
    const std::size_t t = s.At(n), rows = s.Rows(args, t), first = t * s.StateCount();
    std::copy_n(args.In<T>(0) + t * s.batch * row, s.batch * row, gates);
    AddProduct(h, args.In<T>(1), gates, rows, s.size, row);
    ParallelFor(s.batch, 1 + 1024 / (1 + s.size), [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin * s.size; at < end * s.size; ++at) {
        if (at / s.size < rows)
          Step(args, gates + at / s.size * row, s.size, at % s.size, first + at, c[at]);
        else
          Rest(args, first + at, h[at], c[at]);
      }
    });
    h = args.Out<T>(kH) + first;
    c = args.Out<T>(kC) + first;
  }
  std::copy_n(h, s.StateCount(), args.Out<T>(kLastH));
  std::copy_n(c, s.StateCount(), args.Out<T>(kLastC));
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Steps steps(context, 4);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([steps](const RunArgs& args) { Run<T>(steps, args); },
                    4 * steps.StateCount() * sizeof(T));
  });
}

// Inputs of the gradient.
struct Ports {
  explicit Ports(const OpContext& context) {
    const auto port = [&](const char* name) { return context.Has(name) ? context.Port(name) : -1; };
    dh = port("dh"), dc = port("dc"), w = port("w"), c0 = port("c0"), c = port("c");
    i = port("i"), f = port("f"), g = port("g"), o = port("o"), tanh = port("tanh");
  }
  int dh, dc, w, c0, c, i, f, g, o, tanh;
};

void InferGradient(OpContext& context) {
  const Steps steps(context, 1);
  Dims gates = steps.States();
  gates[2] *= 4;
  context.SetOut(0, context.In(0).type, gates, Format::kNd);
  context.SetOut(1, context.In(0).type, steps.State(), Format::kNd);
  context.SetOut(2, context.In(0).type, steps.State(), Format::kNd);
}

template <typename T>
void StepBack(const Ports& p, const RunArgs& args, T* gates, std::size_t size, std::size_t k, std::size_t at,
              T before, T dh, T& dc) {
  const auto value = [&](int port) { return args.In<T>(port)[at]; };
  const T i = value(p.i), f = value(p.f), g = value(p.g), o = value(p.o), tanh = value(p.tanh);
  dc += dh * o * (1 - tanh * tanh);
  gates[k] = dc * g * i * (1 - i);
  gates[size + k] = dc * before * f * (1 - f);
  gates[2 * size + k] = dc * i * (1 - g * g);
  gates[3 * size + k] = dh * tanh * o * (1 - o);
  dc *= f;
}

template <typename T>
void RunBack(const Steps& s, const Ports& p, const RunArgs& args) {
  T *dh = args.Out<T>(1), *dc = args.Out<T>(2);
  const auto begin_with = [&](int port, T* state) {
    if (port >= 0)
      std::copy_n(args.In<T>(port), s.StateCount(), state);
    else
      std::fill_n(state, s.StateCount(), T{0});
  };
  begin_with(p.dh, dh);
  begin_with(p.dc, dc);
  const std::size_t row = 4 * s.size;
  for (std::size_t n = s.count; n-- > 0;) {
    const std::size_t t = s.At(n), rows = s.Rows(args, t), first = t * s.StateCount();
    const T* before = n == 0 ? args.In<T>(p.c0) : args.In<T>(p.c) + s.At(n - 1) * s.StateCount();
    T* gates = args.Out<T>(0) + t * s.batch * row;
    ParallelFor(s.batch, 1 + 1024 / (1 + s.size), [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        if (b >= rows) {
          std::fill_n(gates + b * row, row, T{0});
          continue;
        }
        for (std::size_t k = 0; k < s.size; ++k) {
          const std::size_t at = b * s.size + k;
          StepBack(p, args, gates + b * row, s.size, k, first + at, before[at],
                   dh[at] + args.In<T>(0)[first + at], dc[at]);
          dh[at] = 0;
        }
      }
    });
    AddProduct(gates, args.In<T>(p.w), dh, rows, row, s.size);
  }
}

std::unique_ptr<Kernel> LowerGradient(OpContext& context) {
  const Steps steps(context, 1);
  const Ports ports(context);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([steps, ports](const RunArgs& args) { RunBack<T>(steps, ports, args); });
  });
}

const RegisterOp lstm({
    OpDef("AclnnLstmLayer").Infer(Infer).Lower(Lower),
    OpDef("AclnnLstmLayerGrad").Infer(InferGradient).Lower(LowerGradient),
});

}  // namespace
}  // namespace foothold
