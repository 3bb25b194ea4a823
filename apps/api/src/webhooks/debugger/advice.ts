import type { WebhookFinding } from '@kurir/contracts/dashboard';

/** A sentence of advice for each finding. */
export const advice: Readonly<Record<WebhookFinding, string>> = {
  id_missing: 'The header webhook-id is missing. Check whether a proxy in front of your program removes it.',
  timestamp_missing:
    'The header webhook-timestamp is missing. Check whether a proxy in front of your program removes it.',
  timestamp_malformed: 'webhook-timestamp must be unix seconds, as Kurir sent it. Do not convert it.',
  timestamp_too_old:
    'The time is more than five minutes from now. A receiver refuses that. If it was fresh when it came, set the clock of the receiver.',
  signature_missing:
    'The header webhook-signature is missing. Check whether a proxy in front of your program removes it.',
  signature_without_version:
    'webhook-signature is a list of `v1,` and base64, with spaces between. Compare your result with each part after `v1,`.',
  secret_malformed: 'This is no secret of a webhook. It begins with whsec_, and base64 follows.',
  secret_unknown: 'Your secret is not a live one of this webhook. Rotate the secret, and store the new one.',
  secret_of_other_webhook: 'This is the secret of another webhook of the account. Each webhook has its own.',
  event_unknown:
    'The account has no event with this webhook-id, or it is no longer kept. Copy the headers of one delivery.',
  id_differs: 'webhook-id is not the id that was signed. Take the header and the body from the same delivery.',
  body_left_out: 'The body is empty. Read the raw body before another part of your program consumes it.',
  body_reformatted: 'The body was parsed and written anew. Sign the bytes as they came, before JSON is parsed.',
  body_with_spaces:
    'The body has spaces or line breaks around it that Kurir did not send. Sign the bytes as they came.',
  body_changed: 'The body is not the one that was signed. Sign the bytes as they came, and copy all of them.',
  all_right:
    'Id, time, signature and body belong together. If your check still fails, decode the secret after whsec_ from base64, and compare base64 with base64.',
  unexplained:
    'Nothing that Kurir knows explains this signature. Copy headers and body of one delivery, exactly as they came.',
};
