// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/port_layout.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "single_op/op_call.h"
#include "single_op/op_codes.h"

namespace foothold {
namespace {

struct Side {
  const Prototype& prototype;
  const std::vector<PrototypePort>& ports;
  const TensorDescList& tensors;
  const char* word;
  Code code;
};

const PrototypePort* PortNamed(const Side& side, std::string_view name) {
  const auto found = std::find_if(side.ports.begin(), side.ports.end(),
                                  [&](const PrototypePort& port) { return port.name == name; });
  return found == side.ports.end() ? nullptr : &*found;
}

// The list the program says a tensor belongs to; empty if it says nothing.
std::string_view ListOf(const Side& side, const TensorDesc& tensor) {
  if (!tensor.dynamic_input.empty()) return tensor.dynamic_input;
  const std::string_view name = tensor.name;
  const std::string_view stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
  const PrototypePort* port = stem == name ? nullptr : PortNamed(side, stem);
  const bool is_list = port != nullptr && port->kind == PortKind::kDynamic && !PortNamed(side, name);
  return is_list ? stem : std::string_view();
}

std::size_t InstancesOf(const Side& side, const PrototypePort& list) {
  const auto belongs = [&](const TensorDesc* tensor) { return ListOf(side, *tensor) == list.name; };
  const auto named = std::count_if(side.tensors.begin(), side.tensors.end(), belongs);
  if (named > 0) return static_cast<std::size_t>(named);
  const auto lists = std::count_if(side.ports.begin(), side.ports.end(),
                                   [](const PrototypePort& port) { return port.kind == PortKind::kDynamic; });
  const bool any_named = std::any_of(side.tensors.begin(), side.tensors.end(), [&](const TensorDesc* tensor) {
    return !ListOf(side, *tensor).empty();
  });
  const std::size_t others = side.ports.size() - static_cast<std::size_t>(lists);
  if (any_named || side.tensors.size() <= others) return 0;
  if (lists > 1)
    Fail(side.code,
         "{} has several lists of {}s: the names of the tensors ({}0, {}1, ...) or aclSetTensorDynamicInput "
         "have to say which tensor belongs to which",
         side.prototype.type, side.word, list.name, list.name);
  return side.tensors.size() - others;
}

std::vector<PortSlot> EmptySlots(const Side& side) {
  std::vector<PortSlot> slots;
  for (const PrototypePort& port : side.ports) {
    if (port.kind != PortKind::kDynamic) {
      slots.push_back({port.name, port.name, port.kind});
      continue;
    }
    const std::size_t count = InstancesOf(side, port);
    for (std::size_t i = 0; i < count; ++i)
      slots.push_back({port.name + std::to_string(i), port.name, port.kind});
  }
  return slots;
}

// The slot of that name, if only optional ones are passed over on the way there.
std::optional<std::size_t> NamedSlot(const std::vector<PortSlot>& slots, std::size_t from,
                                     const std::string& name) {
  for (std::size_t i = from; i < slots.size() && !name.empty(); ++i) {
    if (slots[i].name == name) return i;
    if (slots[i].kind != PortKind::kOptional) break;
  }
  return std::nullopt;
}

std::vector<PortSlot> LayOut(const Side& side) {
  std::vector<PortSlot> slots = EmptySlots(side);
  std::size_t next = 0;
  for (std::size_t i = 0; i < side.tensors.size(); ++i) {
    const TensorDesc& tensor = *side.tensors[i];
    const std::size_t slot = NamedSlot(slots, next, tensor.name).value_or(next);
    if (slot >= slots.size())
      Fail(side.code, "{} has {} {}s, and {} tensors were given", side.prototype.type, slots.size(),
           side.word, side.tensors.size());
    if (!IsAbsent(tensor)) slots[slot].tensor = static_cast<int>(i);
    next = slot + 1;
  }
  return slots;
}

}  // namespace

std::vector<PortSlot> LayOutInputs(const Prototype& prototype, const TensorDescList& tensors) {
  return LayOut({prototype, prototype.inputs, tensors, "input", kOpInputNotMatch});
}

std::vector<PortSlot> LayOutOutputs(const Prototype& prototype, const TensorDescList& tensors) {
  return LayOut({prototype, prototype.outputs, tensors, "output", kOpOutputNotMatch});
}

}  // namespace foothold
