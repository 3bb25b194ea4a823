#!/usr/bin/env python3
"""Makes vectors.json, the published test vectors of the request signature, with Python's standard library only.

Nothing here comes from the TypeScript code that the vectors test. Run: python3 vectors.py > vectors.json
A vector without "version" is of scheme 1, as a request without X-Signature-Version is.
"""
import base64
import hashlib
import hmac
import json
import sys

OLD = "wgs_test_3kF9tQ2mZ7vX1aB8cD4eR6yU0iO5pL2s"
SECRET = "ks_test_0fJ3mQ7xV2bN8cK5tR1yW6zD4hG9sL0pE3uA7iO2kXq"
SEND = "/api/v1/messages/send"
BULK = "/api/v1/messages/bulk"
NOW = "1795240800"

# The two vectors of the contract. Whatever else changes here, these signatures must stay the same.
GIVEN = [
    "b3494fe511d2fc17b5266911671cfd580357b4f3e0c0952cb8df1ed28bd429fc",
    "8cf2723a6d150f3644b37b5a78156e171d7a62b9045f3cdae0ca4b10077968ec",
]

# name, secret, method, target, timestamp, body (text is sent as UTF-8)
CASES = [
    ("contract: body with an em dash, query in the target", OLD, "POST", "/v1/messages?dry_run=0", "1763690000",
     '{"to":"6281234567890","type":"otp","text":"Kode Anda 493021 \u2014 jangan dibagikan","client_ref":"ord-7781"}'),
    ("contract: GET without a body", OLD, "GET", "/v1/messages?status=failed&limit=50", "1763690000", ""),
    ("send: the request of the examples", SECRET, "POST", SEND, NOW,
     '{"message":"Kode Anda 493021","phone_destination":"6281234567890","client_ref":"ord-7781"}'),
    ("empty body: its hash is signed, never an empty field", SECRET, "POST",
     "/api/v1/account/renew?payment_method=ordinary", NOW, ""),
    ("body {}: two bytes, not an empty body", SECRET, "POST", "/api/v1/devices/disconnect", NOW, "{}"),
    ("body with emoji, one of them joined from several code points", SECRET, "POST", SEND, NOW,
     '{"message":"\U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467","phone_destination":"6281234567890"}'),
    ("body with \u00e9 as one code point (NFC)", SECRET, "POST", SEND, NOW,
     '{"message":"caf\u00e9","phone_destination":"6281234567890"}'),
    ("body with \u00e9 as e and an accent (NFD): other bytes, other signature", SECRET, "POST", SEND, NOW,
     '{"message":"cafe\u0301","phone_destination":"6281234567890"}'),
    ("body with slashes escaped, as PHP's json_encode writes them", SECRET, "POST", SEND, NOW,
     r'{"message":"https:\/\/kurir.example\/otp","phone_destination":"6281234567890"}'),
    ("body with line breaks inside and at its end", SECRET, "POST", SEND, NOW,
     '{\r\n  "message": "Halo",\n  "phone_destination": "6281234567890"\n}\n'),
    ("body that begins with a byte order mark", SECRET, "POST", SEND, NOW,
     b'\xef\xbb\xbf{"message":"Halo","phone_destination":"6281234567890"}'),
    ("body that is no text: NUL, line breaks and broken UTF-8", SECRET, "POST", BULK, NOW,
     b"\x00\x0a\x0d\xff\xfe\xc3\x28%s\\n\x00"),
    ("query with + : not a space, not %2B", SECRET, "GET", "/api/v1/messages?recipient=+6281234567890", NOW, ""),
    ("query with %20 and lower-case %c3%a9: not decoded", SECRET, "GET", "/api/v1/messages?q=kode%20caf%c3%a9", NOW, ""),
    ("query with repeated keys: neither merged nor sorted", SECRET, "GET",
     "/api/v1/messages?status=sent&status=failed&limit=5&a=", NOW, ""),
    ("target with a trailing slash", SECRET, "POST", SEND + "/", NOW, "{}"),
    ("target with an empty query: the question mark stays", SECRET, "GET", "/api/v1/account/info?", NOW, ""),
    ("target with colons", SECRET, "GET", "/api/v1/messages?since=2026-11-21T06:00:00Z", NOW, ""),
    ("time in milliseconds, 13 digits", SECRET, "GET", "/api/v1/devices/info", NOW + "123", ""),
    ("secret longer than a block of SHA-256 (64 bytes)", "ks_test_" + "9aZ" * 24, "GET", "/api/v1/account/info", NOW, ""),
    ("upper-case hex: accepted when verifying, written in lower case", SECRET, "GET", "/api/v1/account/info", NOW, ""),
]


DEVICE = "dev_01kajp4m3s5y8zt0v6qk2c9hbe"
MS = NOW + "123"
HELLO = '{"message":"Kode Anda 493021","phone_destination":"6281234567890"}'

# Scheme 2: name, method, target, timestamp, device or None, Idempotency-Key or None, body. All with SECRET.
CASES_2 = [
    ("scheme 2: a device, no Idempotency-Key", "POST", SEND, MS, DEVICE, None, HELLO),
    ("scheme 2: the same request to another device has another signature", "POST", SEND, MS,
     "dev_01kajp4m3s5y8zt0v6qk2c9hbf", None, HELLO),
    ("scheme 2: an Idempotency-Key is signed as its SHA-256", "POST", SEND, MS, DEVICE, "ord-7781", HELLO),
    ("scheme 2: an Idempotency-Key with colons", "POST", SEND, MS, DEVICE, "shop:7781:otp", HELLO),
    ("scheme 2: an Idempotency-Key with spaces inside", "POST", SEND, MS, DEVICE, "ord 7781, second", HELLO),
    ("scheme 2: an Idempotency-Key in UTF-8, NFC", "POST", SEND, MS, DEVICE, "caf\u00e9-\U0001f680", HELLO),
    ("scheme 2: an Idempotency-Key in UTF-8, NFD: other bytes, other signature", "POST", SEND, MS, DEVICE,
     "cafe\u0301-\U0001f680", HELLO),
    ("scheme 2: no device leaves an empty field between two colons", "GET", "/api/v1/account/info", MS, None, None, ""),
    ("scheme 2: an empty body is hashed, and so is a missing Idempotency-Key", "POST", "/api/v1/devices/disconnect", MS,
     DEVICE, None, ""),
    ("scheme 2: time in seconds", "POST", SEND, NOW, DEVICE, None, HELLO),
    ("scheme 2: X-Device-Id is signed even if the operation needs none", "GET", "/api/v1/account/info", MS, DEVICE, None,
     ""),
    ("scheme 2: body with emoji", "POST", SEND, MS, DEVICE, None,
     '{"message":"\U0001f680 \U0001f468\u200d\U0001f469\u200d\U0001f467","phone_destination":"6281234567890"}'),
    ("scheme 2: body with \u00e9 as one code point (NFC)", "POST", SEND, MS, DEVICE, None,
     '{"message":"caf\u00e9","phone_destination":"6281234567890"}'),
    ("scheme 2: body with \u00e9 as e and an accent (NFD)", "POST", SEND, MS, DEVICE, None,
     '{"message":"cafe\u0301","phone_destination":"6281234567890"}'),
    ("scheme 2: body with PHP's escaped slashes and a line break at its end", "POST", SEND, MS, DEVICE, None,
     '{"message":"https:\\/\\/kurir.example\\/otp","phone_destination":"6281234567890"}\n'),
    ("scheme 2: body that is no text", "POST", BULK, MS, DEVICE, None, b"\x00\x0a\x0d\xff\xfe\xc3\x28%s\\n\x00"),
    ("scheme 2: query with +, %20, colons and repeated keys", "GET",
     "/api/v1/messages?recipient=+62&q=a%20b&status=sent&status=failed&since=2026-11-21T06:00:00Z", MS, None, None, ""),
    ("scheme 2: target with a trailing slash", "POST", SEND + "/", MS, DEVICE, None, "{}"),
    ("upper-case hex in scheme 2: accepted when verifying, written in lower case", "GET", "/api/v1/devices/info", MS,
     DEVICE, None, ""),
]


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()


def signed(name, secret, string_to_sign):
    signature = hmac.new(secret.encode("utf-8"), string_to_sign.encode("utf-8"), hashlib.sha256).hexdigest()
    return {
        "string_to_sign": string_to_sign,
        "signature": signature.upper() if name.startswith("upper-case") else signature,
    }


def shown(body):
    return {"body_base64": base64.b64encode(body).decode("ascii")} if isinstance(body, bytes) else {"body": body}


def body_hash(body):
    return sha256(body if isinstance(body, bytes) else body.encode("utf-8"))


def vector(name, secret, method, target, timestamp, body):
    string_to_sign = ":".join([method, target, timestamp, body_hash(body)])
    return {
        "name": name, "secret": secret, "method": method, "target": target, "timestamp": timestamp, **shown(body),
        "body_sha256": body_hash(body), **signed(name, secret, string_to_sign),
    }


def vector_2(name, method, target, timestamp, device, key, body):
    key_sha256 = sha256((key or "").encode("utf-8"))
    string_to_sign = ":".join(["v2", method, target, timestamp, device or "", key_sha256, body_hash(body)])
    return {
        "version": 2, "name": name, "secret": SECRET, "method": method, "target": target, "timestamp": timestamp,
        "device_id": device, "idempotency_key": key, "idempotency_key_sha256": key_sha256, **shown(body),
        "body_sha256": body_hash(body), **signed(name, SECRET, string_to_sign),
    }


vectors = [vector(*case) for case in CASES]
if [each["signature"] for each in vectors[: len(GIVEN)]] != GIVEN:
    sys.exit("The contract's own vectors do not come out: nothing written.")
vectors += [vector_2(*case) for case in CASES_2]

# ASCII only, so that no editor can turn NFD into NFC or drop a character that it cannot show.
print(json.dumps(vectors, ensure_ascii=True, indent=2))
