// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnAdvanceStep, an operator of our own: requests of a serving engine go on by one token. The first
// 'queries' get the token that was sampled, stand one place further, and their slot is that place in the
// block their table names; the others are padding.
#include <algorithm>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"

namespace foothold {
namespace {

constexpr const char* kNames[] = {"tokens", "positions", "lengths", "slots", "sampled", "tables"};

void Infer(OpContext& context) {
  const std::int64_t count = RequiredInt(context, "sequences"), queries = RequiredInt(context, "queries");
  for (const char* name : kNames)
    if (context.In(name).type != DataType::kInt64)
      context.Refuse("{} is {}, expected int64", name, ToString(context.In(name)));
  for (std::size_t i = 0; i < 4; ++i)
    if (ElementCount(context.In(kNames[i]).dims) < count)
      context.Refuse("{} is {}, expected {} elements", kNames[i], ToString(context.In(kNames[i])), count);
  const Dims& tables = context.In("tables").dims;
  if (queries < 0 || queries > count || ElementCount(context.In("sampled").dims) < queries ||
      tables.size() != 2 || tables[0] < queries || RequiredInt(context, "block") < 1)
    context.Refuse("{} queries of {} sequences, with sampled {} and tables {}", queries, count,
                   ToString(context.In("sampled")), ToString(context.In("tables")));
  for (int i = 0; i < 4; ++i)
    context.SetOut(i, context.In(kNames[i]));
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const std::int64_t count = RequiredInt(context, "sequences"), queries = RequiredInt(context, "queries"),
                     block = RequiredInt(context, "block"), width = context.In("tables").dims[1];
  std::size_t bytes[4];
  for (std::size_t i = 0; i < 4; ++i)
    bytes[i] = ByteSize(context.In(kNames[i]));
  const std::string name = context.node().Description();
  return KernelOf([=](const RunArgs& args) {
    for (int i = 0; i < 4; ++i)
      if (args.outputs[i] != args.inputs[i]) std::copy_n(args.inputs[i], bytes[i], args.outputs[i]);
    for (std::int64_t q = 0; q < count; ++q) {
      const std::int64_t at = q < queries ? args.Out<std::int64_t>(2)[q] : 0;
      if (q < queries && (at < 0 || at / block >= width))
        Fail(kInvalidParam, "{}: sequence {} has {} tokens, and its table {} blocks of {}", name, q, at,
             width, block);
      args.Out<std::int64_t>(0)[q] = q < queries ? args.In<std::int64_t>(4)[q] : 0;
      args.Out<std::int64_t>(1)[q] = at;
      if (q < queries) args.Out<std::int64_t>(2)[q] = at + 1;
      args.Out<std::int64_t>(3)[q] =
          q < queries ? args.In<std::int64_t>(5)[q * width + at / block] * block + at % block : -1;
    }
  });
}

const RegisterOp advance_step(OpDef("AclnnAdvanceStep")
                                  .Infer(Infer)
                                  .Lower(Lower)
                                  .InPlace(0, 0)
                                  .InPlace(1, 1)
                                  .InPlace(2, 2)
                                  .InPlace(3, 3));

}  // namespace
}  // namespace foothold
