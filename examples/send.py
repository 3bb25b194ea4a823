#!/usr/bin/env python3
"""Sends one message through Kurir with Python's standard library only.

python3 send.py 6281234567890 'Kode Anda 493021' [client_ref]
"""
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


def setting(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"{name} is not set.")


def sign(method: str, target: str, timestamp: str, body: bytes) -> str:
    body_sha256 = hashlib.sha256(body).hexdigest()
    string_to_sign = f"{method}:{target}:{timestamp}:{body_sha256}"
    return hmac.new(setting("KURIR_API_SECRET").encode(), string_to_sign.encode(), hashlib.sha256).hexdigest()


def sign_stdin() -> None:
    """For the test vectors: reads method, target and timestamp on a line each, then the body, and prints the signature."""
    method, target, timestamp = (sys.stdin.buffer.readline()[:-1].decode() for _ in range(3))
    print(sign(method, target, timestamp, sys.stdin.buffer.read()))


def send(recipient: str, text: str, client_ref: str) -> dict:
    target = "/api/v1/messages/send"
    timestamp = str(time.time_ns() // 1_000_000)
    # Exactly these bytes are signed and sent. If JSON is written a second time, it may differ.
    body = json.dumps({"message": text, "phone_destination": recipient, "client_ref": client_ref}).encode()
    request = urllib.request.Request(
        setting("KURIR_BASE_URL").rstrip("/") + target,
        data=body,
        headers={
            "Content-Type": "application/json",
            "X-API-Key": setting("KURIR_API_KEY"),
            "X-Timestamp": timestamp,
            "X-Signature": sign("POST", target, timestamp, body),
            "X-Device-Id": setting("KURIR_DEVICE_ID"),
        },
        method="POST",
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        return json.load(refusal)


def main(args: list) -> None:
    if args == ["--sign-stdin"]:
        return sign_stdin()
    if len(args) not in (2, 3):
        sys.exit("Usage: python3 send.py RECIPIENT TEXT [CLIENT_REF]")

    # A message with the same client_ref is the same message. If no answer came, try again with the same client_ref.
    client_ref = args[2] if len(args) == 3 else str(uuid.uuid4())
    answer = send(args[0], args[1], client_ref)
    if not answer["success"]:
        sys.exit(f"{answer['code']}: {answer['error']}")
    print(answer["data"]["job_id"])


main(sys.argv[1:])
