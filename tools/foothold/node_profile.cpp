// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/node_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace foothold::run {
namespace {

using Row = NodeProfile::Row;

constexpr std::size_t kNameWidth = 44;

std::vector<Row> SlowestFirst(const std::map<std::string, Row>& rows) {
  std::vector<Row> sorted;
  for (const auto& [key, row] : rows)
    sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Row& a, const Row& b) { return a.seconds > b.seconds; });
  return sorted;
}

// The end of a path says more than its start.
std::string Shortened(const std::string& name) {
  return name.size() <= kNameWidth ? name : "..." + name.substr(name.size() - kNameWidth + 3);
}

std::string Line(const Row& row, std::size_t runs, double all) {
  const auto per_run = [&](auto value) { return static_cast<double>(value) / static_cast<double>(runs); };
  return fmt::format("{:<22}{:<46}{:>9.1f}{:>11.4f}{:>8.1f} %\n", row.type, Shortened(row.name),
                     per_run(row.calls), per_run(row.seconds) * 1e3, all > 0 ? row.seconds / all * 100 : 0);
}

std::string Header(const char* name) {
  return fmt::format("{:<22}{:<46}{:>9}{:>11}{:>10}\n", "type", name, "calls/run", "ms/run", "share");
}

}  // namespace

void NodeProfile::OnNodeBegin(const NodeRun&) {
  std::lock_guard<std::mutex> lock(mutex_);
  open_[std::this_thread::get_id()].push_back({Clock::now()});
}

void NodeProfile::OnNodeEnd(const NodeRun& node) {
  const Clock::time_point end = Clock::now();
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<Open>& open = open_[std::this_thread::get_id()];
  if (open.empty()) return;  // it began before anybody watched
  const Open ended = open.back();
  open.pop_back();
  if (!open.empty()) open.back().inner += end - ended.start;
  Row& row = nodes_[node.graph + "/" + node.name];
  row.name = node.name;
  row.type = node.type;
  ++row.calls;
  row.seconds += std::chrono::duration<double>(end - ended.start - ended.inner).count();
}

std::vector<Row> NodeProfile::Nodes() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return SlowestFirst(nodes_);
}

std::vector<Row> NodeProfile::Types() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::map<std::string, Row> types;
  for (const auto& [key, node] : nodes_) {
    Row& row = types[node.type];
    row.type = node.type;
    row.calls += node.calls;
    row.seconds += node.seconds;
  }
  return SlowestFirst(types);
}

std::string NodeProfile::Text(std::size_t runs, double seconds, std::size_t rows) const {
  const std::vector<Row> nodes = Nodes();
  const double all = std::accumulate(nodes.begin(), nodes.end(), 0.0,
                                     [](double sum, const Row& row) { return sum + row.seconds; });
  std::string text = Header("");
  for (const Row& row : Types())
    text += Line(row, runs, all);
  text += "\n" + Header("node");
  for (std::size_t i = 0; i < std::min(rows, nodes.size()); ++i)
    text += Line(nodes[i], runs, all);
  if (nodes.size() > rows)
    text += fmt::format("{} more nodes; --profile-rows shows them\n", nodes.size() - rows);
  const double per_run = 1e3 / static_cast<double>(runs);
  return text + fmt::format("{:.3f} ms/run in {} nodes, {:.3f} ms/run outside of them\n", all * per_run,
                            nodes.size(), std::max(seconds - all, 0.0) * per_run);
}

}  // namespace foothold::run
