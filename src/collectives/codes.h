// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Error numbers of collectives: results of HCCL calls (small numbers of their own) and of tasks, held equal
// to the headers by api/codes/hccl_codes_check.cpp; and the codes in front of their texts.
#pragma once

#include "base/error_codes.h"

namespace foothold {

constexpr auto kHcclPara = static_cast<Code>(1);
constexpr auto kHcclNullPointer = static_cast<Code>(2);
constexpr auto kHcclMemory = static_cast<Code>(3);
constexpr auto kHcclInternal = static_cast<Code>(4);
constexpr auto kHcclNotSupport = static_cast<Code>(5);
constexpr auto kHcclNotFound = static_cast<Code>(6);
constexpr auto kHcclUnavailable = static_cast<Code>(7);
constexpr auto kHcclSystemCall = static_cast<Code>(8);
constexpr auto kHcclTimeout = static_cast<Code>(9);
constexpr auto kHcclOpenFile = static_cast<Code>(10);
constexpr auto kHcclTcpConnect = static_cast<Code>(11);
constexpr auto kHcclRuntime = static_cast<Code>(15);
constexpr auto kHcclAgain = static_cast<Code>(20);
constexpr auto kHcclRemote = static_cast<Code>(21);
constexpr auto kHcclSuspending = static_cast<Code>(22);
constexpr int kLastHcclCode = 24;

// A task of a collective whose other ranks are gone.
constexpr auto kRtSuspectRemote = static_cast<Code>(507057);

inline constexpr const char* kTextHcclEnvironment = "EI0001";
inline constexpr const char* kTextHcclTaskTimeout = "EI0002";
inline constexpr const char* kTextHcclArgument = "EI0003";
inline constexpr const char* kTextHcclRankTable = "EI0004";
inline constexpr const char* kTextHcclMismatch = "EI0005";
inline constexpr const char* kTextHcclSocketTimeout = "EI0006";
inline constexpr const char* kTextHcclMemory = "EI0011";
inline constexpr const char* kTextHcclRankTableValue = "EI0014";
inline constexpr const char* kTextHcclMissingRanks = "EI0015";
inline constexpr const char* kTextHcclConfig = "EI0016";
inline constexpr const char* kTextHcclAddressInUse = "EI0019";

}  // namespace foothold
