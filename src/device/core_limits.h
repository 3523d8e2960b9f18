// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How many cores work may use: a stream's limit if the thread chose that stream, else the device's, else all.
// Any thread.
#pragma once

#include <cstdint>

namespace foothold {

class Device;
class Stream;
struct StreamRef;

enum class CoreKind { kCube = 0, kVector = 1 };

std::uint32_t DeviceCores(const Device& device, CoreKind kind);

// A limit of 0 or above what the device has is refused with 107000, here and below.
void SetDeviceCores(Device& device, CoreKind kind, std::uint32_t cores);
void ResetDeviceCores(Device& device);

void SetStreamCores(Stream& stream, CoreKind kind, std::uint32_t cores);
void ResetStreamCores(Stream& stream);
std::uint32_t StreamCores(const Stream& stream, CoreKind kind);

// What loops of the stream's tasks may use: the smaller of the two kinds, since a core here is both; 0 if
// neither the stream nor its device is limited.
int CoreLimitOf(const Stream& stream) noexcept;

// The calling thread's choice; the last one counts.
void UseCoresOf(const StreamRef& stream);
void UnuseCoresOf(const StreamRef& stream);
std::uint32_t ThreadCores(const Device& device, CoreKind kind);

}  // namespace foothold
