/** A command for a shell that repeats a delivery. It signs with the secret of the person who runs it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlOf = (url: string, eventId: string, body: string): string =>
  [
    'WEBHOOK_SECRET=whsec_…',
    `ID=${quoted(eventId)}`,
    'TIME=$(date +%s)',
    `BODY=${quoted(body)}`,
    'KEY=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d " \\n")',
    'SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)',
    `curl -i ${quoted(url)} \\`,
    "  -H 'content-type: application/json' \\",
    '  -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" \\',
    '  --data-binary "$BODY"',
  ].join('\n');
