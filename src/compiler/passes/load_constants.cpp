// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/load_constants.h"

#include <filesystem>

#include "base/data_file.h"
#include "base/error.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

DataType TypeAttribute(const Node& node, std::string_view name) {
  const Attribute* attribute = node.FindAttribute(name);
  const auto* type = attribute == nullptr ? nullptr : std::get_if<DataType>(attribute);
  if (type == nullptr) Fail(kInvalidParam, "{} has no data type in attribute '{}'", node.Description(), name);
  return *type;
}

// A path of a file is seen from the folder of that file; where it is not there, from the working directory,
// as paths of the program are. Either way it stays below that folder or the one the program names for
// weights.
DataFile OpenOfFile(const std::string& folder, const std::string& path, const std::string& weight_folder) {
  DataFile file = DataFile::OpenBelow(folder, path);
  if (file.problem().empty()) return file;
  std::error_code error;
  DataFile from_here = DataFile::OpenBelow(folder, std::filesystem::absolute(path, error).string());
  if (from_here.problem().empty()) return from_here;
  if (weight_folder.empty()) return file;
  return DataFile::OpenBelow(weight_folder, path);
}

DataFile OpenFile(const Node& node, const std::string& path, const std::string& weight_folder) {
  DataFile file =
      node.file_folder ? OpenOfFile(*node.file_folder, path, weight_folder) : DataFile::Open(path);
  if (!file.problem().empty())
    Fail(kInvalidParam, "{}: file '{}' {}{}", node.Description(), path, file.problem(),
         node.file_folder
             ? fmt::format(" (seen from '{}'; the option ge.externalWeightDir names another folder)",
                           *node.file_folder)
             : "");
  return file;
}

TensorValue ReadFile(const Node& node, const std::string& weight_folder) {
  const std::string path = node.Text("file_path", "");
  if (path.empty())
    Fail(kInvalidParam, "{}: attribute file_path is empty; a file_id alone names no file",
         node.Description());
  const TensorType type{TypeAttribute(node, "dtype"), Format::kNd, node.Ints("shape")};
  const std::size_t bytes = ByteSize(type);
  const std::int64_t offset = node.Int("offset", 0);
  const DataFile file = OpenFile(node, path, weight_folder);
  if (offset < 0 || !file.Has(static_cast<std::uint64_t>(offset), bytes))
    Fail(kInvalidParam, "{}: file '{}' has {} bytes, too few for the {} of {} at {}", node.Description(),
         path, file.size(), bytes, ToString(type), offset);
  TensorValue value(type);
  if (!file.Read(static_cast<std::uint64_t>(offset), value.MutableAs<std::byte>(), bytes))
    Fail(kInvalidParam, "{}: file '{}' was changed while it was read", node.Description(), path);
  return value;
}

TensorValue AtAddress(const Node& node, const ConstantSources& sources) {
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
  if (sources.find_memory)
    address = const_cast<std::byte*>(
        sources.find_memory(address, bytes, fmt::format("the value of {}", node.Description())));
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

bool LoadConstants(Graph& graph, const ConstantSources& sources) {
  bool any = false;
  for (Node* node : TypeWalk(graph.nodes())) {
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph && LoadConstants(*subgraph.graph, sources)) any = true;
    if (!IsLoaded(*node)) continue;
    MakeConst(*node, node->type() == "FileConstant" ? ReadFile(*node, sources.weight_folder)
                                                    : AtAddress(*node, sources));
    any = true;
  }
  return any;
}

}  // namespace foothold
