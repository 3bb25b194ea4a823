"""Retries against a real server whose answers get lost, come late, or are refusals."""

from __future__ import annotations

import json
import socket
import unittest
from email.utils import formatdate
from typing import Any

from kurir import Kurir, KurirError
from tests.fake_gateway import (
    API_KEY,
    API_SECRET,
    LOST_AFTER,
    LOST_BEFORE,
    SILENCE,
    FakeClock,
    FakeGateway,
    Reply,
    client,
    refusal,
)

TEXT: Any = {"message": "Kode Anda 493021", "phone_destination": "6281234567890"}
JSON = {"Content-Type": "application/json"}


class GatewayTest(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock()
        self.gateway = FakeGateway()
        self.addCleanup(self.gateway.close)
        self.kurir = client(self.gateway, self.clock)

    def assert_fails(self, call: Any, **attributes: Any) -> KurirError:
        with self.assertRaises(KurirError) as caught:
            call()
        for name, value in attributes.items():
            self.assertEqual(getattr(caught.exception, name), value, name)
        return caught.exception


class LostAnswerTest(GatewayTest):
    def test_a_send_is_repeated_with_the_same_signature(self) -> None:
        self.gateway.fail(LOST_AFTER, LOST_AFTER)
        self.assertEqual(self.kurir.send_message(**TEXT), {"job_id": "msg_1"})
        self.assertEqual(len(self.gateway.accepted), 1)
        signatures = self.gateway.header("x-signature")
        self.assertEqual((len(signatures), len(set(signatures))), (3, 1))

    def test_a_bulk_is_repeated_byte_for_byte(self) -> None:
        self.gateway.answer = lambda _request: {"results": [{"job_id": "msg_1"}]}
        self.gateway.fail(LOST_AFTER)
        self.kurir.send_bulk(messages=[TEXT, {**TEXT, "client_ref": "order-1"}])
        first, second = self.gateway.received
        self.assertEqual(first.body, second.body)
        refs = [message["client_ref"] for message in first.json["messages"]]
        self.assertRegex(refs[0], "^kc_[0-9a-f-]{36}$")
        self.assertEqual(refs[1], "order-1")

    def test_an_old_signature_is_replaced_and_the_client_ref_stays(self) -> None:
        busy = refusal(503, "SERVICE_UNAVAILABLE", Retry_After="60")
        self.gateway.fail(LOST_AFTER, *[busy] * 5)
        client(self.gateway, self.clock, max_retries=6).send_message(**TEXT)
        signatures = self.gateway.header("x-signature")
        self.assertEqual(len(set(signatures[:5])), 1)
        self.assertNotEqual(signatures[6], signatures[0])
        self.assertEqual(len({one.json["client_ref"] for one in self.gateway.received}), 1)

    def test_a_broken_answer_is_a_lost_one(self) -> None:
        self.gateway.fail(Reply(200, '{"success":true,"data":{"job_', JSON))
        self.assertEqual(self.kurir.send_message(**TEXT), {"job_id": "msg_1"})
        self.gateway.fail(Reply(200, "{}", {**JSON, "Content-Length": "100"}))
        self.assertEqual(self.kurir.send_message(**TEXT), {"job_id": "msg_2"})

    def test_the_error_says_that_it_may_have_arrived(self) -> None:
        self.gateway.fail(LOST_BEFORE, LOST_BEFORE)
        kurir = client(self.gateway, self.clock, max_retries=1)
        error = self.assert_fails(
            lambda: kurir.send_message(**TEXT), code="NO_ANSWER", status=None, may_have_arrived=True
        )
        self.assertIsNotNone(error.__cause__)

    def test_a_gateway_that_says_nothing_has_only_its_time(self) -> None:
        self.gateway.fail(SILENCE)
        error = self.assert_fails(
            lambda: client(self.gateway, self.clock, max_retries=0).account_info(timeout=0.2),
            code="NO_ANSWER",
            may_have_arrived=True,
        )
        self.assertIn("no answer within 0.2 s", error.message)

    def test_a_new_device_is_recognised_by_its_client_ref(self) -> None:
        self.gateway.fail(refusal(503, "SERVICE_UNAVAILABLE"))
        self.kurir.create_device(name="Toko")
        refs = {one.json["client_ref"] for one in self.gateway.received}
        self.assertEqual((len(self.gateway.received), len(refs)), (2, 1))


class OtherChangesTest(GatewayTest):
    def test_are_not_repeated_when_the_answer_is_lost(self) -> None:
        self.gateway.fail(LOST_AFTER)
        self.assert_fails(self.kurir.renew_account, code="NO_ANSWER", may_have_arrived=True)
        self.assertEqual(len(self.gateway.received), 1)

    def test_are_repeated_with_new_signatures_after_429_and_503(self) -> None:
        self.gateway.fail(refusal(429, "RATE_LIMITED"), refusal(503, "SERVICE_UNAVAILABLE"))
        self.kurir.chat_presence(action="start", phone_destination="6281234567890")
        self.assertEqual(len(set(self.gateway.header("x-signature"))), 3)

    def test_are_not_repeated_after_a_proxy_or_another_5xx(self) -> None:
        self.gateway.fail(Reply(503, "<h1>upstream reset</h1>"))
        self.assert_fails(self.kurir.disconnect_device, status=503, may_have_arrived=True)
        self.gateway.fail(refusal(500, "INTERNAL_ERROR"))
        self.assert_fails(self.kurir.renew_account, code="INTERNAL_ERROR")
        self.assertEqual(len(self.gateway.received), 2)

    def test_are_repeated_when_the_connection_was_refused(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{unused.getsockname()[1]}"
            kurir = Kurir(address, API_KEY, API_SECRET, clock=self.clock)
            error = self.assert_fails(
                lambda: kurir.cancel_message("msg_1"), code="NO_ANSWER", may_have_arrived=False
            )
        self.assertIn("refused", str(error))
        self.assertEqual(self.clock.slept, [0.125, 0.25, 0.5])

    def test_never_share_a_signature_within_one_millisecond(self) -> None:
        for _ in range(3):
            self.kurir.chat_presence(action="start", phone_destination="6281234567890")
        self.assertEqual(len(self.gateway.accepted), 3)


class DelayTest(GatewayTest):
    def test_retry_after_in_seconds_and_as_a_date_delays_the_next_try(self) -> None:
        self.clock.time = float(int(self.clock.time))
        self.gateway.fail(refusal(429, "RATE_LIMITED", Retry_After="7"))
        self.kurir.send_message(**TEXT)
        date = formatdate(self.clock.now() + 12, usegmt=True)
        self.gateway.fail(refusal(503, "SERVICE_UNAVAILABLE", Retry_After=date))
        self.kurir.account_info()
        self.assertEqual(self.clock.slept, [7, 12])

    def test_retry_after_of_more_than_a_minute_ends_the_call(self) -> None:
        self.gateway.fail(refusal(429, "RATE_LIMITED", Retry_After="3600", X_Request_Id="req_1"))
        self.assert_fails(
            lambda: self.kurir.send_message(**TEXT),
            code="RATE_LIMITED",
            message="Try something else.",
            status=429,
            request_id="req_1",
            retry_after=3600,
        )
        self.assertEqual(self.clock.slept, [])

    def test_doubles_up_to_eight_seconds_and_then_gives_up(self) -> None:
        self.clock.chance = 1.0
        self.gateway.fail(*[refusal(500, "INTERNAL_ERROR")] * 9)
        kurir = client(self.gateway, self.clock, max_retries=8)
        self.assert_fails(kurir.account_info, code="INTERNAL_ERROR")
        self.assertEqual(self.clock.slept, [0.25, 0.5, 1, 2, 4, 8, 8, 8])

    def test_a_refusal_for_good_is_raised_at_once(self) -> None:
        self.gateway.fail(refusal(422, "INVALID_REQUEST"), refusal(501, "NOT_FOUND"))
        self.assert_fails(lambda: self.kurir.send_message(**TEXT), code="INVALID_REQUEST")
        self.assert_fails(self.kurir.account_info, status=501)
        self.assertEqual(self.clock.slept, [])

    def test_a_redirect_is_not_followed_with_the_signature(self) -> None:
        self.gateway.fail(Reply(301, "", {"Location": self.gateway.base_url}))
        error = self.assert_fails(self.kurir.account_info, status=301, may_have_arrived=False)
        self.assertIn("it redirects", error.message)
        self.assertEqual(len(self.gateway.received), 1)


class ClockTest(GatewayTest):
    def test_a_wrong_clock_is_corrected_once_by_the_date_of_the_gateway(self) -> None:
        real = self.clock.time
        self.clock.time -= 3600
        late = refusal(401, "TIMESTAMP_OUT_OF_RANGE")
        self.gateway.fail(late)
        self.kurir.send_message(**TEXT)
        self.kurir.account_info()
        times = [int(text or 0) / 1000 for text in self.gateway.header("x-timestamp")]
        self.assertAlmostEqual(times[0], real - 3600, delta=5)
        self.assertAlmostEqual(times[1], real, delta=5)
        self.assertAlmostEqual(times[2], real, delta=5)
        self.gateway.fail(late, late)
        self.assert_fails(self.kurir.account_info, code="TIMESTAMP_OUT_OF_RANGE")

    def test_the_body_is_the_bytes_that_are_signed(self) -> None:
        self.kurir.send_message(**{**TEXT, "message": "caf\u00e9 \U0001f680"}, client_ref="order-1")
        sent = json.loads(self.gateway.received[0].body.decode("utf-8"))
        self.assertEqual(sent["message"], "caf\u00e9 \U0001f680")


if __name__ == "__main__":
    unittest.main()
