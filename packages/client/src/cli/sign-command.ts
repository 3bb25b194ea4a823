/** `kurir sign`: prints the headers for a request that another program sends, and a curl line that sends it. */
import { signRequest } from '@kurir/signing';
import { type Command, InvalidArgumentError } from 'commander';
import { parseBaseUrl } from '../calls/connection.js';
import type { Begin, Cli } from './terminal/cli.js';
import { readBytes } from './terminal/read-text.js';

type SignFlags = { body?: string; idempotencyKey?: string };

const examples = `
Examples:
  $ kurir sign GET /api/v1/account/info
  $ kurir sign POST /api/v1/messages/send --body '{"message":"Hello","phone_destination":"6281234567890"}'
  $ kurir sign POST /api/v1/messages/bulk --body @bulk.json
`;

function parseMethod(text: string): string {
  if (!/^[A-Za-z]+$/.test(text)) throw new InvalidArgumentError('Give a method like GET or POST.');
  return text.toUpperCase();
}

function parseTarget(text: string): string {
  if (!/^\/[!-"$-~]*$/.test(text))
    throw new InvalidArgumentError('Give path and query, percent-encoded, from /api on.');
  return text;
}

/** HTTP cuts blanks at the edges, so the gateway would see another text. */
function parseIdempotencyKey(text: string): string {
  if (text !== text.trim() || text === '' || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError('Give a text without line ends and without blanks at its edges.');
  return text;
}

export function addSignCommand(program: Command, begin: Begin): void {
  program
    .command('sign')
    .argument('<METHOD>', 'GET or POST', parseMethod)
    .argument('<TARGET>', 'path and query, exactly as they are sent', parseTarget)
    .option('--body <text>', 'the body, or @ and the name of a file')
    .option('--idempotency-key <text>', 'sign this header too', parseIdempotencyKey)
    .description('Print the headers that sign a request, and a curl line. They are valid for five minutes.')
    .addHelpText('after', examples)
    .action(async (method: string, target: string, { body = '', idempotencyKey }: SignFlags, own: Command) => {
      const cli = begin(own);
      const file = body.startsWith('@') ? body.slice(1) : null;
      const bytes = file === null ? Buffer.from(body) : await readBytes(cli.surroundings.folder, file);
      const headers = headersFor(cli, { method, target, body: bytes, idempotencyKey: idempotencyKey ?? null });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const text = cli.json
        ? JSON.stringify({ method, target, headers }, null, 2)
        : [...lines, '', curlLine(cli, method, target, headers, body)].join('\n');
      cli.surroundings.stdout.write(`${text}\n`);
    });
}

type RequestToPrint = { method: string; target: string; body: Uint8Array; idempotencyKey: string | null };

/** Signs by scheme 2 and in milliseconds. Then equal requests to two devices, or in one second, are two requests. */
function headersFor({ settings, clock }: Cli, request: RequestToPrint): Record<string, string> {
  const { method, target, body, idempotencyKey } = request;
  const { deviceId } = settings;
  const timestamp = String(Math.floor(clock.now()));
  const publicTarget = new URL(parseBaseUrl(settings.baseUrl)).pathname.replace(/\/$/, '') + target;
  const signature = signRequest({
    method,
    target: publicTarget,
    timestamp,
    signedHeaders: { deviceId, idempotencyKey },
    body,
    secret: settings.apiSecret,
  });
  return {
    'X-API-Key': settings.apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': signature,
    'X-Signature-Version': '2',
    ...(deviceId === null ? {} : { 'X-Device-Id': deviceId }),
    ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(body.length === 0 ? {} : { 'Content-Type': 'application/json' }),
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curlLine(
  { settings }: Cli,
  method: string,
  target: string,
  headers: Record<string, string>,
  body: string,
): string {
  // Without these flags curl expands [] and {} and shortens /../. It would then send another target than the signed
  // one.
  const exact = /[[\]{}]|\/\.{1,2}(\/|$|\?)/.test(target) ? ['--globoff', '--path-as-is'] : [];
  const data = body === '' ? [] : [body.startsWith('@') ? '--data-binary' : '--data-raw', quoted(body)];
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]);
  return ['curl', '-X', method, ...exact, quoted(parseBaseUrl(settings.baseUrl) + target), ...fields, ...data].join(
    ' ',
  );
}
