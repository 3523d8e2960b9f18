// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/blocked_kernel.h"

#include <algorithm>

#include "kernels/channel_blocks.h"

namespace foothold {
namespace {

constexpr char kActivation[] = "activation";               // number of the Activation
constexpr char kActivationParams[] = "activation_params";  // low, high, slope

TensorValue FilledBias(const TensorValue& bias, std::size_t channels) {
  const std::size_t lanes = ChannelBlock(), filled = (channels + lanes - 1) / lanes * lanes;
  TensorValue value(TensorType{DataType::kFloat, Format::kNd, {static_cast<std::int64_t>(filled)}});
  std::fill_n(value.MutableAs<float>(), filled, 0.0f);
  std::copy_n(bias.As<float>(), channels, value.MutableAs<float>());
  return value;
}

}  // namespace

void SetActivation(Node& node, const ActivationSpec& activation, const std::string& of) {
  node.attributes[of + kActivation] = static_cast<std::int64_t>(activation.kind);
  node.attributes[of + kActivationParams] =
      std::vector<float>{activation.low, activation.high, activation.slope};
}

ActivationSpec ActivationAttribute(const Node& node, const std::string& of) {
  const std::vector<float> params = node.Floats(of + kActivationParams);
  if (params.size() != 3) return {};
  return {static_cast<Activation>(node.Int(of + kActivation, 0)), params[0], params[1], params[2]};
}

bool HasKnownFloatFilter(const OpContext& context) {
  const auto known = [&](const char* port) {
    return context.Value(port) != nullptr && context.In(port).type == DataType::kFloat;
  };
  const auto connected = [&](const char* port) {
    return context.node().InputIndex(port) >= 0 && context.Has(port);
  };
  return context.In("x").type == DataType::kFloat && known("filter") && !connected("offset_w") &&
         (!connected("bias") || known("bias"));
}

bool HasComputedFloatFilter(const OpContext& context, const ConvolutionShape& shape) {
  constexpr std::size_t kLeastPixels = 512;  // a filter is packed in the time of some fifty pixels
  const auto connected = [&](const char* port) {
    return context.node().InputIndex(port) >= 0 && context.Has(port);
  };
  return context.In("x").type == DataType::kFloat && context.In("filter").type == DataType::kFloat &&
         context.Value("filter") == nullptr && !connected("offset_w") && !connected("bias") &&
         shape.groups == 1 && shape.out_channels >= ChannelBlock() &&
         shape.batch * shape.OutPixels() >= kLeastPixels;
}

BlockedPorts ComputedPorts(const OpContext& context) {
  const int residual = context.node().InputIndex("residual");
  BlockedPorts ports;
  ports.data = context.Port("x");
  ports.filter = context.Port("filter");
  ports.residual = residual >= 0 && context.Has(residual) ? residual : -1;
  return ports;
}

BlockedPorts AddBlockedConstants(OpContext& context, TensorValue packed_filter, std::size_t out_channels,
                                 const std::string& of) {
  const auto port = [&](const std::string& name) {
    return context.node().InputIndex(name) >= 0 && context.Has(name) ? context.Port(name) : -1;
  };
  BlockedPorts ports;
  ports.data = context.Port("x");
  ports.residual = port("residual");
  context.SetUnused(context.Port(of + "filter"));
  ports.filter = context.AddConstant(std::move(packed_filter));
  if (const int bias = port(of + "bias"); bias >= 0) {
    const TensorValue& given = context.Needed(bias);
    if (given.type().type != DataType::kFloat ||
        ElementCount(given.dims()) != static_cast<std::int64_t>(out_channels))
      context.Refuse("the bias is {}, expected float of {}", ToString(given.type()), out_channels);
    TensorValue filled = FilledBias(given, out_channels);
    context.SetUnused(bias);
    ports.bias = context.AddConstant(std::move(filled));
  }
  return ports;
}

}  // namespace foothold
