/**
 * Controls the pretend phones over plain HTTP, for a person. The first use of a number makes its phone.
 * - `GET /`: the address of the relay, its root key, the CA of its media host and its built-in recipients
 * - `GET /phones`: all phones with their devices, and which of them are built-in recipients
 * - `GET /counters`: the counters of the journal
 * - `GET /phones/{number}`: the devices that the phone has linked
 * - `GET /phones/{number}/inbox`: the messages that a built-in recipient received
 * - `GET /phones/{number}/typing`: the typing signals that a built-in recipient saw
 * - `GET /phones/{number}/receipts`: the receipts that a built-in recipient got, each with the id of its message
 * - `POST /phones/{number}/read` `{"id": "<a message's>"}`: a built-in recipient has read the message
 * - `POST /phones/{number}/deliveries`: from now on the phone reports each message that arrives; it can read none
 * - `POST /phones/{number}/scan` `{"code": "<the QR's text>"}`
 * - `POST /phones/{number}/pair` `{"code": "ABCD-EFGH"}`
 * - `POST /phones/{number}/unlink` `{"device": <its number>}`: unlinks it, as in the phone's settings
 * - `POST /phones/{number}/migrated` `{"migrated": false}`: its chats use phone numbers; call it before linking
 * - `POST /phones/{number}/timelock` `{"until": "<ISO 8601 time>" or null}`: the phone may write to no stranger until
 *   then; with `"told": false` its devices learn that from a refusal
 * - `POST /phones/{number}/passkey` `{"required": true or false}`: whether it links companions only with its passkey
 * - `POST /phones/{number}/send` `{"to": "<number>", "text": "…"}`: a built-in recipient sends a message
 * - `POST /phones/{number}/number` `{"hidden": true or false}`: whether others see only the LID of the phone
 * - `POST /phones/{number}/write` `{"to": "<number>", "letter": {"kind": "text", "text": "…"}}`: any phone writes;
 *   `wire/letter-protobuf.ts` has the other kinds. With `"group": "<digits>"` it writes to a group with that number in it.
 *   With `"unreadable": true` the devices cannot read it before they ask for it again. With `"throughPhone": true` they
 *   get it from their own phone.
 * - `POST /phones/{number}/write-elsewhere` `{"to": "<number>", "letter": …}`: the owner writes with the phone, and the
 *   devices of the phone get a copy
 * - `POST /refresh` `{"code": "<the QR's text>"}`: retires the registration of this QR
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Phone } from './phone/phone.js';
import type { Recipient } from './recipients/recipient.js';
import type { Relay } from './server/relay.js';
import { readLetter } from './writing/read-letter.js';

/** The name of this process. Every answer returns it as a header. */
type Named = { readonly instance?: string | undefined };

/** `httpSide` takes this as a function: the HTTP server starts before the relay and its recipients exist. */
export type HttpSide = { readonly relay: Relay; readonly recipients: ReadonlyMap<string, Recipient> };

type Answer = { readonly status: number; readonly body: unknown };
type Fields = Readonly<Record<string, unknown>>;

const maxBodyBytes = 16_384;
const route = /^\/phones\/(\d{5,20})(?:\/([a-z-]+))?$/;

export function httpSide(side: () => HttpSide | null, { instance }: Named = {}): RequestListener {
  return (request, response) => {
    if (instance !== undefined) response.setHeader('x-kurir-instance', instance);
    answer(side(), request).then(
      ({ status, body }) => write(response, status, body),
      // A phone gives the reason for its refusal. The person needs it, and the relay has not failed.
      (error: unknown) => write(response, 409, { error: error instanceof Error ? error.message : String(error) }),
    );
  };
}

async function answer(side: HttpSide | null, request: IncomingMessage): Promise<Answer> {
  if (!side) return { status: 503, body: { error: 'the relay is starting' } };
  const path = new URL(request.url ?? '/', 'http://relay').pathname;
  if (path === '/' && request.method === 'GET') return { status: 200, body: overview(side) };
  if (path === '/counters' && request.method === 'GET') return { status: 200, body: side.relay.journal.counters() };
  if (path === '/phones' && request.method === 'GET') return { status: 200, body: listPhones(side) };
  if (path === '/refresh' && request.method === 'POST') return refresh(side.relay, await field(request, 'code'));
  const [, number, verb] = route.exec(path) ?? [];
  if (number === undefined) return { status: 404, body: { error: 'no such path' } };
  const name = `${request.method} ${verb ?? ''}`.trim();
  switch (name) {
    case 'GET':
      return { status: 200, body: (await side.relay.createPhone(number)).devices() };
    case 'GET inbox':
      return inbox(side.recipients.get(number));
    case 'GET typing':
      return typing(side.recipients.get(number));
    case 'GET receipts':
      return receipts(side.recipients.get(number));
    case 'POST read':
      return read(side.recipients.get(number), await field(request, 'id'));
    case 'POST deliveries':
      return deliveries(await side.relay.createPhone(number));
    case 'POST scan':
      return { status: 200, body: await (await side.relay.createPhone(number)).scan(await field(request, 'code')) };
    case 'POST pair':
      return { status: 200, body: await (await side.relay.createPhone(number)).pair(await field(request, 'code')) };
    case 'POST passkey':
      return demandPasskey(await side.relay.createPhone(number), await fields(request));
    case 'POST migrated':
      return setMigrated(await side.relay.createPhone(number), await fields(request));
    case 'POST unlink':
      return unlink(await side.relay.createPhone(number), await fields(request));
    case 'POST timelock':
      return restrict(await side.relay.createPhone(number), await fields(request));
    case 'POST send':
      return send(side.recipients.get(number), await fields(request));
    case 'POST number':
      return hideNumber(await side.relay.createPhone(number), await fields(request));
    case 'POST write':
      return writeLetter(side.relay, await side.relay.createPhone(number), await fields(request));
    case 'POST write-elsewhere':
      return writeElsewhere(side.relay, await side.relay.createPhone(number), await fields(request));
    default:
      return { status: 405, body: { error: 'no such verb' } };
  }
}

function overview({ relay, recipients }: HttpSide): object {
  return {
    url: relay.url,
    rootPublicKey: Buffer.from(relay.rootPublicKey).toString('base64'),
    mediaCertificate: relay.mediaCertificate,
    recipients: [...recipients.keys()],
  };
}

function listPhones({ relay, recipients }: HttpSide): object {
  const phones = relay.phones().map((phone) => ({
    number: phone.number,
    recipient: recipients.has(phone.number),
    devices: phone.devices().filter(({ id }) => id !== recipients.get(phone.number)?.deviceId),
  }));
  return { phones };
}

function refresh(relay: Relay, code: string): Answer {
  relay.refreshRegistration(code);
  return { status: 200, body: {} };
}

function unlink(phone: Phone, { device }: Fields): Answer {
  if (typeof device !== 'number') return { status: 400, body: { error: 'device, as a number' } };
  phone.unlink(device);
  return { status: 200, body: phone.devices() };
}

function demandPasskey(phone: Phone, { required }: Fields): Answer {
  if (typeof required !== 'boolean') return { status: 400, body: { error: 'required, as true or false' } };
  phone.requirePasskey(required);
  return { status: 200, body: { required } };
}

function setMigrated(phone: Phone, { migrated }: Fields): Answer {
  if (typeof migrated !== 'boolean') return { status: 400, body: { error: 'migrated, as true or false' } };
  phone.setMigrated(migrated);
  return { status: 200, body: { migrated } };
}

/** Sets the timelock that WhatsApp puts on numbers that write to many strangers. */
function restrict(phone: Phone, { until, told = true }: Fields): Answer {
  const endsAt = typeof until === 'string' ? new Date(until) : null;
  if (until !== null && (endsAt === null || Number.isNaN(endsAt.getTime())))
    return { status: 400, body: { error: 'until, as an ISO 8601 time or null' } };
  phone.setReachoutTimelock(endsAt === null ? null : { endsAt, enforcementType: 'DEFAULT' }, { told: told !== false });
  return { status: 200, body: { until: endsAt } };
}

function inbox(recipient: Recipient | undefined): Answer {
  if (!recipient) return { status: 404, body: { error: 'no recipient of this number' } };
  const messages = recipient.inbox.map(({ id, from, text, quoted, receivedAt, copies }) => ({
    id,
    from,
    text,
    quoted,
    receivedAt,
    copies,
  }));
  return { status: 200, body: { messages } };
}

function deliveries(phone: Phone): Answer {
  phone.reportDeliveries(true);
  return { status: 200, body: {} };
}

function typing(recipient: Recipient | undefined): Answer {
  if (!recipient) return { status: 404, body: { error: 'no recipient of this number' } };
  return { status: 200, body: { signals: recipient.chatStates } };
}

function receipts(recipient: Recipient | undefined): Answer {
  if (!recipient) return { status: 404, body: { error: 'no recipient of this number' } };
  return { status: 200, body: { receipts: recipient.receipts } };
}

async function read(recipient: Recipient | undefined, id: string): Promise<Answer> {
  if (!recipient) return { status: 404, body: { error: 'no recipient of this number' } };
  await recipient.read(id);
  return { status: 200, body: { id } };
}

async function send(recipient: Recipient | undefined, { to, text }: Fields): Promise<Answer> {
  if (!recipient) return { status: 404, body: { error: 'no recipient of this number' } };
  if (typeof to !== 'string' || typeof text !== 'string')
    return { status: 400, body: { error: 'to and text, as text' } };
  return { status: 200, body: { id: await recipient.send(to, text) } };
}

function hideNumber(phone: Phone, { hidden }: Fields): Answer {
  if (typeof hidden !== 'boolean') return { status: 400, body: { error: 'hidden, as true or false' } };
  phone.hideNumber(hidden);
  return { status: 200, body: { hidden } };
}

async function writeLetter(
  relay: Relay,
  phone: Phone,
  { to, letter, group, unreadable, throughPhone }: Fields,
): Promise<Answer> {
  if (typeof to !== 'string') return { status: 400, body: { error: 'to, as text' } };
  await relay.createPhone(to);
  const place = typeof group === 'string' ? { group } : {};
  const how = { unreadable: unreadable === true, throughPhone: throughPhone === true };
  const id = await phone.write(to, readLetter(letter), { ...place, ...how });
  return { status: 200, body: { id } };
}

async function writeElsewhere(relay: Relay, phone: Phone, { to, letter }: Fields): Promise<Answer> {
  if (typeof to !== 'string') return { status: 400, body: { error: 'to, as text' } };
  await relay.createPhone(to);
  return { status: 200, body: { id: await phone.writeElsewhere(to, readLetter(letter)) } };
}

async function field(request: IncomingMessage, name: string): Promise<string> {
  const value = (await fields(request))[name];
  if (typeof value !== 'string') throw new Error(`the body needs "${name}", as text`);
  return value;
}

async function fields(request: IncomingMessage): Promise<Fields> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    parts.push(Buffer.from(part));
    size += part.length;
    if (size > maxBodyBytes) throw new Error('the body is too long');
  }
  const parsed: unknown = JSON.parse(Buffer.concat(parts).toString());
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the body must be a JSON object');
  // A JSON object has text keys and values of any kind.
  return parsed as Fields;
}

function write(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}
