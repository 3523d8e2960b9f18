// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <map>

#include "api/ge/graph_guard.h"
#include "graph/inference_context.h"

namespace ge {

class ShapeAndTypeImpl {
 public:
  Shape shape;
  DataType type = DT_UNDEFINED;
};

class InferenceContextImpl {
 public:
  std::vector<std::vector<ShapeAndType>> inputs;
  std::vector<std::vector<ShapeAndType>> outputs;
  std::vector<AscendString> marks;
  std::map<AscendString, ResourceContext*> resources;
  std::set<AscendString> relied_on;
  std::set<AscendString> changed;
};

using foothold::GuardGraph;
using foothold::GuardGraphValue;

// Copies share what they were copied from until one of them changes.
ShapeAndType::ShapeAndType() : ShapeAndType(Shape(), DT_UNDEFINED) {}

ShapeAndType::ShapeAndType(const Shape& shape, DataType data_type)
    : impl_(GuardGraphValue("ShapeAndType", [&] {
        return std::shared_ptr<ShapeAndTypeImpl>(new ShapeAndTypeImpl{shape, data_type});
      })) {}

void ShapeAndType::SetShape(const Shape& shape) {
  *this = ShapeAndType(shape, GetDataType());
}

void ShapeAndType::SetType(DataType data_type) {
  *this = ShapeAndType(GetShape(), data_type);
}

Shape ShapeAndType::GetShape() const {
  return impl_ == nullptr ? Shape() : impl_->shape;
}

DataType ShapeAndType::GetDataType() const {
  return impl_ == nullptr ? DT_UNDEFINED : impl_->type;
}

InferenceContext::InferenceContext(std::shared_ptr<InferenceContextImpl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<InferenceContext> InferenceContext::Create(void* resource_context_mgr) {
  return GuardGraphValue("InferenceContext::Create", [&] {
    if (resource_context_mgr != nullptr)
      foothold::Fail(foothold::kFeatureUnsupported,
                     "a resource_context_mgr comes from the engine only, and this one has none");
    return std::unique_ptr<InferenceContext>(new InferenceContext(std::make_shared<InferenceContextImpl>()));
  });
}

void InferenceContext::SetInputHandleShapesAndTypes(
    std::vector<std::vector<ShapeAndType>>&& shapes_and_types) {
  impl_->inputs = std::move(shapes_and_types);
}

const std::vector<std::vector<ShapeAndType>>& InferenceContext::GetInputHandleShapesAndTypes() const {
  return impl_->inputs;
}

const std::vector<std::vector<ShapeAndType>>& InferenceContext::GetOutputHandleShapesAndTypes() const {
  return impl_->outputs;
}

void InferenceContext::SetOutputHandleShapesAndTypes(
    const std::vector<std::vector<ShapeAndType>>& shapes_and_types) {
  (void)GuardGraph("InferenceContext::SetOutputHandleShapesAndTypes",
                   [&] { impl_->outputs = shapes_and_types; });
}

void InferenceContext::SetOutputHandleShapesAndTypes(
    std::vector<std::vector<ShapeAndType>>&& shapes_and_types) {
  impl_->outputs = std::move(shapes_and_types);
}

void InferenceContext::SetMarks(const std::vector<AscendString>& marks) {
  (void)GuardGraph("InferenceContext::SetMarks", [&] { impl_->marks = marks; });
}

void InferenceContext::GetMarks(std::vector<AscendString>& marks) const {
  (void)GuardGraph("InferenceContext::GetMarks", [&] { marks = impl_->marks; });
}

ResourceContext* InferenceContext::GetResourceContext(const ge::AscendString& key) {
  const auto found = impl_->resources.find(key);
  return found == impl_->resources.end() ? nullptr : found->second;
}

graphStatus InferenceContext::SetResourceContext(const ge::AscendString& key,
                                                 ResourceContext* resource_context) {
  return GuardGraph("InferenceContext::SetResourceContext",
                    [&] { impl_->resources[key] = resource_context; });
}

graphStatus InferenceContext::RegisterReliedOnResourceKey(const ge::AscendString& key) {
  return GuardGraph("InferenceContext::RegisterReliedOnResourceKey", [&] { impl_->relied_on.insert(key); });
}

graphStatus InferenceContext::AddChangedResourceKey(const ge::AscendString& key) {
  return GuardGraph("InferenceContext::AddChangedResourceKey", [&] { impl_->changed.insert(key); });
}

const std::set<ge::AscendString>& InferenceContext::GetReliedOnResourceKeys() const {
  return impl_->relied_on;
}

const std::set<ge::AscendString>& InferenceContext::GetChangedResourceKeys() const {
  return impl_->changed;
}

void InferenceContext::ClearChangedResourceKeys() {
  impl_->changed.clear();
}

}  // namespace ge
