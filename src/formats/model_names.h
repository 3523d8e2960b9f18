// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attributes in which a saved graph keeps what its messages have no field for. The first four are what other
// programs write too.
#pragma once

namespace foothold::model_names {

inline constexpr const char* kInputNames = "_input_name_key";
inline constexpr const char* kInputIndexes = "_input_name_value";
inline constexpr const char* kOutputNames = "_output_name_key";
inline constexpr const char* kOutputIndexes = "_output_name_value";

inline constexpr const char* kInputGroups = "_foothold_input_group";
inline constexpr const char* kInputKinds = "_foothold_input_kind";
inline constexpr const char* kOutputGroups = "_foothold_output_group";
inline constexpr const char* kOutputKinds = "_foothold_output_kind";
inline constexpr const char* kSubgraphNames = "_foothold_subgraph_name";
inline constexpr const char* kSubgraphGroups = "_foothold_subgraph_group";
inline constexpr const char* kGraphName = "_foothold_graph_name";
inline constexpr const char* kTargets = "_foothold_targets";
inline constexpr const char* kNeedIteration = "_foothold_need_iteration";

}  // namespace foothold::model_names
