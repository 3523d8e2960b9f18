// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/load_constants.h"

#include <cstring>
#include <fstream>

#include "base/error.h"

namespace foothold {
namespace {

DataType TypeAttribute(const Node& node, std::string_view name) {
  const Attribute* attribute = node.FindAttribute(name);
  const auto* type = attribute == nullptr ? nullptr : std::get_if<DataType>(attribute);
  if (type == nullptr) Fail(kInvalidParam, "{} has no data type in attribute '{}'", node.Description(), name);
  return *type;
}

TensorValue ReadFile(const Node& node) {
  const std::string path = node.Text("file_path", "");
  if (path.empty())
    Fail(kInvalidParam, "{}: attribute file_path is empty; a file_id alone names no file",
         node.Description());
  TensorValue value(TensorType{TypeAttribute(node, "dtype"), Format::kNd, node.Ints("shape")});
  std::ifstream file(path, std::ios::binary);
  file.seekg(node.Int("offset", 0));
  file.read(value.MutableAs<char>(), static_cast<std::streamsize>(value.size()));
  if (!file || file.gcount() != static_cast<std::streamsize>(value.size()))
    Fail(kInvalidParam, "{}: file '{}' does not have the {} bytes of {}", node.Description(), path,
         value.size(), ToString(value.type()));
  return value;
}

TensorValue AtAddress(const Node& node) {
  if (node.file_folder)
    Fail(kInvalidParam,
         "{}: the address of its value comes from a file, which cannot know where this program has its "
         "memory; set the attribute addr after loading the graph, or use a Const or a FileConstant",
         node.Description());
  TensorType type{TypeAttribute(node, "dtype"), static_cast<Format>(node.Int("origin_format", 2)),
                  node.Ints("origin_shape")};
  const std::size_t bytes = ByteSize(type);
  auto* address = reinterpret_cast<std::byte*>(node.Int("addr", 0));
  if (address == nullptr || node.Int("size", 0) < static_cast<std::int64_t>(bytes))
    Fail(kInvalidParam, "{}: {} bytes at address {} cannot be {}", node.Description(), node.Int("size", 0),
         static_cast<void*>(address), ToString(type));
  return TensorValue(std::move(type), SharedBytes(address, [](std::byte*) {}), bytes);
}

void MakeConst(Node& node, TensorValue value) {
  static_cast<TensorType&>(node.outputs().at(0).desc) = value.type();
  node.attributes.clear();
  node.attributes["value"] = std::move(value);
  node.set_type("Const");
}

}  // namespace

bool IsLoaded(const Node& node) {
  return node.type() == "FileConstant" || node.type() == "ConstPlaceHolder";
}

bool LoadConstants(Graph& graph) {
  bool any = false;
  for (Node* node : graph.nodes()) {
    if (!IsLoaded(*node)) continue;
    MakeConst(*node, node->type() == "FileConstant" ? ReadFile(*node) : AtAddress(*node));
    any = true;
  }
  return any;
}

}  // namespace foothold
