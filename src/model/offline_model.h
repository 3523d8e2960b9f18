// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A network that was compiled ahead: made of a graph by atc and aclgrphBuildModel, kept in an .om file, run
// by aclmdlExecute. Immutable but for what it has compiled; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/executable.h"
#include "compiler/keep_nodes.h"
#include "model/description.h"
#include "model/om_file.h"

namespace foothold {

class OfflineModel {
 public:
  // Compiles the graph for all its gears, or for its one set of shapes, so that what cannot be compiled is
  // said now. Throws one Error that lists all nodes that cannot be.
  static std::shared_ptr<const OfflineModel> Build(const Graph& graph, const OptionMap& options);
  // Throws what is wrong with the file. Passes stand back for the nodes `keeps` names.
  static std::shared_ptr<const OfflineModel> Load(std::shared_ptr<const OmFile> file,
                                                  const NodePredicate& keeps = nullptr);

  // As an .om file.
  std::vector<std::byte> Bytes() const;
  void Save(const std::string& path) const;

  const ModelDescription& description() const { return description_; }
  // Null if it was not loaded.
  const OmFile* file() const { return file_.get(); }
  const Graph& graph() const { return executable_->graph(); }

  // Compiled for inputs of these types. Throws kModelInputNotMatch if the model does not take them.
  std::shared_ptr<const Plan> Prepare(const std::vector<TensorType>& inputs) const;

 private:
  OfflineModel() = default;
  class Builder;
  class Contents;

  ModelDescription description_;
  std::shared_ptr<const Graph> saved_;  // what goes into a file
  std::shared_ptr<const OmFile> file_;
  std::vector<TensorValue> packings_;  // held, so that what is compiled finds them
  std::shared_ptr<Executable> executable_;
};

}  // namespace foothold
