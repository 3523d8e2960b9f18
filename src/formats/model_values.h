// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values of graphs as the messages of a saved graph, and back. Reading throws kInvalidParam for what does not
// fit. Used by the graph writer and reader. Any thread.
#pragma once

#include <functional>
#include <memory>

#include "formats/graph_model.h"
#include "formats/graph_model.pb.h"
#include "ir/attribute.h"
#include "ir/node.h"

namespace foothold {

using AttributeMap = google::protobuf::Map<std::string, model::AttrDef>;

// How a graph inside an attribute is written and read.
using WriteGraph = std::function<void(const Graph& graph, model::GraphDef& to)>;
using ReadGraph = std::function<std::shared_ptr<Graph>(const model::GraphDef& from)>;

struct ValueWriter {
  WriteGraph write_graph;
  bool with_data = true;  // the bytes of tensors
  PutWeight put_weight;   // may be empty

  void Write(const Attribute& value, model::AttrDef& to) const;
  void Write(const Attributes& values, AttributeMap& to) const;
  void Write(const TensorType& type, model::TensorDescriptor& to) const;
  void Write(const PortDesc& desc, model::TensorDescriptor& to) const;
  void Write(const TensorValue& value, model::TensorDef& to) const;
};

struct ValueReader {
  ReadGraph read_graph;
  GetWeight get_weight;  // empty: the model has all bytes itself

  Attribute Read(const model::AttrDef& from) const;
  Attributes Read(const AttributeMap& from) const;
  TensorType ReadType(const model::TensorDescriptor& from) const;
  PortDesc ReadDesc(const model::TensorDescriptor& from) const;
  TensorValue Read(const model::TensorDef& from) const;
};

}  // namespace foothold
