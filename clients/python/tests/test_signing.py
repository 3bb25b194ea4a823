"""The signature, checked against the published vectors, which share no code with this package."""

from __future__ import annotations

import base64
import json
import os
import unittest
from pathlib import Path
from typing import Any

from kurir._requests import PlainRequest, request_path, sign

DEFAULT = Path(__file__).parents[3] / "packages" / "signing" / "vectors.json"
VECTORS = json.loads(Path(os.environ.get("KURIR_SIGNING_VECTORS", DEFAULT)).read_text("utf-8"))
SCHEME_TWO = [vector for vector in VECTORS if vector.get("version") == 2]


def request_of(vector: dict[str, Any]) -> PlainRequest:
    text = vector.get("body")
    body = base64.b64decode(vector["body_base64"]) if text is None else text.encode()
    return PlainRequest(
        vector["method"],
        vector["target"],
        body,
        vector["device_id"],
        vector["idempotency_key"],
        "refuse",
    )


class SigningTest(unittest.TestCase):
    def test_there_are_vectors_of_scheme_two(self) -> None:
        self.assertGreaterEqual(len(SCHEME_TWO), 12)

    def test_signs_as_published(self) -> None:
        for vector in SCHEME_TWO:
            with self.subTest(vector["name"]):
                signature = sign(request_of(vector), vector["timestamp"], vector["secret"])
                self.assertEqual(signature, vector["signature"].lower())

    def test_refuses_an_id_that_would_change_the_path(self) -> None:
        path = "/api/v1/messages/{job_id}"
        self.assertEqual(request_path(path, {"job_id": "msg_1"}), "/api/v1/messages/msg_1")
        for text in ("", "../info", "msg_1?x=1", "msg 1", "msg%2F1", "msg_1\n"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "is not a job id"):
                request_path(path, {"job_id": text})


if __name__ == "__main__":
    unittest.main()
