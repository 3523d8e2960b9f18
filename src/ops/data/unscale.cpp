// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnUnscale, an operator of our own: x times 'inv', and whether there was an infinity or what is no number
// in x: 'found' becomes 1 then, and stays what it was otherwise.
#include <atomic>

#include "base/thread_pool.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

void Infer(OpContext& context) {
  for (const char* name : {"inv", "found"})
    if (context.In(name).type != DataType::kFloat || ElementCount(context.In(name).dims) != 1)
      context.Refuse("{} is {}, expected one float", name, ToString(context.In(name)));
  context.SetOut(0, context.In(0));
  context.SetOut(1, context.In("found"));
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const auto count = static_cast<std::size_t>(ElementCount(context.InDims(0)));
  const int inv = context.Port("inv"), found = context.Port("found");
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      const T scale = static_cast<T>(args.In<float>(inv)[0]);
      std::atomic<bool> any = false;
      ParallelFor(count, 32768, [&](std::size_t begin, std::size_t end) {
        const T* x = args.In<T>(0);
        T* y = args.Out<T>(0);
        T zero{};  // stays 0 as long as all are finite
        for (std::size_t i = begin; i < end; ++i) {
          zero += x[i] * T{0};
          y[i] = x[i] * scale;
        }
        if (!(zero == T{0})) any.store(true, std::memory_order_relaxed);
      });
      args.Out<float>(1)[0] = any.load() ? 1.0f : args.In<float>(found)[0];
    });
  });
}

const RegisterOp unscale(OpDef("AclnnUnscale").Infer(Infer).Lower(Lower).InPlace(0, 0));

}  // namespace
}  // namespace foothold
