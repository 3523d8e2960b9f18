// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the halves of a tensor, one of which is a gate for the other.
#include <cmath>

#include "aclnn/mapping.h"
#include "aclnn/maps/parts.h"
#include "aclnn/maps/slopes.h"

namespace foothold::aclnn {
namespace {

struct HalvesOf {
  HalvesOf(Call& call, const char* name, std::int64_t dim)
      : f(call), axis(dim), a(call, Value()), b(call, Value()) {
    const Value whole = f.In(name);
    const auto rank = static_cast<std::int64_t>(DimsOf(whole).size());
    if (axis < -rank || axis >= rank) call.Refuse("dimension {} is halved; there are {}", axis, rank);
    if (axis < 0) axis += rank;
    const auto [first, second] = Halves(call, whole, axis);
    a = {call, first};
    b = {call, second};
  }
  Formula f;
  std::int64_t axis;
  Term a, b;
};

void MapGlu(Call& call) {
  const HalvesOf h(call, "self", call.GetInt("dim"));
  call.Out("out", h.a * Sigmoid(h.b));
}

void MapGluBackward(Call& call) {
  const HalvesOf h(call, "self", call.GetInt("dim"));
  const Term passed = h.f.In("gradOut") * Sigmoid(h.b);
  call.Out("out", Joined(call, {passed, passed * h.a * (1 - Sigmoid(h.b))}, h.axis));
}

void MapSwiGluGrad(Call& call) {
  const HalvesOf h(call, "x", call.GetInt("dim"));
  const Term g = h.f.In("yGrad");
  call.Out("out", Joined(call, {g * h.b * SiluSlope(h.a), g * Silu(h.a)}, h.axis));
}

// The value of the function is what the forward function has written beside its result.
void MapGeGluBackward(Call& call) {
  const HalvesOf h(call, "self", call.GetInt("dim"));
  const Term g = h.f.In("gradOutput"), gelu = h.f.In("gelu");
  const std::int64_t approximate = call.GetInt("approximate");
  if (approximate != 0 && approximate != 1)
    call.Refuse("'approximate' is {}; it has to be 0 (erf) or 1 (tanh)", approximate);
  const bool left = call.GetFlag("activateLeft");
  const Term &gate = left ? h.a : h.b, &passed = left ? h.b : h.a;
  const Term of_gate = g * passed * GeluSlope(gate, approximate == 1), of_passed = g * gelu;
  call.Out("gradInput",
           left ? Joined(call, {of_gate, of_passed}, h.axis) : Joined(call, {of_passed, of_gate}, h.axis));
}

void MapGeluMul(Call& call) {
  const std::string approximate =
      call.Has("approximateOptional") ? call.GetText("approximateOptional") : "none";
  if (approximate != "none" && approximate != "tanh")
    call.Refuse("'approximateOptional' is '{}'; none or tanh is expected", approximate);
  const HalvesOf h(call, "input", -1);
  call.Out("out", Gelu(h.a, approximate == "tanh") * h.b);
}

// [B, T, 3 D] becomes queries, keys and values [B, heads, T, D / heads].
void MapTransformQkv(Call& call) {
  const Formula f(call);
  const Term biased = f.In("qkv") + f.In("qkvBias");
  const Dims dims = biased.dims();
  const std::int64_t heads = call.GetInt("numHeads");
  if (dims.size() != 3 || heads < 1 || dims[2] % (3 * heads) != 0)
    call.Refuse("'qkv' is {}; [batch, steps, 3 * {} heads * size] is expected", ToString(call.View("qkv")),
                heads);
  const std::int64_t size = dims[2] / 3 / heads;
  const Value parted =
      call.Transpose(call.Reshape(biased, {dims[0], dims[1], 3, heads, size}), {2, 0, 3, 1, 4});
  const char* const names[] = {"qOut", "kOut", "vOut"};
  for (std::int64_t i = 0; i < 3; ++i) {
    const Term part{call, call.Reshape(Part(call, parted, 0, i, 1), {dims[0], heads, dims[1], size})};
    call.Out(names[i], i == 0 ? part / std::sqrt(static_cast<double>(size)) : part);
  }
}

const RegisterMapping halves_maps({
    {"aclnnGlu", MapGlu},
    {"aclnnGluBackward", MapGluBackward},
    {"aclnnSwiGluGrad", MapSwiGluGrad},
    {"aclnnGeGluV3Backward", MapGeGluBackward},
    {"aclnnGeluMul", MapGeluMul},
    {"aclnnTransformBiasRescaleQkv", MapTransformQkv},
});

}  // namespace
}  // namespace foothold::aclnn
