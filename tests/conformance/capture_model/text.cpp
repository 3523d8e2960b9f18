// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <sstream>

#include "conformance/capture_model/program.h"

namespace capture_model {
namespace {

const char* NameOf(Kind kind) {
  static const char* const names[] = {"copy",   "fill",   "reduce",        "add",        "mul",
                                      "max",    "scalar", "value",         "function",   "event",
                                      "notify", "group",  "set condition", "count down", "write condition",
                                      "if",     "while",  "switch",        "instance"};
  return names[static_cast<int>(kind)];
}

void Write(const std::vector<Step>& steps, int depth, std::ostream& out) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const Step& step : steps) {
    out << indent << "stream " << step.stream << ": " << NameOf(step.kind);
    if (step.kind == Kind::kEvent || step.kind == Kind::kNotify) out << " from stream " << step.from;
    out << " id " << step.id << " out " << step.out << " a " << step.a << " b " << step.b << " value "
        << step.value << " at " << step.first << "+" << step.count << (step.late ? " late" : "") << "\n";
    for (const auto& variant : step.variants) {
      out << indent << " variant\n";
      Write(variant, depth + 1, out);
    }
    for (const Body& child : step.children) {
      out << indent << " child\n";
      Write(child.steps, depth + 1, out);
    }
  }
}

}  // namespace

std::string Text(const Program& program) {
  std::ostringstream out;
  out << "seed " << program.seed << ", mode " << program.mode << ", " << program.elements << " elements\n";
  for (std::size_t i = 0; i < program.conditions.size(); ++i)
    out << "condition " << i << ": default " << program.conditions[i].value
        << (program.conditions[i].assign ? ", assigned" : ", kept") << "\n";
  Write(program.body.steps, 0, out);
  for (const Run& run : program.runs) {
    out << "run " << run.times << " times, variants";
    for (const int variant : run.variants)
      out << " " << variant;
    out << ", cells";
    for (const std::uint64_t cell : run.cells)
      out << " " << cell;
    out << "\n";
  }
  return out.str();
}

}  // namespace capture_model
