// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_forms.h"

#include <algorithm>
#include <utility>

#include "session/graph_slot.h"

namespace foothold {
namespace {

bool Fits(std::span<const RunInput> inputs, const PreparedPrograms::Entry& entry) {
  if (inputs.size() != entry.types.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const RunInput& given = inputs[i];
    const TensorType& type = entry.types[i];
    const bool fits = given.bytes == entry.bytes[i] && given.type == type.type &&
                      given.format == type.format && !given.on_device &&
                      (given.data != nullptr || given.bytes == 0) &&
                      std::equal(given.dims.begin(), given.dims.end(), type.dims.begin(), type.dims.end());
    if (!fits) return false;
  }
  return true;
}

}  // namespace

bool GraphForms::Find(std::span<const RunInput> inputs, std::shared_ptr<PreparedProgram>& form) {
  return programs_.Find([&](const PreparedPrograms::Entry& entry) { return Fits(inputs, entry); }, form);
}

std::shared_ptr<PreparedProgram> GraphForms::For(const GraphSlot& graph,
                                                 const std::vector<TensorValue>& inputs) {
  auto known = programs_.Find([&](const PreparedPrograms::Entry& entry) {
    return std::equal(inputs.begin(), inputs.end(), entry.types.begin(), entry.types.end(),
                      [](const TensorValue& value, const TensorType& type) { return value.type() == type; });
  });
  if (known) return known;
  std::vector<TensorType> types;
  for (const TensorValue& input : inputs)
    types.push_back(input.type());
  return Make(graph, types);
}

std::shared_ptr<PreparedProgram> GraphForms::Make(const GraphSlot& graph,
                                                  const std::vector<TensorType>& types) {
  std::shared_ptr<const Plan> plan;
  {
    const InsideGraph inside(graph);
    plan = graph.contents().executable->Prepare(types);
  }
  return programs_.Put(types, std::make_shared<PreparedProgram>(std::move(plan), variables_, count_));
}

std::shared_ptr<PreparedProgram> GraphForms::declared() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return declared_;
}

// Memory of the last one may be the program's: it goes after the lock.
void GraphForms::SetDeclared(std::shared_ptr<PreparedProgram> form) {
  std::lock_guard<std::mutex> lock(mutex_);
  declared_.swap(form);
  declared_now_.store(declared_.get(), std::memory_order_release);
}

void GraphForms::DeclareFirst(const std::shared_ptr<PreparedProgram>& form) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (declared_) return;
  declared_ = form;
  declared_now_.store(form.get(), std::memory_order_release);
}

}  // namespace foothold
