# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Channels of pictures, and handles of media functions that are none."""
import acl
from on_device import DeviceCase

INVALID_PARAM = 100000


class Media(DeviceCase):
    def test_makes_channels_of_pictures(self):
        channel = acl.media.dvpp_create_channel_desc()
        self.assertNotEqual(channel, 0)
        self.assertEqual(acl.media.dvpp_create_channel(channel), 0)
        self.assertEqual(acl.media.dvpp_destroy_channel(channel), 0)
        self.assertEqual(acl.media.dvpp_destroy_channel_desc(channel), 0)
        self.assertEqual(acl.media.dvpp_create_channel(0), INVALID_PARAM)
        self.assertEqual(acl.media.dvpp_vpc_batch_crop_async(0, 0, [1], 5, [0], 0), (5, INVALID_PARAM))

    def test_refuses_what_is_no_channel_of_videos(self):
        self.assertEqual(acl.media.vdec_set_channel_desc_callback(0, print), INVALID_PARAM)
        self.assertEqual(acl.media.venc_send_frame(0, 0, 0, 0, None), INVALID_PARAM)
