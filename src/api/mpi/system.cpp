// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Start and end, memory, polling, colours.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"
#include "api/mpi/mpi_guard.h"
#include "api/status.h"
#include "mpi/vdec_channel.h"
#include "mpi/vpc_channel.h"

using namespace foothold;
using namespace foothold::mpi;

namespace {

constexpr int kMostEvents = 1024;

epoll_event NativeEvent(const hi_dvpp_epoll_event* event) {
  epoll_event native{};
  if (event == nullptr) return native;
  if ((event->events & HI_DVPP_EPOLL_IN) != 0) native.events |= EPOLLIN;
  if ((event->events & HI_DVPP_EPOLL_OUT) != 0) native.events |= EPOLLOUT;
  if ((event->events & HI_DVPP_EPOLL_ET) != 0) native.events |= EPOLLET;
  native.data.ptr = event->data;
  return native;
}

hi_dvpp_epoll_event OwnEvent(const epoll_event& native) {
  hi_dvpp_epoll_event event{};
  if ((native.events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) event.events |= HI_DVPP_EPOLL_IN;
  if ((native.events & EPOLLOUT) != 0) event.events |= HI_DVPP_EPOLL_OUT;
  event.data = native.data.ptr;
  return event;
}

[[noreturn]] void FailSystemCall(const char* what) {
  Fail(Module::kSystem, Reason::kParameter, "{} failed: {}", what, std::strerror(errno));
}

int NativeOperation(hi_s32 operation) {
  switch (operation) {
    case HI_DVPP_EPOLL_CTL_ADD:
      return EPOLL_CTL_ADD;
    case HI_DVPP_EPOLL_CTL_MOD:
      return EPOLL_CTL_MOD;
    case HI_DVPP_EPOLL_CTL_DEL:
      return EPOLL_CTL_DEL;
    default:
      Fail(Module::kSystem, Reason::kParameter, "operation must be 1 (add), 2 (change) or 3 (delete), not {}",
           operation);
  }
}

void CopyRows(const hi_csc_rgb_coefficient& from, std::array<double, 9>& matrix,
              std::array<double, 3>& bias) {
  static_assert(sizeof from == 12 * sizeof(double));
  std::memcpy(matrix.data(), &from.csc_matrix_r0_c0, sizeof matrix);
  std::memcpy(bias.data(), &from.csc_bias_r0, sizeof bias);
}

void CopyRows(const std::array<double, 9>& matrix, const std::array<double, 3>& bias,
              hi_csc_rgb_coefficient& to) {
  std::memcpy(&to.csc_matrix_r0_c0, matrix.data(), sizeof matrix);
  std::memcpy(&to.csc_bias_r0, bias.data(), sizeof bias);
}

ChannelColors ColorsOf(hi_csc_matrix matrix, const hi_csc_coefficient* coefficient) {
  ChannelColors colors;
  if (matrix == HI_CSC_MATRIX_USER) {
    NotNull(Module::kSystem, coefficient, "coefficient");
    colors.coefficients.emplace();
    CopyRows(coefficient->yuv_to_rgb_coefficient, colors.coefficients->to_rgb, colors.coefficients->yuv_bias);
    CopyRows(coefficient->rgb_to_yuv_coefficient, colors.coefficients->to_yuv, colors.coefficients->rgb_bias);
  } else if (matrix < HI_CSC_MATRIX_BT601_WIDE || matrix > HI_CSC_MATRIX_BT2020_NARROW) {
    Fail(Module::kSystem, Reason::kParameter, "matrix must be 0 to 5 or 100 (of the program), not {}",
         static_cast<int>(matrix));
  }
  colors.matrix = colors.coefficients ? 0 : static_cast<std::uint32_t>(matrix);
  return colors;
}

[[noreturn]] void FailModule(hi_mod_id module) {
  Fail(Module::kSystem, Reason::kParameter,
       "channels of module {} have no colour matrix; VPC (7) and VDEC (5) do", static_cast<int>(module));
}

// The message is that of the call.
void PassOn(aclError code) {
  if (code != ACL_SUCCESS)
    foothold::Fail(static_cast<Code>(code), "the call of the first media interface failed");
}

std::uint32_t Up(std::uint32_t value, std::uint32_t step) {
  return (value + step - 1) / step * step;
}

// Pixels a row, and rows a plane, must be a multiple of.
struct Steps {
  std::uint32_t pixels = 16, rows = 2;
};

Steps StepsOf(const hi_module_type* modules, hi_u32 count) {
  Steps steps;
  for (hi_u32 i = 0; i < count; ++i) {
    const hi_module_type module = modules[i];
    if ((module < HI_MOD_VPC || module > HI_MOD_PNGD) && module != HI_MOD_ALL)
      Fail(Module::kSystem, Reason::kParameter, "there is no module {}", static_cast<int>(module));
    if (module == HI_MOD_JPEGD || module == HI_MOD_PNGD || module == HI_MOD_ALL) steps = {128, 16};
  }
  return steps;
}

}  // namespace

hi_s32 hi_mpi_sys_init() {
  return Guard(FOOTHOLD_CALL(), [&] {
    try {
      StartSystem();
    } catch (const Error& error) {
      throw Translate(Module::kSystem, error);
    }
  });
}

hi_s32 hi_mpi_sys_exit() {
  return Guard(FOOTHOLD_CALL(), [&] { EndSystem(); });
}

hi_s32 hi_mpi_sys_create_epoll(hi_s32 size, hi_s32* epoll_fd) {
  return GuardMpi(FOOTHOLD_CALL(size, epoll_fd), Module::kSystem, [&] {
    NotNull(Module::kSystem, epoll_fd, "epoll_fd");
    if (size <= 0) Fail(Module::kSystem, Reason::kParameter, "size must be above 0, not {}", size);
    const int made = epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) FailSystemCall("making a set of descriptors");
    *epoll_fd = made;
  });
}

hi_s32 hi_mpi_sys_ctl_epoll(hi_s32 epoll_fd, hi_s32 operation, hi_s32 fd, hi_dvpp_epoll_event* event) {
  return GuardMpi(FOOTHOLD_CALL(epoll_fd, operation, fd, event), Module::kSystem, [&] {
    const int native = NativeOperation(operation);
    if (native != EPOLL_CTL_DEL) NotNull(Module::kSystem, event, "event");
    epoll_event changed = NativeEvent(event);
    if (epoll_ctl(epoll_fd, native, fd, &changed) != 0) FailSystemCall("changing a set of descriptors");
  });
}

hi_s32 hi_mpi_sys_wait_epoll(hi_s32 epoll_fd, hi_dvpp_epoll_event* events, hi_s32 max_events, hi_s32 timeout,
                             hi_s32* event_num) {
  return GuardMpi(FOOTHOLD_CALL(epoll_fd, events, max_events, timeout, event_num), Module::kSystem, [&] {
    NotNull(Module::kSystem, events, "events");
    NotNull(Module::kSystem, event_num, "event_num");
    if (max_events <= 0)
      Fail(Module::kSystem, Reason::kParameter, "max_events must be above 0, not {}", max_events);
    std::vector<epoll_event> natives(static_cast<std::size_t>(std::min(max_events, kMostEvents)));
    int found = 0;
    do {
      found = epoll_wait(epoll_fd, natives.data(), static_cast<int>(natives.size()), timeout);
    } while (found < 0 && errno == EINTR);
    if (found < 0) FailSystemCall("waiting for descriptors");
    std::transform(natives.begin(), natives.begin() + found, events, OwnEvent);
    *event_num = found;
  });
}

hi_s32 hi_mpi_sys_close_epoll(hi_s32 epoll_fd) {
  return GuardMpi(FOOTHOLD_CALL(epoll_fd), Module::kSystem, [&] {
    // Only a set of descriptors is closed, whatever number a program passes.
    epoll_event nothing{};
    if (epoll_wait(epoll_fd, &nothing, 1, 0) < 0) FailSystemCall("closing a set of descriptors");
    if (close(epoll_fd) != 0) FailSystemCall("closing a set of descriptors");
  });
}

hi_s32 hi_mpi_sys_set_chn_csc_matrix(hi_mod_id mod_id, hi_s32 chn, hi_csc_matrix matrix,
                                     hi_csc_coefficient* coefficient) {
  return GuardMpi(FOOTHOLD_CALL(mod_id, chn, matrix, coefficient), Module::kSystem, [&] {
    const ChannelColors colors = ColorsOf(matrix, coefficient);
    if (mod_id == HI_ID_VPC) {
      VpcChannels::Get().Find(chn)->set_colors(colors);
    } else if (mod_id == HI_ID_VDEC) {
      VdecChannels::Get().Find(chn)->set_colors(colors);
    } else {
      FailModule(mod_id);
    }
  });
}

hi_s32 hi_mpi_sys_get_chn_csc_matrix(hi_mod_id mod_id, hi_s32 chn, hi_csc_matrix* matrix,
                                     hi_csc_coefficient* coefficient) {
  return GuardMpi(FOOTHOLD_CALL(mod_id, chn, matrix, coefficient), Module::kSystem, [&] {
    NotNull(Module::kSystem, matrix, "matrix");
    if (mod_id != HI_ID_VPC && mod_id != HI_ID_VDEC) FailModule(mod_id);
    const ChannelColors colors = mod_id == HI_ID_VPC ? VpcChannels::Get().Find(chn)->colors()
                                                     : VdecChannels::Get().Find(chn)->colors();
    *matrix = colors.coefficients ? HI_CSC_MATRIX_USER : static_cast<hi_csc_matrix>(colors.matrix);
    if (coefficient == nullptr) return;
    const media::ColorCoefficients& numbers =
        colors.coefficients ? *colors.coefficients
                            : media::CoefficientsOf(static_cast<media::ColorMatrix>(colors.matrix));
    CopyRows(numbers.to_rgb, numbers.yuv_bias, coefficient->yuv_to_rgb_coefficient);
    CopyRows(numbers.to_yuv, numbers.rgb_bias, coefficient->rgb_to_yuv_coefficient);
  });
}

hi_s32 hi_mpi_sys_get_image_align_info(const hi_module_type* modules, hi_u32 module_num,
                                       const hi_img_base_info* base_info, hi_img_align_info* align_info) {
  return GuardMpi(FOOTHOLD_CALL(modules, module_num, base_info, align_info), Module::kSystem, [&] {
    NotNull(Module::kSystem, modules, "modules");
    NotNull(Module::kSystem, base_info, "base_info");
    NotNull(Module::kSystem, align_info, "align_info");
    const Steps steps = StepsOf(modules, module_num);
    const auto format = static_cast<media::PixelFormat>(base_info->pixel_format);
    if (base_info->width > media::kMaxSide || base_info->height > media::kMaxSide)
      Fail(Module::kSystem, Reason::kParameter, "a picture of {} x {} is too large", base_info->width,
           base_info->height);
    align_info->width_stride =
        static_cast<hi_u32>(media::RowBytes(format, std::max(Up(base_info->width, steps.pixels), 32u)));
    align_info->height_stride = Up(base_info->height, steps.rows);
    align_info->img_buf_size =
        media::RequiredBytes(format, align_info->width_stride, align_info->height_stride);
  });
}

hi_s32 hi_mpi_dvpp_malloc(hi_u32 dev_id, hi_void** dev_ptr, hi_u64 size) {
  return GuardMpi(FOOTHOLD_CALL(dev_id, dev_ptr, size), Module::kSystem, [&] {
    NotNull(Module::kSystem, dev_ptr, "dev_ptr");
    PassOn(acldvppMalloc(dev_ptr, size));
  });
}

hi_s32 hi_mpi_dvpp_free(hi_void* dev_ptr) {
  return GuardMpi(FOOTHOLD_CALL(dev_ptr), Module::kSystem, [&] { PassOn(acldvppFree(dev_ptr)); });
}

hi_s32 hi_mpi_dvpp_get_version(hi_s32* major_version, hi_s32* minor_version, hi_s32* patch_version) {
  return Guard(FOOTHOLD_CALL(major_version, minor_version, patch_version), [&] {
    *NotNull(Module::kSystem, major_version, "major_version") = 1;
    *NotNull(Module::kSystem, minor_version, "minor_version") = 0;
    *NotNull(Module::kSystem, patch_version, "patch_version") = 0;
  });
}
