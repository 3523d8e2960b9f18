// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Each runs one collective on all ranks and compares what all of them have afterwards with values that were
// computed here. With `in_place` the memory to send from is, or is a part of, the memory to receive in.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "conformance/hccl/elements.h"
#include "conformance/hccl/ranks.h"

void AllReduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
               bool in_place);
void Reduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
            bool in_place);
void ReduceScatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
                   bool in_place);
void ReduceScatterV(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation);
void Broadcast(const Ranks& ranks, const ElementType& type, std::uint64_t count);
void Scatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place);
void AllGather(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place);
void AllGatherV(const Ranks& ranks, const ElementType& type, std::uint64_t count);
void AllToAll(const Ranks& ranks, const ElementType& type, std::uint64_t count);
void AllToAllV(const Ranks& ranks, const ElementType& type, std::uint64_t count);
void AllToAllVC(const Ranks& ranks, const ElementType& type, std::uint64_t count);
// A ring: everybody sends to the next, as one batch.
void Messages(const Ranks& ranks, const ElementType& type, std::uint64_t count);
// Everybody hands on to the next what rank 0 has.
void Chain(const Ranks& ranks, const ElementType& type, std::uint64_t count);

// All of them, with all operations, in place and not.
void RunEveryCollective(const Ranks& ranks, const ElementType& type, std::uint64_t count);
