#!/usr/bin/env python3
"""Receives Kurir's webhooks with Python's standard library only.

KURIR_WEBHOOK_SECRET=whsec_… python3 receive.py
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 1_048_576


def setting(name: str) -> str:
    return os.environ.get(name) or sys.exit(f"{name} is not set.")


KEY = base64.b64decode(re.sub("^whsec_", "", setting("KURIR_WEBHOOK_SECRET")))


def is_signed(headers, body: bytes) -> bool:
    """Compares the signature with the bytes as they arrived. JSON that is parsed and written again may differ."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # While a secret is replaced, Kurir signs with the old one and the new one.
    given = headers.get("webhook-signature", "").encode()
    return any(hmac.compare_digest(one, wanted.encode()) for one in given.split(b" "))


# Kurir repeats an event until it gets an answer. Your program: insert the id into a table with a unique index.
handled = set()
lock = threading.Lock()


def handle(event: dict) -> None:
    with lock:
        if event["id"] in handled:
            return
        handled.add(event["id"])
    print(event["type"], event["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_signed(self.headers, body):
            return self.answer(401)
        # The signature proves that the body is Kurir's.
        handle(json.loads(body))
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_args) -> None:
        """Prints no line for each request."""


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
