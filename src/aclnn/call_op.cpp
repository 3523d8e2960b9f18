// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/call.h"
#include "calls/view.h"
#include "ops/strided_view.h"

namespace foothold::aclnn {

Op& Op::In(std::string_view port, Value value) {
  builder_.In(port, value);
  return *this;
}

Op& Op::InList(std::string_view port, const std::vector<Value>& values) {
  builder_.InList(port, values);
  return *this;
}

Op& Op::Set(std::string_view attribute, Attribute value) {
  builder_.Set(attribute, std::move(value));
  return *this;
}

Op& Op::Outputs(std::string_view port, std::size_t count) {
  builder_.Outputs(port, count);
  return *this;
}

Op& Op::WantsDims(const Dims& dims) {
  PortDesc& desc = builder_.node().outputs().at(0).desc;
  desc.dims = dims;
  desc.set = true;
  return *this;
}

// A contiguous one is nothing special.
Value Op::Viewed(const std::string& port, std::string_view name, std::size_t index, bool any) {
  const Tensor view = call_.View(name, index);
  const bool rows = view.dims.size() > 0 &&
                    (view.dims[view.dims.size() - 1] == 1 || view.strides[view.dims.size() - 1] == 1);
  if (IsContiguous(view.dims, view.strides) || !(rows || any)) return call_.In(name, index);
  Set(ViewAttribute(port), ViewNumbers(view.dims.ToDims(), PlainStrides(view)));
  return call_.Span(name, index);
}

Op& Op::InView(std::string_view port, std::string_view name) {
  return In(port, Viewed(std::string(port), name, 0, false));
}

Op& Op::InAnyView(std::string_view port, std::string_view name) {
  return In(port, Viewed(std::string(port), name, 0, true));
}

Op& Op::InViews(std::string_view port, std::string_view list) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < call_.ListSize(list); ++i) {
    if (!call_.HasMember(list, i)) call_.Refuse("member {} of list '{}' is null", i, list);
    values.push_back(Viewed(std::string(port) + std::to_string(i), list, i, false));
  }
  return InList(port, values);
}

Value Op::Out(int port) {
  if (!inferred_) call_.Infer(builder_.node());
  inferred_ = true;
  return builder_.Out(port);
}

Value Op::Out(std::string_view port) {
  const int index = builder_.node().OutputIndex(port);
  FOOTHOLD_CHECK(index >= 0);
  return Out(index);
}

}  // namespace foothold::aclnn
