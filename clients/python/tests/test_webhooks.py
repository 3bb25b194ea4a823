"""Webhooks, with a vector that openssl computed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from typing import Any

from kurir import KurirError, verify_webhook

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + base64.b64encode(bytes(range(32))).decode()
NOW = 1_614_265_330
BODY = '{"test": 2432232314}'
VECTOR = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(NOW),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
EVENT = json.dumps({"id": "evt_1", "type": "message.delivered", "data": {"text": "caf\u00e9"}})


def signed(secret: str = SECRET, body: str = EVENT, timestamp: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret[len("whsec_") :])
    mac = hmac.new(key, f"evt_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature,
    }


class VerifyWebhookTest(unittest.TestCase):
    def assert_refused(self, code: str, headers: dict[str, Any], body: str = EVENT) -> None:
        with self.assertRaises(KurirError) as caught:
            verify_webhook(body, headers, SECRET, now=NOW)
        self.assertEqual(caught.exception.code, code)

    def test_accepts_the_signature_of_the_vector(self) -> None:
        # The signature is right, and only then the body is found to be no event.
        self.assert_refused("WEBHOOK_MALFORMED", VECTOR, BODY)
        self.assert_refused("WEBHOOK_WRONG_SIGNATURE", VECTOR, BODY + " ")

    def test_returns_the_event_of_text_and_bytes(self) -> None:
        for payload in (EVENT, EVENT.encode()):
            event = verify_webhook(payload, signed(), SECRET, now=NOW)
            self.assertEqual(event, json.loads(EVENT))

    def test_reads_headers_in_any_case(self) -> None:
        headers = {name.title(): value for name, value in signed().items()}
        self.assertEqual(verify_webhook(EVENT, headers, SECRET, now=NOW)["id"], "evt_1")

    def test_accepts_any_of_several_secrets_and_signatures(self) -> None:
        both = signed(OTHER)["webhook-signature"] + " " + signed()["webhook-signature"]
        verify_webhook(EVENT, {**signed(), "webhook-signature": both}, SECRET, now=NOW)
        verify_webhook(EVENT, signed(), [OTHER, SECRET], now=NOW)
        self.assert_refused("WEBHOOK_WRONG_SIGNATURE", signed(OTHER))

    def test_refuses_a_changed_id_time_or_signature(self) -> None:
        for name, value in (
            ("webhook-id", "evt_2"),
            ("webhook-timestamp", str(NOW + 1)),
            ("webhook-signature", signed()["webhook-signature"].replace("v1,", "v2,")),
            ("webhook-signature", "v1,"),
            ("webhook-signature", "v1,AAAA"),
        ):
            with self.subTest(value):
                self.assert_refused("WEBHOOK_WRONG_SIGNATURE", {**signed(), name: value})

    def test_refuses_what_was_signed_more_than_five_minutes_away(self) -> None:
        for seconds in (300, -300):
            verify_webhook(EVENT, signed(timestamp=NOW + seconds), SECRET, now=NOW)
        for seconds in (301, -301):
            self.assert_refused("WEBHOOK_TOO_OLD", signed(timestamp=NOW + seconds))

    def test_refuses_a_request_without_all_three_headers(self) -> None:
        for name in signed():
            headers = {key: value for key, value in signed().items() if key != name}
            with self.subTest(name):
                self.assert_refused("WEBHOOK_MALFORMED", headers)
        self.assert_refused("WEBHOOK_MALFORMED", {**signed(), "webhook-timestamp": "now"})

    def test_names_an_unusable_secret_without_showing_it(self) -> None:
        for secret in (
            "",
            "whsec_",
            "whsec_short",
            "whsec_n\u00f6t base64, but long enough for it",
        ):
            with self.subTest(secret), self.assertRaises(ValueError) as caught:
                verify_webhook(EVENT, signed(), secret, now=NOW)
            self.assertNotIn(secret or "none", str(caught.exception).replace("whsec_\u2026", ""))
        with self.assertRaises(ValueError):
            verify_webhook(EVENT, signed(), [], now=NOW)


if __name__ == "__main__":
    unittest.main()
