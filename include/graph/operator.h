// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An operator of a graph that is being built: a handle, so copies stand for the same operator. Operators that
// are linked keep each other alive, whichever handle a program still holds. One thread at a time may use
// operators that hang together. Functions that return the operator log what they refuse and leave the
// operator as it was.
#ifndef FOOTHOLD_GRAPH_OPERATOR_H_
#define FOOTHOLD_GRAPH_OPERATOR_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/attr_value.h"
#include "graph/ge_error_codes.h"
#include "graph/inference_context.h"
#include "graph/string_overloads.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

class Graph;
class NamedAttrs;
class Operator;
class GE_FUNC_HOST_VISIBILITY OperatorImpl;

using SubgraphBuilder = std::function<Graph()>;
using OperatorImplPtr = std::shared_ptr<OperatorImpl>;
using OperatorPtr     = std::shared_ptr<Operator>;

class GE_FUNC_HOST_VISIBILITY Operator {
 public:
  using OpInt              = int64_t;
  using OpFloat            = float32_t;
  using OpString           = std::string;
  using OpAscendString     = AscendString;
  using OpBool             = bool;
  using OpTensor           = Tensor;
  using OpType             = ge::DataType;
  using OpNamedAttrs       = ge::NamedAttrs;
  using OpListInt          = std::vector<int64_t>;
  using OpListFloat        = std::vector<float32_t>;
  using OpListString       = std::vector<std::string>;
  using OpListAcendString  = std::vector<AscendString>;
  using OpListAscendString = OpListAcendString;
  using OpListBool         = std::vector<bool>;
  using OpListTensor       = std::vector<Tensor>;
  using OpBytes            = std::vector<uint8_t>;
  using OpListListInt      = std::vector<std::vector<int64_t>>;
  using OpListType         = std::vector<ge::DataType>;
  using OpListNamedAttrs   = std::vector<ge::NamedAttrs>;

  // Empty: it stands for no operator, and everything asked of it fails.
  Operator() {}
  // An operator without a name gets one of its own.
  explicit Operator(const std::string& type) : Operator(type.c_str()) {}
  explicit Operator(const char_t* type);
  Operator(const std::string& name, const std::string& type) : Operator(name.c_str(), type.c_str()) {}
  Operator(const AscendString& name, const AscendString& type);
  Operator(const char_t* name, const char_t* type);
  virtual ~Operator() = default;

  bool IsEmpty() const;
  std::string GetName() const {
    AscendString name;
    (void)GetName(name);
    return string_overloads::FromAscend(name);
  }
  graphStatus GetName(AscendString& name) const;
  std::string GetOpType() const {
    AscendString type;
    (void)GetOpType(type);
    return string_overloads::FromAscend(type);
  }
  graphStatus GetOpType(AscendString& type) const;

  // Links. A name or an index that does not exist changes nothing; a link that is there is replaced.
  Operator& SetInput(const std::string& dst_name, const Operator& src_oprt) {
    return SetInput(dst_name.c_str(), src_oprt);
  }
  Operator& SetInput(const char_t* dst_name, const Operator& src_oprt);
  Operator& SetInput(const std::string& dst_name, const Operator& src_oprt, const std::string& name) {
    return SetInput(dst_name.c_str(), src_oprt, name.c_str());
  }
  Operator& SetInput(const char_t* dst_name, const Operator& src_oprt, const char_t* name);
  Operator& SetInput(const std::string& dst_name, const Operator& src_oprt, uint32_t index) {
    return SetInput(dst_name.c_str(), src_oprt, index);
  }
  Operator& SetInput(const char_t* dst_name, const Operator& src_oprt, uint32_t index);
  Operator& SetInput(uint32_t dst_index, const Operator& src_oprt, uint32_t src_index);
  Operator& AddControlInput(const Operator& src_oprt);
  // Takes all links of this operator away.
  void BreakConnect() const;

  // Ports. Reading a port that does not exist gives a default description.
  graphStatus GetInputConstData(const std::string& dst_name, Tensor& data) const {
    return GetInputConstData(dst_name.c_str(), data);
  }
  graphStatus GetInputConstData(const char_t* dst_name, Tensor& data) const;
  TensorDesc GetInputDesc(const std::string& name) const { return GetInputDescByName(name.c_str()); }
  TensorDesc GetInputDescByName(const char_t* name) const;
  TensorDesc GetInputDesc(uint32_t index) const;
  graphStatus TryGetInputDesc(const std::string& name, TensorDesc& tensor_desc) const {
    return TryGetInputDesc(name.c_str(), tensor_desc);
  }
  graphStatus TryGetInputDesc(const char_t* name, TensorDesc& tensor_desc) const;
  graphStatus UpdateInputDesc(const std::string& name, const TensorDesc& tensor_desc) {
    return UpdateInputDesc(name.c_str(), tensor_desc);
  }
  graphStatus UpdateInputDesc(const char_t* name, const TensorDesc& tensor_desc);
  TensorDesc GetOutputDesc(const std::string& name) const { return GetOutputDescByName(name.c_str()); }
  TensorDesc GetOutputDescByName(const char_t* name) const;
  TensorDesc GetOutputDesc(uint32_t index) const;
  graphStatus UpdateOutputDesc(const std::string& name, const TensorDesc& tensor_desc) {
    return UpdateOutputDesc(name.c_str(), tensor_desc);
  }
  graphStatus UpdateOutputDesc(const char_t* name, const TensorDesc& tensor_desc);
  size_t GetInputsSize() const;
  size_t GetOutputsSize() const;
  graphStatus UpdateInputDesc(const uint32_t index, const TensorDesc& tensor_desc);
  graphStatus UpdateOutputDesc(const uint32_t index, const TensorDesc& tensor_desc);

  // Instances of a port that was declared dynamic, counted from 0.
  int32_t GetDynamicOutputNum(const std::string& name) const { return GetDynamicOutputNum(name.c_str()); }
  int32_t GetDynamicOutputNum(const char_t* name) const;
  int32_t GetDynamicInputNum(const std::string& name) const { return GetDynamicInputNum(name.c_str()); }
  int32_t GetDynamicInputNum(const char_t* name) const;
  TensorDesc GetDynamicInputDesc(const std::string& name, uint32_t index) const {
    return GetDynamicInputDesc(name.c_str(), index);
  }
  TensorDesc GetDynamicInputDesc(const char_t* name, uint32_t index) const;
  graphStatus UpdateDynamicInputDesc(const std::string& name, uint32_t index, const TensorDesc& tensor_desc) {
    return UpdateDynamicInputDesc(name.c_str(), index, tensor_desc);
  }
  graphStatus UpdateDynamicInputDesc(const char_t* name, uint32_t index, const TensorDesc& tensor_desc);
  TensorDesc GetDynamicOutputDesc(const std::string& name, uint32_t index) const {
    return GetDynamicOutputDesc(name.c_str(), index);
  }
  TensorDesc GetDynamicOutputDesc(const char_t* name, uint32_t index) const;
  graphStatus UpdateDynamicOutputDesc(const std::string& name, uint32_t index,
                                      const TensorDesc& tensor_desc) {
    return UpdateDynamicOutputDesc(name.c_str(), index, tensor_desc);
  }
  graphStatus UpdateDynamicOutputDesc(const char_t* name, uint32_t index, const TensorDesc& tensor_desc);

  graphStatus InferShapeAndType();
  void SetInferenceContext(const InferenceContextPtr& inference_context);
  InferenceContextPtr GetInferenceContext() const;
  graphStatus VerifyAllAttr(bool disable_common_verifier = false);

  // Attributes. A value keeps the kind it was declared or first set with.
  const std::map<std::string, std::string> GetAllAttrNamesAndTypes() const {
    std::map<AscendString, AscendString> kinds;
    (void)GetAllAttrNamesAndTypes(kinds);
    std::map<std::string, std::string> texts;
    for (const auto& kind : kinds) {
      texts[string_overloads::FromAscend(kind.first)] = string_overloads::FromAscend(kind.second);
    }
    return texts;
  }
  graphStatus GetAllAttrNamesAndTypes(std::map<AscendString, AscendString>& attr_name_types) const;
  graphStatus GetAllIrAttrNamesAndTypes(std::map<AscendString, AscendString>& attr_name_types) const;

  Operator& SetAttr(const char_t* name, int64_t attr_value);
  Operator& SetAttr(const char_t* name, int32_t attr_value);
  Operator& SetAttr(const char_t* name, uint32_t attr_value);
  graphStatus GetAttr(const char_t* name, int64_t& attr_value) const;
  graphStatus GetAttr(const char_t* name, int32_t& attr_value) const;
  graphStatus GetAttr(const char_t* name, uint32_t& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<int64_t>& attr_value);
  Operator& SetAttr(const char_t* name, const std::vector<int32_t>& attr_value);
  Operator& SetAttr(const char_t* name, const std::vector<uint32_t>& attr_value);
  Operator& SetAttr(const char_t* name, std::initializer_list<int64_t>&& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<int64_t>& attr_value) const;
  graphStatus GetAttr(const char_t* name, std::vector<int32_t>& attr_value) const;
  graphStatus GetAttr(const char_t* name, std::vector<uint32_t>& attr_value) const;
  Operator& SetAttr(const char_t* name, float32_t attr_value);
  graphStatus GetAttr(const char_t* name, float32_t& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<float32_t>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<float32_t>& attr_value) const;
  Operator& SetAttr(const char_t* name, AttrValue&& attr_value);
  graphStatus GetAttr(const char_t* name, AttrValue& attr_value) const;
  Operator& SetAttr(const char_t* name, const char_t* attr_value);
  Operator& SetAttr(const char_t* name, const AscendString& attr_value);
  graphStatus GetAttr(const char_t* name, AscendString& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<AscendString>& attr_values);
  graphStatus GetAttr(const char_t* name, std::vector<AscendString>& attr_values) const;
  Operator& SetAttr(const char_t* name, bool attr_value);
  graphStatus GetAttr(const char_t* name, bool& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<bool>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<bool>& attr_value) const;
  Operator& SetAttr(const char_t* name, const Tensor& attr_value);
  graphStatus GetAttr(const char_t* name, Tensor& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<Tensor>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<Tensor>& attr_value) const;
  Operator& SetAttr(const char_t* name, const OpBytes& attr_value);
  graphStatus GetAttr(const char_t* name, OpBytes& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<std::vector<int64_t>>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<std::vector<int64_t>>& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<ge::DataType>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<ge::DataType>& attr_value) const;
  Operator& SetAttr(const char_t* name, const ge::DataType& attr_value);
  graphStatus GetAttr(const char_t* name, ge::DataType& attr_value) const;
  Operator& SetAttr(const char_t* name, const ge::NamedAttrs& attr_value);
  graphStatus GetAttr(const char_t* name, ge::NamedAttrs& attr_value) const;
  Operator& SetAttr(const char_t* name, const std::vector<ge::NamedAttrs>& attr_value);
  graphStatus GetAttr(const char_t* name, std::vector<ge::NamedAttrs>& attr_value) const;
  Operator& SetAttr(const char_t* name, const AttrValue& attr_value);

  Operator& SetAttr(const std::string& name, int64_t attr_value) { return SetAttr(name.c_str(), attr_value); }
  Operator& SetAttr(const std::string& name, int32_t attr_value) { return SetAttr(name.c_str(), attr_value); }
  Operator& SetAttr(const std::string& name, uint32_t attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, int64_t& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, int32_t& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, uint32_t& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<int64_t>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<int32_t>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<uint32_t>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, std::initializer_list<int64_t>&& attr_value) {
    return SetAttr(name.c_str(), std::move(attr_value));
  }
  graphStatus GetAttr(const std::string& name, std::vector<int64_t>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<int32_t>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<uint32_t>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, float32_t attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, float32_t& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<float32_t>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<float32_t>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, AttrValue&& attr_value) {
    return SetAttr(name.c_str(), std::move(attr_value));
  }
  graphStatus GetAttr(const std::string& name, AttrValue& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::string& attr_value) {
    return SetAttr(name.c_str(), string_overloads::ToAscend(attr_value));
  }
  graphStatus GetAttr(const std::string& name, std::string& attr_value) const {
    AscendString text;
    const graphStatus status = GetAttr(name.c_str(), text);
    if (status == GRAPH_SUCCESS) {
      string_overloads::FromAscend(text, attr_value);
    }
    return status;
  }
  Operator& SetAttr(const std::string& name, const std::vector<std::string>& attr_value) {
    return SetAttr(name.c_str(), string_overloads::ToAscend(attr_value));
  }
  graphStatus GetAttr(const std::string& name, std::vector<std::string>& attr_value) const {
    std::vector<AscendString> texts;
    const graphStatus status = GetAttr(name.c_str(), texts);
    if (status == GRAPH_SUCCESS) {
      string_overloads::FromAscend(texts, attr_value);
    }
    return status;
  }
  Operator& SetAttr(const std::string& name, bool attr_value) { return SetAttr(name.c_str(), attr_value); }
  graphStatus GetAttr(const std::string& name, bool& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<bool>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<bool>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const Tensor& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, Tensor& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<Tensor>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<Tensor>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const OpBytes& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, OpBytes& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<std::vector<int64_t>>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<std::vector<int64_t>>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<ge::DataType>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<ge::DataType>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const ge::DataType& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, ge::DataType& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const ge::NamedAttrs& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, ge::NamedAttrs& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }
  Operator& SetAttr(const std::string& name, const std::vector<ge::NamedAttrs>& attr_value) {
    return SetAttr(name.c_str(), attr_value);
  }
  graphStatus GetAttr(const std::string& name, std::vector<ge::NamedAttrs>& attr_value) const {
    return GetAttr(name.c_str(), attr_value);
  }

  // Attributes of a port, by its index or name.
  Operator& SetInputAttr(const int32_t index, const char_t* name, const char_t* attr_value);
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const char_t* attr_value);
  Operator& SetInputAttr(const int32_t index, const char_t* name, const AscendString& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, AscendString& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const AscendString& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, AscendString& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, int64_t attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, int64_t& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, int64_t attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, int64_t& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, int32_t attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, int32_t& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, int32_t attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, int32_t& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, uint32_t attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, uint32_t& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, uint32_t attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, uint32_t& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, bool attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, bool& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, bool attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, bool& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, float32_t attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, float32_t& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, float32_t attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, float32_t& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name,
                         const std::vector<AscendString>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name,
                           std::vector<AscendString>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name,
                         const std::vector<AscendString>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name,
                           std::vector<AscendString>& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, const std::vector<int64_t>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, std::vector<int64_t>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const std::vector<int64_t>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name,
                           std::vector<int64_t>& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, const std::vector<int32_t>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, std::vector<int32_t>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const std::vector<int32_t>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name,
                           std::vector<int32_t>& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, const std::vector<uint32_t>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, std::vector<uint32_t>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const std::vector<uint32_t>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name,
                           std::vector<uint32_t>& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, const std::vector<bool>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, std::vector<bool>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name, const std::vector<bool>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name, std::vector<bool>& attr_value) const;
  Operator& SetInputAttr(const int32_t index, const char_t* name, const std::vector<float32_t>& attr_value);
  graphStatus GetInputAttr(const int32_t index, const char_t* name, std::vector<float32_t>& attr_value) const;
  Operator& SetInputAttr(const char_t* dst_name, const char_t* name,
                         const std::vector<float32_t>& attr_value);
  graphStatus GetInputAttr(const char_t* dst_name, const char_t* name,
                           std::vector<float32_t>& attr_value) const;

  Operator& SetOutputAttr(const int32_t index, const char_t* name, const char_t* attr_value);
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, const char_t* attr_value);
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const AscendString& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, AscendString& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, const AscendString& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, AscendString& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, int64_t attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, int64_t& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, int64_t attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, int64_t& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, int32_t attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, int32_t& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, int32_t attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, int32_t& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, uint32_t attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, uint32_t& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, uint32_t attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, uint32_t& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, bool attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, bool& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, bool attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, bool& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, float32_t attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, float32_t& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, float32_t attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, float32_t& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name,
                          const std::vector<AscendString>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name,
                            std::vector<AscendString>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name,
                          const std::vector<AscendString>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name,
                            std::vector<AscendString>& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const std::vector<int64_t>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, std::vector<int64_t>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, const std::vector<int64_t>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name,
                            std::vector<int64_t>& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const std::vector<int32_t>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, std::vector<int32_t>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, const std::vector<int32_t>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name,
                            std::vector<int32_t>& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const std::vector<uint32_t>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, std::vector<uint32_t>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name,
                          const std::vector<uint32_t>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name,
                            std::vector<uint32_t>& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const std::vector<bool>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name, std::vector<bool>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name, const std::vector<bool>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name, std::vector<bool>& attr_value) const;
  Operator& SetOutputAttr(const int32_t index, const char_t* name, const std::vector<float32_t>& attr_value);
  graphStatus GetOutputAttr(const int32_t index, const char_t* name,
                            std::vector<float32_t>& attr_value) const;
  Operator& SetOutputAttr(const char_t* dst_name, const char_t* name,
                          const std::vector<float32_t>& attr_value);
  graphStatus GetOutputAttr(const char_t* dst_name, const char_t* name,
                            std::vector<float32_t>& attr_value) const;

  // Subgraphs, by the name they are declared with; instances of a list are counted from 0.
  size_t GetSubgraphNamesCount() const;
  std::vector<std::string> GetSubgraphNames() const {
    std::vector<AscendString> names;
    (void)GetSubgraphNames(names);
    std::vector<std::string> texts;
    string_overloads::FromAscend(names, texts);
    return texts;
  }
  graphStatus GetSubgraphNames(std::vector<AscendString>& names) const;
  SubgraphBuilder GetSubgraphBuilder(const std::string& name) const {
    return GetSubgraphBuilder(name.c_str());
  }
  SubgraphBuilder GetSubgraphBuilder(const char_t* name) const;
  Graph GetSubgraph(const std::string& name) const;
  Graph GetSubgraph(const char_t* name) const;
  SubgraphBuilder GetDynamicSubgraphBuilder(const std::string& name, uint32_t index) const {
    return GetDynamicSubgraphBuilder(name.c_str(), index);
  }
  SubgraphBuilder GetDynamicSubgraphBuilder(const char_t* name, uint32_t index) const;
  Graph GetDynamicSubgraph(const std::string& name, uint32_t index) const;
  Graph GetDynamicSubgraph(const char_t* name, uint32_t index) const;
  graphStatus SetSubgraphInstanceName(const uint32_t index, const char_t* name);

  void AttrRegister(const char_t* name, const AttrValue& attr_value);

 protected:
  // How a class of operators declares itself. What is declared already stays as it is.
  void AttrRegister(const std::string& name, float32_t attr_value) { AttrRegister(name.c_str(), attr_value); }
  void AttrRegister(const std::string& name, const std::vector<float32_t>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, int64_t attr_value) { AttrRegister(name.c_str(), attr_value); }
  void AttrRegister(const std::string& name, const std::vector<int64_t>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::string& attr_value) {
    AttrRegister(name.c_str(), string_overloads::ToAscend(attr_value));
  }
  void AttrRegister(const std::string& name, const std::vector<std::string>& attr_value) {
    AttrRegister(name.c_str(), string_overloads::ToAscend(attr_value));
  }
  void AttrRegister(const std::string& name, bool attr_value) { AttrRegister(name.c_str(), attr_value); }
  void AttrRegister(const std::string& name, const std::vector<bool>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const Tensor& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::vector<Tensor>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const OpBytes& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::vector<std::vector<int64_t>>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::vector<ge::DataType>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const ge::DataType& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const ge::NamedAttrs& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::vector<ge::NamedAttrs>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const AscendString& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const std::string& name, const std::vector<AscendString>& attr_value) {
    AttrRegister(name.c_str(), attr_value);
  }
  void AttrRegister(const char_t* name, float32_t attr_value);
  void AttrRegister(const char_t* name, const std::vector<float32_t>& attr_value);
  void AttrRegister(const char_t* name, int64_t attr_value);
  void AttrRegister(const char_t* name, const std::vector<int64_t>& attr_value);
  void AttrRegister(const char_t* name, const char_t* attr_value);
  void AttrRegister(const char_t* name, bool attr_value);
  void AttrRegister(const char_t* name, const std::vector<bool>& attr_value);
  void AttrRegister(const char_t* name, const Tensor& attr_value);
  void AttrRegister(const char_t* name, const std::vector<Tensor>& attr_value);
  void AttrRegister(const char_t* name, const OpBytes& attr_value);
  void AttrRegister(const char_t* name, const std::vector<std::vector<int64_t>>& attr_value);
  void AttrRegister(const char_t* name, const std::vector<ge::DataType>& attr_value);
  void AttrRegister(const char_t* name, const ge::DataType& attr_value);
  void AttrRegister(const char_t* name, const ge::NamedAttrs& attr_value);
  void AttrRegister(const char_t* name, const std::vector<ge::NamedAttrs>& attr_value);
  void AttrRegister(const char_t* name, const AscendString& attr_value);
  void AttrRegister(const char_t* name, const std::vector<AscendString>& attr_value);
  void RequiredAttrRegister(const std::string& name) { RequiredAttrRegister(name.c_str()); }
  void RequiredAttrRegister(const char_t* name);
  void RequiredAttrWithTypeRegister(const char_t* name, const char_t* type);

  void InputRegister(const std::string& name) { InputRegister(name.c_str()); }
  void InputRegister(const char_t* name);
  void InputRegister(const char_t* name, const char_t* datatype_symbol);
  void OptionalInputRegister(const std::string& name) { OptionalInputRegister(name.c_str()); }
  void OptionalInputRegister(const char_t* name);
  void OptionalInputRegister(const char_t* name, const char_t* datatype_symbol);
  void OutputRegister(const std::string& name) { OutputRegister(name.c_str()); }
  void OutputRegister(const char_t* name);
  void OutputRegister(const char_t* name, const char_t* datatype_symbol);
  void DynamicInputRegister(const std::string& name, const uint32_t num, bool is_push_back = true) {
    DynamicInputRegister(name.c_str(), num, is_push_back);
  }
  void DynamicInputRegister(const char_t* name, const uint32_t num, bool is_push_back = true);
  void DynamicInputRegister(const char_t* name, const uint32_t num, const char_t* datatype_symbol,
                            bool is_push_back = true);
  void DynamicInputRegisterByIndex(const std::string& name, const uint32_t num, size_t index) {
    DynamicInputRegisterByIndex(name.c_str(), num, index);
  }
  void DynamicInputRegisterByIndex(const char_t* name, const uint32_t num, size_t index);
  void DynamicOutputRegister(const std::string& name, const uint32_t num, bool is_push_back = true) {
    DynamicOutputRegister(name.c_str(), num, is_push_back);
  }
  void DynamicOutputRegister(const char_t* name, const uint32_t num, bool is_push_back = true);
  void DynamicOutputRegister(const char_t* name, const uint32_t num, const char_t* datatype_symbol,
                             bool is_push_back = true);

  void DataTypeRegister(const char_t* datatype_symbol, const TensorType& type_range);
  void DataTypeRegister(const char_t* datatype_symbol, const ListTensorType& list_type_range);
  void DataTypeRegister(const char_t* datatype_symbol, const Promote& promote_rule);

  void InferFuncRegister(const std::function<graphStatus(Operator&)>& func);
  void VerifierFuncRegister(const std::function<graphStatus(Operator&)>& func);
  void InferFormatFuncRegister(const std::function<graphStatus(Operator&)>& func);
  graphStatus VerifyAll();

  Operator& SetInput(const std::string& dst_name, uint32_t dst_index, const Operator& src_oprt) {
    return SetInput(dst_name.c_str(), dst_index, src_oprt);
  }
  Operator& SetInput(const char_t* dst_name, uint32_t dst_index, const Operator& src_oprt);
  Operator& SetInput(const std::string& dst_name, uint32_t dst_index, const Operator& src_oprt,
                     const std::string& name) {
    return SetInput(dst_name.c_str(), dst_index, src_oprt, name.c_str());
  }
  Operator& SetInput(const char_t* dst_name, uint32_t dst_index, const Operator& src_oprt,
                     const char_t* name);

  void SubgraphRegister(const std::string& ir_name, bool dynamic) {
    SubgraphRegister(ir_name.c_str(), dynamic);
  }
  void SubgraphRegister(const char_t* ir_name, bool dynamic);
  void SubgraphCountRegister(const std::string& ir_name, uint32_t count) {
    SubgraphCountRegister(ir_name.c_str(), count);
  }
  void SubgraphCountRegister(const char_t* ir_name, uint32_t count);
  void SetSubgraphBuilder(const std::string& ir_name, uint32_t index, const SubgraphBuilder& builder) {
    SetSubgraphBuilder(ir_name.c_str(), index, builder);
  }
  void SetSubgraphBuilder(const char_t* ir_name, uint32_t index, const SubgraphBuilder& builder);
  Graph GetSubgraphImpl(const std::string& name) const;
  Graph GetSubgraphImpl(const char_t* name) const;

  explicit Operator(OperatorImplPtr&& op_impl);

 private:
  friend class OperatorImpl;
  OperatorImplPtr impl_;
};

}  // namespace ge

// The functions that return a Graph need to know it.
#include "graph/graph.h"

namespace ge {

inline Graph Operator::GetSubgraph(const std::string& name) const {
  return GetSubgraph(name.c_str());
}

inline Graph Operator::GetDynamicSubgraph(const std::string& name, uint32_t index) const {
  return GetDynamicSubgraph(name.c_str(), index);
}

inline Graph Operator::GetSubgraphImpl(const std::string& name) const {
  return GetSubgraphImpl(name.c_str());
}

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_OPERATOR_H_
