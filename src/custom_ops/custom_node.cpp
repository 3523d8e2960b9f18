// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_node.h"

#include <utility>

namespace foothold {
namespace {

constexpr std::size_t kMostDims = 1024;

template <typename T>
const T* Find(const Attributes& attributes, const char* name) {
  if (name == nullptr) return nullptr;
  const auto found = attributes.find(std::string_view(name));
  return found == attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

custom::Tensor TensorOf(const TensorType& type, const TensorValue* value) {
  return {sizeof(custom::Tensor),
          static_cast<std::int32_t>(type.type),
          static_cast<std::int32_t>(type.format),
          type.dims.data(),
          type.dims.size(),
          value == nullptr ? nullptr : const_cast<std::byte*>(value->data())};
}

}  // namespace

CustomNode::CustomNode(const OpContext& context)
    : name_(context.node().name()),
      type_(context.node().type()),
      attributes_(context.node().attributes),
      inputs_(static_cast<std::size_t>(context.inputs())),
      outputs_set_(static_cast<std::size_t>(context.outputs())) {
  AddTensors(context);
  FillView();
}

// All types first: tensors point at their dimensions.
void CustomNode::AddTensors(const OpContext& context) {
  for (int i = 0; i < context.inputs(); ++i)
    types_.push_back(context.In(i));
  for (int i = 0; i < context.outputs(); ++i)
    types_.push_back(context.Out(i));
  for (std::size_t i = 0; i < types_.size(); ++i)
    tensors_.push_back(TensorOf(types_[i], i < inputs_ ? context.Value(static_cast<int>(i)) : nullptr));
  for (std::size_t i = 0; i < tensors_.size(); ++i)
    pointers_.push_back(i >= inputs_ || context.Has(static_cast<int>(i)) ? &tensors_[i] : nullptr);
}

void CustomNode::FillView() {
  view_.struct_size = sizeof view_;
  view_.name = name_.c_str();
  view_.type = type_.c_str();
  view_.inputs = pointers_.data();
  view_.input_count = inputs_;
  view_.outputs = pointers_.data() + inputs_;
  view_.output_count = pointers_.size() - inputs_;
  view_.library = this;
  view_.get_int = [](const custom::NodeView* view, const char* name, std::int64_t* value) {
    const Attributes& all = Of(view).attributes_;
    if (const auto* const found = Find<std::int64_t>(all, name)) return *value = *found, 1;
    if (const auto* const found = Find<bool>(all, name)) return *value = *found ? 1 : 0, 1;
    return 0;
  };
  view_.get_float = [](const custom::NodeView* view, const char* name, float* value) {
    const auto* const found = Find<float>(Of(view).attributes_, name);
    if (found != nullptr) *value = *found;
    return found != nullptr ? 1 : 0;
  };
  view_.get_string = [](const custom::NodeView* view, const char* name, const char** value) {
    const auto* const found = Find<std::string>(Of(view).attributes_, name);
    if (found != nullptr) *value = found->c_str();
    return found != nullptr ? 1 : 0;
  };
  view_.get_ints = [](const custom::NodeView* view, const char* name, const std::int64_t** values,
                      std::size_t* count) {
    const auto* const found = Find<std::vector<std::int64_t>>(Of(view).attributes_, name);
    if (found == nullptr) return 0;
    *values = found->data();
    *count = found->size();
    return 1;
  };
  view_.get_floats = [](const custom::NodeView* view, const char* name, const float** values,
                        std::size_t* count) {
    const auto* const found = Find<std::vector<float>>(Of(view).attributes_, name);
    if (found == nullptr) return 0;
    *values = found->data();
    *count = found->size();
    return 1;
  };
  view_.set_output = [](custom::NodeView* view, std::size_t output, std::int32_t data_type,
                        const std::int64_t* dims, std::size_t rank) {
    CustomNode& self = Of(view);
    if (output >= self.outputs_set_.size()) {
      self.refusal_ = fmt::format("its shape rule sets output {} of {}", output, self.outputs_set_.size());
      return;
    }
    if (rank > kMostDims || (rank > 0 && dims == nullptr)) {
      self.refusal_ = fmt::format("its shape rule sets output {} with {} dimensions{}", output, rank,
                                  rank > kMostDims ? "" : ", which are null");
      return;
    }
    const Format format = self.inputs_ > 0 ? self.types_[0].format : Format::kNd;
    self.outputs_set_[output] =
        TensorType{static_cast<DataType>(data_type), format, rank == 0 ? Dims() : Dims(dims, dims + rank)};
  };
  view_.fail = [](custom::NodeView* view, const char* text) {
    Of(view).refusal_ = text == nullptr ? "no reason is given" : text;
    return custom::kFailed;
  };
}

}  // namespace foothold
