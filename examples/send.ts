/**
 * Sends one message through Kurir with Node's built-ins only. The `@kurir/client` package does the same in one call.
 *   npx -y tsx send.ts 6281234567890 'Kode Anda 493021' [client_ref]
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

type Answer = { success: true; data: { job_id: string } } | { success: false; code: string; error: string };

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}

function sign(method: string, target: string, timestamp: string, body: Uint8Array): string {
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const stringToSign = `${method}:${target}:${timestamp}:${bodySha256}`;
  return createHmac('sha256', setting('KURIR_API_SECRET')).update(stringToSign).digest('hex');
}

/** For the test vectors: reads method, target and timestamp on a line each, then the body, and prints the signature. */
function signStdin(): void {
  const input = readFileSync(0);
  const lines: string[] = [];
  let start = 0;
  while (lines.length < 3) {
    const end = input.indexOf('\n', start);
    lines.push(input.toString('utf8', start, end));
    start = end + 1;
  }
  const [method = '', target = '', timestamp = ''] = lines;
  console.log(sign(method, target, timestamp, input.subarray(start)));
}

async function send(recipient: string, text: string, clientRef: string): Promise<Answer> {
  const target = '/api/v1/messages/send';
  const timestamp = String(Date.now());
  // Exactly these bytes are signed and sent. If JSON is written a second time, it may differ.
  const body = Buffer.from(JSON.stringify({ message: text, phone_destination: recipient, client_ref: clientRef }));
  const response = await fetch(setting('KURIR_BASE_URL').replace(/\/$/, '') + target, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': setting('KURIR_API_KEY'),
      'X-Timestamp': timestamp,
      'X-Signature': sign('POST', target, timestamp, body),
      'X-Device-Id': setting('KURIR_DEVICE_ID'),
    },
    body,
    signal: AbortSignal.timeout(10_000),
  });
  // Every answer of the API has one of two forms (see "Envelopes" in its documentation).
  return (await response.json()) as Answer;
}

async function main(args: string[]): Promise<void> {
  if (args[0] === '--sign-stdin') return signStdin();
  const [recipient, text, clientRef] = args;
  if (!recipient || !text) throw new Error('Usage: npx -y tsx send.ts RECIPIENT TEXT [CLIENT_REF]');

  // A message with the same client_ref is the same message. If no answer came, try again with the same client_ref.
  const answer = await send(recipient, text, clientRef ?? randomUUID());
  if (!answer.success) throw new Error(`${answer.code}: ${answer.error}`);
  console.log(answer.data.job_id);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
