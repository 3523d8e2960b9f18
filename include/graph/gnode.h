// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A node of a graph: a handle, so copies stand for the same node. A node that has been removed from its graph
// can still be asked. A GNode that was default-constructed stands for none, and everything asked of it fails.
#ifndef FOOTHOLD_GRAPH_GNODE_H_
#define FOOTHOLD_GRAPH_GNODE_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/attr_value.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace ge {

class Graph;
class GNode;
class GE_FUNC_HOST_VISIBILITY NodeImpl;
using GNodePtr = std::shared_ptr<GNode>;
using GraphPtr = std::shared_ptr<Graph>;
using OpBytes  = std::vector<uint8_t>;

class GE_FUNC_HOST_VISIBILITY GNode {
 public:
  GNode();
  ~GNode() = default;

  graphStatus GetType(AscendString& type) const;
  graphStatus GetName(AscendString& name) const;
  std::pair<GNodePtr, int32_t> GetInDataNodesAndPortIndexs(const int32_t index) const;
  std::vector<GNodePtr> GetInControlNodes() const;
  std::vector<std::pair<GNodePtr, int32_t>> GetOutDataNodesAndPortIndexs(const int32_t index) const;
  std::vector<GNodePtr> GetOutControlNodes() const;
  graphStatus GetInputConstData(const int32_t index, Tensor& data) const;
  graphStatus GetInputIndexByName(const AscendString& name, int32_t& index);
  graphStatus GetOutputIndexByName(const AscendString& name, int32_t& index);
  size_t GetInputsSize() const;
  size_t GetOutputsSize() const;
  graphStatus GetInputDesc(const int32_t index, TensorDesc& tensor_desc) const;
  graphStatus UpdateInputDesc(const int32_t index, const TensorDesc& tensor_desc);
  graphStatus GetOutputDesc(const int32_t index, TensorDesc& tensor_desc) const;
  graphStatus UpdateOutputDesc(const int32_t index, const TensorDesc& tensor_desc);
  graphStatus GetAttr(const AscendString& name, int64_t& attr_value) const;
  graphStatus GetAttr(const AscendString& name, int32_t& attr_value) const;
  graphStatus GetAttr(const AscendString& name, uint32_t& attr_value) const;
  graphStatus GetAttr(const AscendString& name, float32_t& attr_value) const;
  graphStatus GetAttr(const AscendString& name, AscendString& attr_value) const;
  graphStatus GetAttr(const AscendString& name, bool& attr_value) const;
  graphStatus GetAttr(const AscendString& name, Tensor& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<int64_t>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<int32_t>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<uint32_t>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<float32_t>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<AscendString>& attr_values) const;
  graphStatus GetAttr(const AscendString& name, std::vector<bool>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<Tensor>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, OpBytes& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<std::vector<int64_t>>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, std::vector<ge::DataType>& attr_value) const;
  graphStatus GetAttr(const AscendString& name, ge::DataType& attr_value) const;
  graphStatus GetAttr(const AscendString& name, AttrValue& attr_value) const;
  graphStatus SetAttr(const AscendString& name, int64_t& attr_value) const;
  graphStatus SetAttr(const AscendString& name, int32_t& attr_value) const;
  graphStatus SetAttr(const AscendString& name, uint32_t& attr_value) const;
  graphStatus SetAttr(const AscendString& name, float32_t& attr_value) const;
  graphStatus SetAttr(const AscendString& name, AscendString& attr_value) const;
  graphStatus SetAttr(const AscendString& name, bool& attr_value) const;
  graphStatus SetAttr(const AscendString& name, Tensor& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<int64_t>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<int32_t>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<uint32_t>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<float32_t>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<AscendString>& attr_values) const;
  graphStatus SetAttr(const AscendString& name, std::vector<bool>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<Tensor>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, OpBytes& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<std::vector<int64_t>>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, std::vector<ge::DataType>& attr_value) const;
  graphStatus SetAttr(const AscendString& name, ge::DataType& attr_value) const;
  graphStatus SetAttr(const AscendString& name, AttrValue& attr_value) const;
  bool HasAttr(const AscendString& name);
  graphStatus GetSubgraph(uint32_t index, GraphPtr& graph) const;
  graphStatus GetALLSubgraphs(std::vector<GraphPtr>& graph_list) const;
  graphStatus GetDynamicInputIndexesByName(const AscendString& name, std::vector<int32_t>& indexes);
  graphStatus GetDynamicOutputIndexesByName(const AscendString& name, std::vector<int32_t>& indexes);
  graphStatus GetOutputAttr(const AscendString& name, uint32_t output_index, AttrValue& attr_value) const;
  graphStatus SetOutputAttr(const AscendString& name, uint32_t output_index, const AttrValue& attr_value);
  graphStatus GetInputAttr(const AscendString& name, uint32_t input_index, AttrValue& attr_value) const;
  graphStatus SetInputAttr(const AscendString& name, uint32_t input_index, const AttrValue& attr_value);
  graphStatus SetSubgraph(const AscendString& subgraph_ir_name, const Graph& subgraph);
  graphStatus SetSubgraphs(const AscendString& subgraph_ir_name, const std::vector<Graph>& subgraphs);

 private:
  friend class NodeImpl;
  std::shared_ptr<NodeImpl> impl_;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_GNODE_H_
