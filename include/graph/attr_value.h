// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The value of an attribute: an integer, a float, a text, a boolean, a tensor, an element type, or a list of
// one of these. A value takes the type of what is set; reading another type fails and changes nothing. Copies
// share.
#ifndef FOOTHOLD_GRAPH_ATTR_VALUE_H_
#define FOOTHOLD_GRAPH_ATTR_VALUE_H_

#include <stdint.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

struct GE_FUNC_HOST_VISIBILITY AttrValueImpl;

class GE_FUNC_HOST_VISIBILITY AttrValue {
 public:
  using INT   = int64_t;
  using FLOAT = float;
  using STR   = std::string;

  AttrValue();
  ~AttrValue() = default;

  // GetValue<AttrValue::INT>(number), and in the same way FLOAT and STR.
  template <typename T, typename DT>
  graphStatus GetValue(DT& val) const {
    T value;
    const graphStatus status = Read(value);
    if (status == GRAPH_SUCCESS) {
      val = value;
    }
    return status;
  }

  template <typename T, typename DT>
  static T CreateFrom(DT&& val) {
    return T(std::forward<DT>(val));
  }

  graphStatus GetValue(AscendString& val);

  graphStatus SetAttrValue(const int64_t& attr_value) const;
  graphStatus GetAttrValue(int64_t& attr_value) const;
  graphStatus SetAttrValue(const float32_t& attr_value) const;
  graphStatus GetAttrValue(float32_t& attr_value) const;
  graphStatus SetAttrValue(const AscendString& attr_value) const;
  graphStatus GetAttrValue(AscendString& attr_value) const;
  graphStatus SetAttrValue(const bool& attr_value) const;
  graphStatus GetAttrValue(bool& attr_value) const;
  graphStatus SetAttrValue(const Tensor& attr_value) const;
  graphStatus GetAttrValue(Tensor& attr_value) const;
  graphStatus SetAttrValue(const std::vector<int64_t>& attr_value) const;
  graphStatus GetAttrValue(std::vector<int64_t>& attr_value) const;
  graphStatus SetAttrValue(const std::vector<float32_t>& attr_value) const;
  graphStatus GetAttrValue(std::vector<float32_t>& attr_value) const;
  graphStatus SetAttrValue(const std::vector<AscendString>& attr_values) const;
  graphStatus GetAttrValue(std::vector<AscendString>& attr_values) const;
  graphStatus SetAttrValue(const std::vector<bool>& attr_value) const;
  graphStatus GetAttrValue(std::vector<bool>& attr_value) const;
  graphStatus SetAttrValue(const std::vector<Tensor>& attr_value) const;
  graphStatus GetAttrValue(std::vector<Tensor>& attr_value) const;
  graphStatus SetAttrValue(const std::vector<std::vector<int64_t>>& attr_value) const;
  graphStatus GetAttrValue(std::vector<std::vector<int64_t>>& attr_value) const;
  graphStatus SetAttrValue(const std::vector<ge::DataType>& attr_value) const;
  graphStatus GetAttrValue(std::vector<ge::DataType>& attr_value) const;
  graphStatus SetAttrValue(const ge::DataType& attr_value) const;
  graphStatus GetAttrValue(ge::DataType& attr_value) const;

  std::shared_ptr<AttrValueImpl> impl;

 private:
  template <typename T>
  graphStatus Read(T& value) const {
    return GetAttrValue(value);
  }
  graphStatus Read(std::string& value) const {
    AscendString text;
    const graphStatus status = GetAttrValue(text);
    value.assign(text.GetString(), text.GetLength());
    return status;
  }
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_ATTR_VALUE_H_
