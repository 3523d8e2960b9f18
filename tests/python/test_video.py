# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Videos: pictures become a stream and come back, frame by frame."""
import unittest

import acl
from pictures import NV12, UNSUPPORTED, PictureCase, waves

H264_MAIN = 2
WIDTH, HEIGHT, FRAMES = 192, 128, 6


@unittest.skipIf("aclvdecCreateChannel" in UNSUPPORTED or "acldvppCreateChannel" in UNSUPPORTED,
                 "there is nothing that decodes videos")
class Video(PictureCase):
    def setUp(self):
        super().setUp()
        self.running = True
        self.thread = self.ok(acl.util.start_thread(self.report, []))
        self.addCleanup(self.stop)

    def report(self, _):
        acl.rt.set_context(self.context)
        while self.running:
            acl.rt.process_report(50)

    def stop(self):
        self.running = False
        self.ok(acl.util.stop_thread(self.thread))

    def encoder(self, callback):
        channel = acl.media.venc_create_channel_desc()
        for name, value in (("thread_id", self.thread), ("callback", callback), ("entype", H264_MAIN),
                            ("pic_format", NV12), ("pic_width", WIDTH), ("pic_height", HEIGHT),
                            ("key_frame_interval", 3)):
            self.ok(getattr(acl.media, f"venc_set_channel_desc_{name}")(channel, value))
        if acl.media.venc_create_channel(channel) != 0:
            self.skipTest(acl.get_recent_err_msg())
        return channel

    def encode_frames(self, picture):
        """The stream of each frame, with what was given along with it."""
        seen = []

        def encoded(source, stream, user_data):
            self.assertEqual(acl.media.dvpp_get_stream_desc_ret_code(stream), 0)
            data, size = acl.media.dvpp_get_stream_desc_data(stream), acl.media.dvpp_get_stream_desc_size(stream)
            seen.append((user_data, self.download(data, size).tobytes()))

        channel, desc = self.encoder(encoded), self.describe(picture)
        config = acl.media.venc_create_frame_config()
        for i in range(FRAMES):
            self.ok(acl.media.venc_set_frame_config_force_i_frame(config, 1 if i == 0 else 0))
            self.ok(acl.media.venc_set_frame_config_eos(config, 0))
            self.ok(acl.media.venc_send_frame(channel, desc, 0, config, [i]))
        self.ok(acl.media.venc_set_frame_config_eos(config, 1))
        self.ok(acl.media.venc_send_frame(channel, 0, 0, config, None))
        self.ok(acl.media.venc_destroy_channel(channel))
        self.ok(acl.media.venc_destroy_channel_desc(channel))
        self.ok(acl.media.venc_destroy_frame_config(config))
        self.ok(acl.media.dvpp_destroy_pic_desc(desc))
        return seen

    def decoder(self, callback):
        channel = acl.media.vdec_create_channel_desc()
        for name, value in (("channel_id", 7), ("thread_id", self.thread), ("callback", callback),
                            ("entype", H264_MAIN), ("out_pic_format", NV12)):
            self.ok(getattr(acl.media, f"vdec_set_channel_desc_{name}")(channel, value))
        self.assertEqual(acl.media.vdec_get_channel_desc_out_mode(channel), 0)
        self.ok(acl.media.vdec_set_channel_desc_out_mode(channel, 0))
        self.ok(acl.media.vdec_create_channel(channel))
        return channel

    def stream_desc(self, packet, time):
        desc = acl.media.dvpp_create_stream_desc()
        if packet is None:
            self.ok(acl.media.dvpp_set_stream_desc_eos(desc, 1))
            return desc
        for name, value in (("data", self.upload(packet)), ("size", len(packet)), ("format", H264_MAIN),
                            ("timestamp", time), ("ret_code", 0), ("eos", 0)):
            self.ok(getattr(acl.media, f"dvpp_set_stream_desc_{name}")(desc, value))
        return desc

    def test_comes_back_as_it_was(self):
        source = self.picture(waves(WIDTH, HEIGHT), WIDTH, HEIGHT)
        packets = self.encode_frames(source)
        self.assertEqual([user_data for user_data, _ in packets], [[i] for i in range(FRAMES)])
        self.assertTrue(packets[0][1].startswith((b"\0\0\0\1", b"\0\0\1")))
        pictures = []

        def decoded(stream, picture, user_data):
            pictures.append((acl.media.dvpp_get_pic_desc_ret_code(picture), user_data))
            acl.media.dvpp_destroy_stream_desc(stream)
            acl.media.dvpp_destroy_pic_desc(picture)

        channel, config = self.decoder(decoded), acl.media.vdec_create_frame_config()
        rooms = [self.room(WIDTH, HEIGHT) for _ in packets]
        for i, (_, packet) in enumerate(packets):
            self.ok(acl.media.vdec_send_frame(channel, self.stream_desc(packet, i), self.describe(rooms[i]), config,
                                              f"frame {i}"))
        last = self.stream_desc(None, 0)
        self.ok(acl.media.vdec_send_frame(channel, last, 0, config, None))
        self.ok(acl.media.dvpp_destroy_stream_desc(last))
        self.assertEqual(pictures, [(0, f"frame {i}") for i in range(FRAMES)])
        self.ok(acl.media.vdec_destroy_channel(channel))
        self.ok(acl.media.vdec_destroy_channel_desc(channel))
        self.ok(acl.media.vdec_destroy_frame_config(config))
        expected = self.luma(source)
        for room in rooms:
            self.assertLess(float(abs(self.luma(room) - expected).mean()), 6)

    def test_functions_have_to_be_functions(self):
        channel = acl.media.vdec_create_channel_desc()
        with self.assertRaises(TypeError):
            acl.media.vdec_set_channel_desc_callback(channel, 5)
        self.ok(acl.media.vdec_destroy_channel_desc(channel))
