/** Reads the signed parts of a pasted request, which is HTTP text or a curl command. A missing part is null. */
import { wordsOf } from './shell-words.js';

export type ReadRequest = {
  method: string | null;
  target: string | null;
  timestamp: string | null;
  apiKey: string | null;
  signature: string | null;
  body: string | null;
  /** Empty if the request lacks the header: without it, another text is signed. */
  version: string;
  deviceId: string;
  idempotencyKey: string;
};

const nothing: ReadRequest = {
  method: null,
  target: null,
  timestamp: null,
  apiKey: null,
  signature: null,
  body: null,
  version: '',
  deviceId: '',
  idempotencyKey: '',
};

export function readRequest(text: string): ReadRequest | null {
  const trimmed = text.trimStart();
  if (/^curl\s/.test(trimmed)) return readCurl(trimmed);
  if (/^[A-Z]+ \S+( HTTP\/[\d.]+)?\r?\n/.test(trimmed)) return readHttp(trimmed);
  return null;
}

function targetOf(address: string): string {
  const found = /^https?:\/\/[^/]+(\/.*)?$/.exec(address);
  return found === null ? address : (found[1] ?? '/');
}

function withHeader(request: ReadRequest, line: string): ReadRequest {
  const at = line.indexOf(':');
  const value = line.slice(at + 1).trim();
  switch (line.slice(0, at).trim().toLowerCase()) {
    case 'x-api-key':
      return { ...request, apiKey: value };
    case 'x-timestamp':
      return { ...request, timestamp: value };
    case 'x-signature':
      return { ...request, signature: value };
    case 'x-signature-version':
      return { ...request, version: value };
    case 'x-device-id':
      return { ...request, deviceId: value };
    case 'idempotency-key':
      return { ...request, idempotencyKey: value };
    default:
      return request;
  }
}

function readHttp(text: string): ReadRequest {
  const [head = '', ...rest] = text.split(/\r?\n\r?\n/);
  const [first = '', ...headers] = head.split(/\r?\n/);
  const [method = null, address = ''] = first.split(' ');
  const request = headers.reduce(withHeader, { ...nothing, method, target: targetOf(address) });
  return { ...request, body: rest.join('\n\n') };
}

const bodyOptions = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json']);
const otherOptionsWithValue = new Set([
  '-o',
  '--output',
  '-m',
  '--max-time',
  '-u',
  '--user',
  '-A',
  '--user-agent',
  '-w',
  '--write-out',
]);

function readCurl(text: string): ReadRequest {
  const [, ...words] = wordsOf(text);
  let request: ReadRequest = { ...nothing };
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const [option, joined] = word.startsWith('--') ? splitOnce(word, '=') : [word, undefined];
    const value = () => joined ?? words.shift() ?? '';
    if (option === '-X' || option === '--request') request = { ...request, method: value().toUpperCase() };
    else if (option === '-H' || option === '--header') request = withHeader(request, value());
    else if (bodyOptions.has(option)) request = { ...request, body: value() };
    else if (option === '--url') request = { ...request, target: targetOf(value()) };
    else if (otherOptionsWithValue.has(option)) value();
    else if (!word.startsWith('-')) request = { ...request, target: targetOf(word) };
  }
  return { ...request, method: request.method ?? (request.body === null ? 'GET' : 'POST'), body: request.body ?? '' };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
