// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/graph_import.h"

#include <algorithm>

#include "base/error.h"
#include "onnx/mapping.h"
#include "onnx/node_import.h"

namespace foothold::onnx {

GraphImport::GraphImport(const ModelGraph& from, ImportReport& report, std::string name, GraphImport* outer,
                         Captures* captures)
    : from_(from), report_(report), outer_(outer), captures_(captures), builder_(std::move(name)) {}

OutputRef GraphImport::AddInput(const std::string& name, std::int64_t index, const ValueType& type) {
  const DataType element = type.type == DataType::kUndefined ? DataType::kFloat : type.type;
  Node& node = builder_.Data(name, index, {element, Format::kNd, type.dims});
  Bind(name, {&node, 0});
  return {&node, 0};
}

void GraphImport::ImportNodes() {
  for (const ModelNode& node : from_.nodes)
    ImportNode(node);
}

void GraphImport::ImportNode(const ModelNode& node) {
  report_.CountNode();
  const Mapping* mapping = FindMapping(node.domain, node.op, node.version);
  if (mapping == nullptr) {
    report_.AddNoMapping(node);
    return MarkFailed(node);
  }
  if (DependsOnFailure(node)) return MarkFailed(node);
  try {
    NodeImport import(*this, node);
    mapping->map(import);
    import.Finish();
  } catch (const AlreadyReported&) {
    MarkFailed(node);
  } catch (const Error& error) {
    report_.Add(node, error.message());
    MarkFailed(node);
  }
}

void GraphImport::MarkFailed(const ModelNode& node) {
  failed_.insert(node.outputs.begin(), node.outputs.end());
}

bool GraphImport::HasFailed(const std::string& name) const {
  if (failed_.empty() && outer_ == nullptr) return false;
  if (failed_.count(name) != 0) return true;
  const bool here = values_.count(name) != 0 || constants_.count(name) != 0;
  return !here && outer_ != nullptr && outer_->HasFailed(name);
}

bool GraphImport::DependsOnFailure(const ModelNode& node) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(),
                     [&](const std::string& name) { return !name.empty() && HasFailed(name); });
}

void GraphImport::AddCapturedInputs() {
  for (const std::string& name : captures_->names())
    if (values_.count(name) == 0) AddInput(name, captures_->IndexOf(name, {}), outer_->TypeOf(name));
}

void GraphImport::Bind(const std::string& name, OutputRef value) {
  values_.insert_or_assign(name, value);
}

void GraphImport::BindConstant(const std::string& name, TensorValue value) {
  constants_.insert_or_assign(name, std::move(value));
}

OutputRef GraphImport::MakeConstant(const std::string& name, const TensorValue& value) {
  if (value.type().type == DataType::kString)
    Fail(kFeatureUnsupported, "constant '{}' has strings, which are not supported", name);
  builder_.SetPrefix("");
  const OutputRef made = builder_.Const(value, name);
  Bind(name, made);
  return made;
}

OutputRef GraphImport::Find(const std::string& name) {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  if (HasFailed(name)) throw AlreadyReported();
  if (const TensorValue* value = Known(name)) return MakeConstant(name, *value);
  if (outer_ == nullptr) Fail(kInternalError, "nothing has made the value '{}'", name);
  return AddInput(name, captures_->IndexOf(name, outer_->Find(name)), outer_->TypeOf(name));
}

const TensorValue* GraphImport::Known(const std::string& name) const {
  if (const auto found = constants_.find(name); found != constants_.end()) return &found->second;
  if (const auto found = from_.constants.find(name); found != from_.constants.end()) return &found->second;
  return outer_ == nullptr || values_.count(name) != 0 ? nullptr : outer_->Known(name);
}

ValueType GraphImport::TypeOf(const std::string& name) const {
  if (const TensorValue* value = Known(name))
    return {ValueType::Kind::kTensor, value->type().type, value->dims()};
  const auto found = from_.types.find(name);
  if (found != from_.types.end()) return found->second;
  return outer_ == nullptr ? ValueType() : outer_->TypeOf(name);
}

}  // namespace foothold::onnx
