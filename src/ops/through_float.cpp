// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/through_float.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "kernels/half_convert.h"

namespace foothold {
namespace {

constexpr std::size_t kMostPorts = 32;  // of one operator, with the constants its lowering added

std::optional<HalfKind> HalfKindOf(DataType type) {
  if (type == DataType::kFloat16) return HalfKind::kFloat16;
  if (type == DataType::kBfloat16) return HalfKind::kBfloat16;
  return std::nullopt;
}

struct Converted {
  std::size_t port;
  HalfKind kind;
  std::size_t count;
  std::size_t offset;  // of its floats in the workspace
};

class FloatKernel : public Kernel {
 public:
  FloatKernel(std::unique_ptr<Kernel> inner, std::size_t ports, std::size_t outputs)
      : inner_(std::move(inner)),
        ports_(ports),
        outputs_(outputs),
        bytes_(Aligned(inner_->WorkspaceBytes())) {
    FOOTHOLD_CHECK(ports <= kMostPorts && outputs <= kMostPorts);
  }

  void AddInput(int port, HalfKind kind, const Dims& dims) { Add(widened_, port, kind, dims); }
  void AddOutput(int port, HalfKind kind, const Dims& dims) { Add(narrowed_, port, kind, dims); }
  bool empty() const { return widened_.empty() && narrowed_.empty(); }
  std::unique_ptr<Kernel> TakeInner() { return std::move(inner_); }

  std::size_t WorkspaceBytes() const override { return bytes_; }

  void Run(const RunArgs& args) const override {
    std::array<const std::byte*, kMostPorts> inputs;
    std::array<std::byte*, kMostPorts> outputs;
    std::copy_n(args.inputs, ports_, inputs.begin());
    std::copy_n(args.outputs, outputs_, outputs.begin());
    for (const Converted& one : widened_) {
      std::byte* floats = args.workspace + one.offset;
      FloatsFromHalves(one.kind, args.In<std::uint16_t>(static_cast<int>(one.port)),
                       reinterpret_cast<float*>(floats), one.count);
      inputs[one.port] = floats;
    }
    for (const Converted& one : narrowed_)
      outputs[one.port] = args.workspace + one.offset;
    inner_->Run({inputs.data(), outputs.data(), args.workspace});
    for (const Converted& one : narrowed_)
      HalvesFromFloats(one.kind, reinterpret_cast<const float*>(args.workspace + one.offset),
                       args.Out<std::uint16_t>(static_cast<int>(one.port)), one.count);
  }

 private:
  static std::size_t Aligned(std::size_t bytes) {
    return (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  }

  void Add(std::vector<Converted>& list, int port, HalfKind kind, const Dims& dims) {
    const auto count = static_cast<std::size_t>(ElementCount(dims));
    list.push_back({static_cast<std::size_t>(port), kind, count, bytes_});
    bytes_ += Aligned(count * sizeof(float));
  }

  std::unique_ptr<Kernel> inner_;
  std::vector<Converted> widened_, narrowed_;
  std::size_t ports_, outputs_;
  std::size_t bytes_;
};

}  // namespace

bool ComputesInFloat(DataType type) {
  return type == DataType::kFloat || HalfKindOf(type).has_value();
}

std::unique_ptr<Kernel> ThroughFloat(const OpContext& context, std::unique_ptr<Kernel> inner,
                                     const std::vector<int>& as_they_are) {
  const auto among = [](const std::vector<int>& ports, int port) {
    return std::find(ports.begin(), ports.end(), port) != ports.end();
  };
  const auto ports = static_cast<std::size_t>(context.inputs()) + context.added_constants().size();
  auto outer =
      std::make_unique<FloatKernel>(std::move(inner), ports, static_cast<std::size_t>(context.outputs()));
  for (int i = 0; i < context.inputs(); ++i) {
    if (!context.Has(i) || among(context.unused(), i) || among(as_they_are, i)) continue;
    if (const auto kind = HalfKindOf(context.In(i).type)) outer->AddInput(i, *kind, context.InDims(i));
  }
  for (int i = 0; i < context.outputs(); ++i)
    if (const auto kind = HalfKindOf(context.Out(i).type)) outer->AddOutput(i, *kind, context.Out(i).dims);
  if (outer->empty()) return outer->TakeInner();
  return outer;
}

TensorValue AsFloats(const TensorValue& value) {
  const auto kind = HalfKindOf(value.type().type);
  if (!kind) return value;
  TensorValue floats(TensorType{DataType::kFloat, value.type().format, value.dims()});
  FloatsFromHalves(*kind, value.As<std::uint16_t>(), floats.MutableAs<float>(),
                   static_cast<std::size_t>(ElementCount(value.dims())));
  return floats;
}

}  // namespace foothold
