// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators of our own: one layer of a GRU in one direction, and its gradient. The part of the gates (r, z,
// n) that follows from the input is computed before. 'w' are the weights of the state, [size, 3 size] forward
// and [3 size, size] back; 'b' is added to what they make.
#include <cmath>

#include "ops/function_kernel.h"
#include "ops/recurrent/torch_recurrent.h"

namespace foothold {
namespace {

// Outputs of the forward operator: hn is the part of the third gate that follows from the state.
enum Saved { kY, kH, kR, kZ, kN, kHn, kLast };

void Infer(OpContext& context) {
  const Steps steps(context, 3);
  for (int port = kY; port <= kHn; ++port)
    context.SetOut(port, context.In(0).type, steps.States(), Format::kNd);
  context.SetOut(kLast, context.In(0).type, steps.State(), Format::kNd);
}

template <typename T>
T Sigmoid(T x) {
  return 1 / (1 + std::exp(-x));
}

template <typename T>
void Step(const RunArgs& args, const T* given, const T* gates, std::size_t size, std::size_t k,
          std::size_t at, T before) {
  const T r = Sigmoid(given[k] + gates[k]), z = Sigmoid(given[size + k] + gates[size + k]),
          hn = gates[2 * size + k], n = std::tanh(given[2 * size + k] + r * hn), h = (1 - z) * n + z * before;
  const T values[] = {h, h, r, z, n, hn};
  for (int port = kY; port <= kHn; ++port)
    args.Out<T>(port)[at] = values[port];
}

template <typename T>
void Rest(const RunArgs& args, std::size_t at, T h) {
  for (int port = kY; port <= kHn; ++port)
    args.Out<T>(port)[at] = port == kH ? h : T{0};
}

template <typename T>
void Run(const Steps& s, int bias, const RunArgs& args) {
  T* gates = reinterpret_cast<T*>(args.workspace);
  const T* h = args.In<T>(2);
  const std::size_t row = 3 * s.size;
  for (std::size_t n = 0; n < s.count; ++n) {
    const std::size_t t = s.At(n), rows = s.Rows(args, t), first = t * s.StateCount();
    for (std::size_t b = 0; b < s.batch; ++b)
      for (std::size_t k = 0; k < row; ++k)
        gates[b * row + k] = bias < 0 ? T{0} : args.In<T>(bias)[k];
    AddProduct(h, args.In<T>(1), gates, rows, s.size, row);
    ParallelFor(s.batch, 1 + 1024 / (1 + s.size), [&](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin * s.size; at < end * s.size; ++at) {
        const std::size_t b = at / s.size;
        if (b < rows)
          Step(args, args.In<T>(0) + (t * s.batch + b) * row, gates + b * row, s.size, at % s.size,
               first + at, h[at]);
        else
          Rest(args, first + at, h[at]);
      }
    });
    h = args.Out<T>(kH) + first;
  }
  std::copy_n(h, s.StateCount(), args.Out<T>(kLast));
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Steps steps(context, 3);
  const int bias = context.Has("b") ? context.Port("b") : -1;
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([steps, bias](const RunArgs& args) { Run<T>(steps, bias, args); },
                    3 * steps.StateCount() * sizeof(T));
  });
}

// Inputs of the gradient.
struct Ports {
  explicit Ports(const OpContext& context) {
    const auto port = [&](const char* name) { return context.Has(name) ? context.Port(name) : -1; };
    dh = port("dh"), w = port("w"), h0 = port("h0"), h = port("h");
    r = port("r"), z = port("z"), n = port("n"), hn = port("hn");
  }
  int dh, w, h0, h, r, z, n, hn;
};

// Of the gates by the input, of those by the state, and of the first state.
void InferGradient(OpContext& context) {
  const Steps steps(context, 1);
  Dims gates = steps.States();
  gates[2] *= 3;
  context.SetOut(0, context.In(0).type, gates, Format::kNd);
  context.SetOut(1, context.In(0).type, gates, Format::kNd);
  context.SetOut(2, context.In(0).type, steps.State(), Format::kNd);
}

template <typename T>
T StepBack(const Ports& p, const RunArgs& args, T* by_input, T* by_state, std::size_t size, std::size_t k,
           std::size_t at, T before, T dh) {
  const auto value = [&](int port) { return args.In<T>(port)[at]; };
  const T r = value(p.r), z = value(p.z), n = value(p.n), hn = value(p.hn);
  const T dn = dh * (1 - z) * (1 - n * n), dr = dn * hn * r * (1 - r), dz = dh * (before - n) * z * (1 - z);
  by_input[k] = by_state[k] = dr;
  by_input[size + k] = by_state[size + k] = dz;
  by_input[2 * size + k] = dn;
  by_state[2 * size + k] = dn * r;
  return dh * z;
}

template <typename T>
void RunBack(const Steps& s, const Ports& p, const RunArgs& args) {
  T* dh = args.Out<T>(2);
  if (p.dh >= 0)
    std::copy_n(args.In<T>(p.dh), s.StateCount(), dh);
  else
    std::fill_n(dh, s.StateCount(), T{0});
  const std::size_t row = 3 * s.size;
  for (std::size_t n = s.count; n-- > 0;) {
    const std::size_t t = s.At(n), rows = s.Rows(args, t), first = t * s.StateCount();
    const T* before = n == 0 ? args.In<T>(p.h0) : args.In<T>(p.h) + s.At(n - 1) * s.StateCount();
    T *by_input = args.Out<T>(0) + t * s.batch * row, *by_state = args.Out<T>(1) + t * s.batch * row;
    ParallelFor(s.batch, 1 + 1024 / (1 + s.size), [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; ++b) {
        if (b >= rows) {
          std::fill_n(by_input + b * row, row, T{0});
          std::fill_n(by_state + b * row, row, T{0});
          continue;
        }
        for (std::size_t k = 0; k < s.size; ++k) {
          const std::size_t at = b * s.size + k;
          dh[at] = StepBack(p, args, by_input + b * row, by_state + b * row, s.size, k, first + at,
                            before[at], dh[at] + args.In<T>(0)[first + at]);
        }
      }
    });
    AddProduct(by_state, args.In<T>(p.w), dh, rows, row, s.size);
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

const RegisterOp gru({
    OpDef("AclnnGruLayer").Infer(Infer).Lower(Lower),
    OpDef("AclnnGruLayerGrad").Infer(InferGradient).Lower(LowerGradient),
});

}  // namespace
}  // namespace foothold
