// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/call.h"

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
