// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "ops/data/copy_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr double kMost = 1LL << 40;  // more would not fit into memory

double Bound(const OpContext& context, const char* name) {
  if (context.Has(name)) return Scalar(context.Needed(name));
  if (context.node().FindAttribute(name) == nullptr) context.Refuse("attribute '{}' is not set", name);
  return static_cast<double>(context.node().Float(name, 0.0f));
}

void InferRange(OpContext& context) {
  const double start = Bound(context, "start"), limit = Bound(context, "limit"),
               delta = Bound(context, "delta");
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || !(count < kMost)) context.Refuse("from {} to {} by {} is no range", start, limit, delta);
  context.SetOut(0, context.In(0).type, {static_cast<std::int64_t>(std::max(count, 0.0))}, Format::kNd);
}

// All is known when the program is made, so the result is a constant of it.
template <typename T>
void WriteRange(TensorValue& value, double start, double delta) {
  for (std::int64_t i = 0; i < value.dims()[0]; ++i) {
    const double number = start + static_cast<double>(i) * delta;
    value.MutableAs<T>()[i] = static_cast<T>(static_cast<Computed<T>>(number));
  }
}

// Integers beyond 2^53 would lose their last places on the way through double.
void WriteIntegers(TensorValue& value, std::int64_t start, std::int64_t delta) {
  for (std::int64_t i = 0; i < value.dims()[0]; ++i)
    value.MutableAs<std::int64_t>()[i] = start + i * delta;
}

std::unique_ptr<Kernel> LowerRange(OpContext& context) {
  TensorValue value(context.Out(0));
  const DataType type = value.type().type;
  if (type == DataType::kInt64 && context.Has("start") && context.In("delta").type == type) {
    WriteIntegers(value, context.NeededInts("start").at(0), context.NeededInts("delta").at(0));
  } else {
    VisitType(
        type,
        [&](auto tag) {
          WriteRange<typename decltype(tag)::Type>(value, Bound(context, "start"), Bound(context, "delta"));
        },
        [&] { context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type)); });
  }
  for (int i = 0; i < context.inputs(); ++i)
    if (context.Has(i)) context.SetUnused(i);
  const std::size_t bytes = value.size();
  const int port = context.AddConstant(std::move(value));
  return std::make_unique<CopyKernel>(std::vector<PortCopy>{{port, 0, WholeCopy(bytes)}});
}

const RegisterOp ranges({
    OpDef("Range").Infer(InferRange).Lower(LowerRange).Types(NumberTypes()),
    OpDef("RangeD").Infer(InferRange).Lower(LowerRange).Types(NumberTypes()),
});

}  // namespace
}  // namespace foothold
