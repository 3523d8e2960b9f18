// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph: a handle, so copies stand for the same graph. It takes the operators that hang together with those
// it is told of, in both directions. A graph that was default-constructed is not valid until something is
// loaded or parsed into it. One thread at a time may use a graph and its operators.
#ifndef FOOTHOLD_GRAPH_GRAPH_H_
#define FOOTHOLD_GRAPH_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/attr_value.h"
#include "graph/ge_error_codes.h"
#include "graph/gnode.h"
#include "graph/graph_buffer.h"
#include "graph/string_overloads.h"
#include "graph/types.h"

namespace ge {

class Graph;
class Operator;
class GE_FUNC_HOST_VISIBILITY GraphImpl;
using GraphImplPtr  = std::shared_ptr<GraphImpl>;
using GraphPtr      = std::shared_ptr<Graph>;
using ConstGraphPtr = std::shared_ptr<const Graph>;

class GE_FUNC_HOST_VISIBILITY Graph {
 public:
  enum class DumpFormat : uint32_t {
    kOnnx     = 0,
    kTxt      = 1,
    kReadable = 2,
  };

  explicit Graph(const std::string& name) : Graph(name.c_str()) {}
  explicit Graph(const char_t* name);
  Graph()  = default;
  ~Graph() = default;
  static GraphPtr ConstructFromInputs(const std::vector<Operator>& inputs, const AscendString& name);

  // Inputs in the order of their data. Takes in every operator that is linked with one of them.
  Graph& SetInputs(const std::vector<Operator>& inputs);
  // Called after SetInputs; replaces what was set before. Without ports, or with an empty list of them, an
  // operator gives all its outputs; one that has none is run all the same.
  Graph& SetOutputs(const std::vector<Operator>& outputs);
  Graph& SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>>& output_indexs);
  Graph& SetOutputs(const std::vector<std::pair<ge::Operator, std::string>>& outputs);
  Graph& SetOutputs(const std::vector<std::pair<ge::Operator, AscendString>>& outputs);
  graphStatus SetOutputs(const std::vector<std::pair<GNode, int32_t>>& outputs);
  // Run, but not given back.
  Graph& SetTargets(const std::vector<Operator>& targets);
  bool IsValid() const;
  graphStatus SetValid();

  // Good for the rest of the process.
  const std::string& GetName() const {
    AscendString name;
    (void)GetName(name);
    return string_overloads::Keep(string_overloads::FromAscend(name));
  }
  graphStatus GetName(AscendString& name) const;
  void SetNeedIteration(bool need_iteration);

  // Operators.
  graphStatus AddOp(const ge::Operator& op);
  graphStatus FindOpByName(const std::string& name, ge::Operator& op) const {
    return FindOpByName(name.c_str(), op);
  }
  graphStatus FindOpByName(const char_t* name, ge::Operator& op) const;
  graphStatus FindOpByType(const std::string& type, std::vector<ge::Operator>& ops) const {
    return FindOpByType(type.c_str(), ops);
  }
  graphStatus FindOpByType(const char_t* type, std::vector<ge::Operator>& ops) const;
  graphStatus GetAllOpName(std::vector<std::string>& op_name) const {
    std::vector<AscendString> texts;
    const graphStatus status = GetAllOpName(texts);
    if (status == GRAPH_SUCCESS) {
      string_overloads::FromAscend(texts, op_name);
    }
    return status;
  }
  graphStatus GetAllOpName(std::vector<AscendString>& names) const;

  // Nodes: those of this graph (GetDirectNode), or with those of all subgraphs (GetAllNodes), producers
  // first.
  std::vector<GNode> GetAllNodes() const;
  std::vector<GNode> GetDirectNode() const;
  graphStatus RemoveNode(GNode& node);
  graphStatus RemoveNode(GNode& node, bool contain_subgraph);
  GNode AddNodeByOp(const Operator& op);
  GNodePtr FindNodeByName(const AscendString& node_name) const;
  // An input that has a source already is refused. A control edge is removed with two ports of -1.
  graphStatus RemoveEdge(GNode& src_node, const int32_t src_port_index, GNode& dst_node,
                         const int32_t dst_port_index);
  graphStatus AddDataEdge(GNode& src_node, const int32_t src_port_index, GNode& dst_node,
                          const int32_t dst_port_index);
  graphStatus AddControlEdge(GNode& src_node, GNode& dst_node);

  // A deep copy of all but the name.
  graphStatus CopyFrom(const Graph& src_graph);

  graphStatus SetAttr(const AscendString& name, const AttrValue& attr_value);
  graphStatus GetAttr(const AscendString& name, AttrValue& attr_value) const;

  std::vector<GraphPtr> GetAllSubgraphs() const;
  GraphPtr GetSubGraph(const char* name) const;
  graphStatus AddSubGraph(const Graph& subgraph);
  graphStatus RemoveSubgraph(const char* name);
  ConstGraphPtr GetParentGraph() const;
  GNodePtr GetParentNode() const;

  graphStatus SaveToFile(const std::string& file_name) const { return SaveToFile(file_name.c_str()); }
  graphStatus SaveToFile(const char_t* file_name) const;
  graphStatus LoadFromFile(const std::string& file_name) { return LoadFromFile(file_name.c_str()); }
  graphStatus LoadFromFile(const char_t* file_name);
  graphStatus LoadFromSerializedModelArray(const void* serialized_model, size_t size);
  graphStatus SaveToMem(GraphBuffer& graph_buffer) const;
  graphStatus LoadFromMem(const GraphBuffer& graph_buffer);
  graphStatus LoadFromMem(const uint8_t* data, const size_t len);

  // Text for people; weights are left out. DumpToFile writes into the current directory.
  graphStatus Dump(DumpFormat format, std::ostream& o_stream) const;
  graphStatus DumpToFile(DumpFormat format, const AscendString& suffix) const;

 private:
  friend class GraphImpl;
  GraphImplPtr impl_;
};

}  // namespace ge

// The vectors of operators above need to know them.
#include "graph/operator.h"

namespace ge {

inline Graph& Graph::SetOutputs(const std::vector<std::pair<ge::Operator, std::string>>& outputs) {
  std::vector<std::pair<ge::Operator, AscendString>> converted;
  for (const auto& output : outputs) {
    converted.emplace_back(output.first, string_overloads::ToAscend(output.second));
  }
  return SetOutputs(converted);
}

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_GRAPH_H_
