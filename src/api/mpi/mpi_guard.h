// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border of the hi_mpi family: like Guard, with the family's own numbers. All but the first functions of
// a program fail before hi_mpi_sys_init.
#pragma once

#include <cstring>
#include <optional>

#include "acl/dvpp/hi_dvpp.h"
#include "api/guard.h"
#include "mpi/given_picture.h"
#include "mpi/mpi_error.h"
#include "mpi/system.h"

namespace foothold::mpi {

// Fails with the number of `module`, whatever code a body throws.
template <typename Call, typename Body>
hi_s32 GuardMpi(const Call& call, Module module, Body&& body) {
  return Guard(call, [&] {
    try {
      CheckStarted(module);
      body();
    } catch (const Error& error) {
      throw Translate(module, error);
    } catch (const std::bad_alloc&) {
      Fail(module, Reason::kNoMemory, "there is no memory for this call");
    }
  });
}

template <typename T>
T* NotNull(Module module, T* pointer, const char* name) {
  if (pointer == nullptr) Fail(module, Reason::kNull, "{} must not be null", name);
  return pointer;
}

// The picture of a description, at an address that is checked.
template <typename Info>
media::Picture ShapeOf(const Info& info) {
  media::Picture picture;
  picture.format = static_cast<media::PixelFormat>(info.picture_format);
  picture.width = info.picture_width;
  picture.height = info.picture_height;
  picture.width_stride = info.picture_width_stride;
  picture.height_stride = info.picture_height_stride;
  picture.bytes = info.picture_buffer_size;
  return picture;
}

}  // namespace foothold::mpi
