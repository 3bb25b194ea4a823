import type { Finding } from './mistakes.js';

/** A sentence of advice for each finding. */
export const advice: Readonly<Record<Finding, string>> = {
  unknown_key: 'The account has no key of this id. Take the id from the list of keys.',
  revoked_key: 'This key was revoked. Create a new one.',
  not_hex: 'X-Signature must be 64 hex digits: the HMAC-SHA256, encoded as lower-case hex.',
  version_unknown: 'X-Signature-Version must be exactly 2 for scheme 2. Leave it out for scheme 1.',
  version_header_missing: 'This is a signature of scheme 2. Send the header X-Signature-Version: 2 with it.',
  signed_in_scheme_1:
    'This is a signature of scheme 1. Leave X-Signature-Version out, or sign the string of scheme 2, which begins with v2.',
  version_left_out: 'Begin the string of scheme 2 with v2 and a colon.',
  device_left_out: 'Sign X-Device-Id between the timestamp and the hash of the Idempotency-Key, exactly as it is sent.',
  idempotency_key_left_out:
    'Sign the SHA-256 of the Idempotency-Key that is sent. Without that header, sign the SHA-256 of an empty text (e3b0c442…).',
  idempotency_key_not_hashed: 'Sign the SHA-256 of the Idempotency-Key in lower-case hex, not the key itself.',
  parts_reordered:
    'The parts are right, but their order is not. Scheme 1: method, target, timestamp, body hash. Scheme 2: v2, method, target, timestamp, device id, key hash, body hash.',
  timestamp_malformed: 'X-Timestamp must be unix seconds (10 digits) or milliseconds (13 digits).',
  timestamp_out_of_range:
    'X-Timestamp is more than 300 s old or 60 s ahead. Make it when the request is sent, and set the clock.',
  method_not_upper_case: 'Sign the method in upper case, as HTTP sends it: POST, not post.',
  target_without_query: 'Sign the path together with ?query, exactly as it is sent.',
  target_decoded: 'Sign the path and query as they are sent, percent-encoded; do not decode them.',
  target_with_host: 'Sign the path and query only, without https:// and the host.',
  target_slash_at_end: 'A slash at the end of the path is part of it: sign the path that you send.',
  target_query_sorted: 'Do not sort the query: sign it in the order in which it is sent.',
  timestamp_in_other_unit:
    'Sign the very text of X-Timestamp; you signed seconds and sent milliseconds, or the reverse.',
  body_hash_upper_case: 'Write the SHA-256 of the body as lower-case hex.',
  body_left_out: 'Sign the SHA-256 of the body that is sent; an empty body has one too (e3b0c442…).',
  body_not_hashed: 'Sign the SHA-256 of the body, not the body itself.',
  body_trimmed: 'Sign the body exactly as sent: you removed blanks or line ends at its edges before signing.',
  body_with_newline:
    'Sign the body exactly as sent: you signed a line end that is not sent (echo adds one; use printf).',
  body_reformatted: 'Encode the JSON once, and sign and send those same bytes; you signed another layout of it.',
  body_slashes_escaped: 'Encode the JSON once, and sign and send those same bytes; slashes differ (PHP escapes them).',
  separator_newline: 'Join the parts with colons, not with line ends.',
  separator_none: 'Join the parts with colons.',
  signature_base64: 'Encode the HMAC as lower-case hex, not as base64.',
  signature_sha512: 'Use HMAC-SHA256, not SHA-512.',
  secret_as_hex: 'Use the secret’s text as it was shown as the key; do not decode it from hex.',
  secret_as_base64: 'Use the secret’s text as it was shown as the key; do not decode it from base64.',
  secret_trimmed_prefix: 'The secret includes its beginning, ks_live_ or ks_test_. Use all of it.',
  old_secret_ended: 'This was signed with a secret that ended when the key was rotated. Use the new one.',
  string_to_sign_differs: 'Your string to sign differs from the server’s; see where.',
  unexplained:
    'None of the usual mistakes leads to this signature. Check the secret, and paste your string to sign to compare.',
};
