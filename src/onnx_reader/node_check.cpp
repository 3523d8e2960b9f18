// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/node_check.h"

#include <onnx/checker.h>

#include "base/error.h"

namespace foothold::onnx {
namespace {

namespace pb = ::onnx;

std::string Named(const pb::NodeProto& node) {
  return fmt::format("node '{}' ({})", node.name(), node.op_type());
}

// The node with graphs that have nothing in them, which the library accepts.
pb::NodeProto WithoutGraphs(const pb::NodeProto& node) {
  pb::NodeProto bare;
  bare.set_name(node.name());
  bare.set_op_type(node.op_type());
  bare.set_domain(node.domain());
  *bare.mutable_input() = node.input();
  *bare.mutable_output() = node.output();
  for (const pb::AttributeProto& attribute : node.attribute()) {
    pb::AttributeProto& copy = *bare.add_attribute();
    if (!attribute.has_g() && attribute.graphs_size() == 0) {
      copy = attribute;
      continue;
    }
    copy.set_name(attribute.name());
    copy.set_type(attribute.type());
    if (attribute.has_g()) copy.mutable_g()->set_name("inner");
    for (int i = 0; i < attribute.graphs_size(); ++i)
      copy.add_graphs()->set_name("inner");
  }
  return bare;
}

bool HasGraphs(const pb::NodeProto& node) {
  for (const pb::AttributeProto& attribute : node.attribute())
    if (attribute.has_g() || attribute.graphs_size() > 0) return true;
  return false;
}

const pb::AttributeProto* FindAttribute(const pb::NodeProto& node, const std::string& name) {
  for (const pb::AttributeProto& attribute : node.attribute())
    if (attribute.name() == name) return &attribute;
  return nullptr;
}

// The library counts on these without looking.
void CheckScan(const pb::NodeProto& node) {
  const pb::AttributeProto* scanned = FindAttribute(node, "num_scan_inputs");
  if (scanned == nullptr || scanned->i() < 1 || scanned->i() > node.input_size())
    Fail(kParseFile, "{} has {} inputs and scans {} of them", Named(node), node.input_size(),
         scanned == nullptr ? 0 : scanned->i());
}

// Checks any number of nodes that were written for one version of the standard.
class NodeChecker {
 public:
  explicit NodeChecker(const Opsets& opsets) {
    const auto version = opsets.find("");
    if (version != opsets.end()) version_ = version->second;
    context_.set_ir_version(pb::Version::IR_VERSION);
    context_.set_opset_imports(opsets);
  }

  void Check(const pb::NodeProto& node) const {
    if (!DomainOf(node.domain()).empty() || version_ == 0 || version_ > NewestKnownOpset()) return;
    if (pb::OpSchemaRegistry::Schema(node.op_type(), version_, "") == nullptr) return;
    try {
      pb::checker::check_node(HasGraphs(node) ? WithoutGraphs(node) : node, context_, scope_);
    } catch (const std::exception& error) {
      Fail(kParseFile, "{} does not follow the ONNX standard: {}", Named(node), error.what());
    }
    if (node.op_type() == "Scan") CheckScan(node);
  }

  template <typename Nodes>
  void CheckAll(const Nodes& nodes) const {
    for (const pb::NodeProto& node : nodes) {
      Check(node);
      for (const pb::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) CheckAll(attribute.g().node());
        for (const pb::GraphProto& graph : attribute.graphs())
          CheckAll(graph.node());
      }
    }
  }

 private:
  int version_ = 0;  // of the standard; 0: the model does not import it
  pb::checker::CheckerContext context_;
  pb::checker::LexicalScopeContext scope_;
};

}  // namespace

std::string_view NameOfDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

std::string DomainOf(const std::string& domain) {
  return std::string(NameOfDomain(domain));
}

Opsets OpsetsOf(const pb::ModelProto& model) {
  Opsets opsets;
  for (const auto& import : model.opset_import()) {
    const bool first = opsets.emplace(DomainOf(import.domain()), static_cast<int>(import.version())).second;
    if (!first)
      throw Error(kParseFile, fmt::format("the model imports domain '{}' twice", import.domain()), "E16005");
    if (import.version() < 1 || import.version() > 1000)
      Fail(kParseFile, "the model imports version {} of domain '{}'", import.version(), import.domain());
  }
  if (opsets.empty()) opsets.emplace("", 1);  // before IR version 3 there was nothing to import
  return opsets;
}

void CheckNode(const pb::NodeProto& node, const Opsets& opsets) {
  NodeChecker(opsets).Check(node);
}

void CheckNodes(const pb::ModelProto& model) {
  const Opsets opsets = OpsetsOf(model);
  NodeChecker(opsets).CheckAll(model.graph().node());
  for (const pb::FunctionProto& function : model.functions()) {
    Opsets own = opsets;
    for (const auto& import : function.opset_import())
      own[DomainOf(import.domain())] = static_cast<int>(import.version());
    NodeChecker(own).CheckAll(function.node());
  }
}

}  // namespace foothold::onnx
