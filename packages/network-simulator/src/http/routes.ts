/** The routes of the network's HTTP interface. Each route parses its input once and responds with JSON. */
import { z } from 'zod';
import type { Exchange } from '../network/exchange/exchange.js';
import { injectFault } from '../network/exchange/inject-fault.js';
import type { ArmedFault } from '../network/faults/armed-faults.js';
import { fault } from '../network/faults/faults.js';
import type { LinkAttempts } from '../network/linking/link-attempts.js';
import { deviceId, phoneNumber } from '../protocol/frames.js';
import { type PersonReport, personReport } from '../protocol/person-report.js';
import { RequestError } from './request-error.js';

export type Answer = { readonly status: number; readonly json: string };
type Asked = { readonly number: string; readonly query: Record<string, string>; readonly body: unknown };

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  answer(asked: Asked): Answer | Promise<Answer>;
};

const limit = z.coerce.number().int().min(1).max(10_000);
const listQuery = z.object({ limit: limit.default(1_000) });
const inboxQuery = z.object({ limit: limit.default(10_000) });
const journalQuery = listQuery.extend({
  after: z.coerce.number().int().min(0).default(0),
  device_id: deviceId.optional(),
});
const codeBody = z.strictObject({ code: z.string().min(1).max(200) });
const writeBody = z
  .strictObject({
    to: phoneNumber,
    text: z.string().max(8_192).default(''),
    network_message_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional(),
    ...personReport.shape,
  })
  .superRefine(({ kind, text, content, target }, context) => {
    const needsTarget = kind === 'edited' || kind === 'deleted' || kind === 'reaction';
    if (needsTarget !== (target !== undefined))
      context.addIssue({
        code: 'custom',
        path: ['target'],
        message: needsTarget ? 'is required' : 'does not belong to this kind',
      });
    const hasText = kind === 'message' || kind === 'edited' || kind === 'sent-elsewhere';
    if (hasText && (text === '') === (content === undefined))
      context.addIssue({ code: 'custom', path: ['text'], message: 'give either a text or a content' });
  });
const phonesBody = z.strictObject({ numbers: z.array(phoneNumber).min(1).max(1_000) });

export function makeRoutes(exchange: Exchange, linking: LinkAttempts): readonly Route[] {
  return [
    { method: 'GET', path: '/health/live', answer: () => ok({ status: 'live' }) },
    // The journal is replayed before the port is opened, so every request can be served.
    { method: 'GET', path: '/health/ready', answer: () => ok({ status: 'ready' }) },
    ...phoneRoutes(exchange),
    ...linkRoutes(exchange, linking),
    ...faultRoutes(exchange),
    { method: 'GET', path: '/journal', answer: ({ query }) => readJournal(exchange, query) },
  ];
}

function phoneRoutes(exchange: Exchange): Route[] {
  return [
    { method: 'GET', path: '/phones', answer: ({ query }) => ok(listPhones(exchange, parse(listQuery, query).limit)) },
    { method: 'POST', path: '/phones', answer: ({ body }) => addPhones(exchange, parse(phonesBody, body).numbers) },
    {
      method: 'GET',
      path: '/phones/{number}/inbox',
      answer: ({ number, query }) => ok(listInbox(exchange, parsePhone(number), parse(inboxQuery, query).limit)),
    },
    {
      method: 'GET',
      path: '/phones/{number}/typing',
      answer: ({ number }) => ok(showTyping(exchange, parsePhone(number))),
    },
    {
      method: 'GET',
      path: '/phones/{number}/read-marks',
      answer: ({ number }) => ok(showReadMarks(exchange, parsePhone(number))),
    },
    {
      method: 'POST',
      path: '/phones/{number}/messages',
      answer: ({ number, body }) => writeMessage(exchange, number, parse(writeBody, body)),
    },
  ];
}

function linkRoutes(exchange: Exchange, linking: LinkAttempts): Route[] {
  return [
    {
      method: 'POST',
      path: '/phones/{number}/scan',
      answer: ({ number, body }) => {
        const phone = requireLinkablePhone(exchange, number);
        return linked(linking.scan(phone, parse(codeBody, body).code));
      },
    },
    {
      method: 'POST',
      path: '/phones/{number}/pair',
      answer: ({ number, body }) => {
        const phone = requireLinkablePhone(exchange, number);
        return linked(linking.pair(phone, parse(codeBody, body).code));
      },
    },
  ];
}

function faultRoutes(exchange: Exchange): Route[] {
  return [
    { method: 'GET', path: '/faults', answer: () => ok(exchange.faults.list().map(faultJson)) },
    { method: 'DELETE', path: '/faults', answer: () => ok({ cleared: exchange.faults.clear() }) },
    {
      method: 'POST',
      path: '/faults',
      answer: ({ body }) => {
        const injected = injectFault(exchange, parse(fault, body));
        if (injected.kind === 'struck') return ok({ devices: injected.devices });
        if (injected.kind === 'armed') return answer(201, faultJson(injected.armed));
        throw new RequestError(422, 'too many faults are armed; DELETE /faults clears them');
      },
    },
  ];
}

function listPhones(exchange: Exchange, max: number) {
  const online = new Set(exchange.sessions().map((session) => session.device.deviceId));
  return exchange.state.phones.list(max).map(({ number, messages }) => ({
    number,
    messages,
    devices: exchange.state.devices.ofNumber(number).map((device) => ({
      device_id: device.deviceId,
      online: online.has(device.deviceId),
    })),
  }));
}

function addPhones(exchange: Exchange, numbers: string[]): Answer {
  exchange.record({ kind: 'phones', numbers });
  return answer(201, { numbers });
}

function listInbox(exchange: Exchange, number: string, max: number) {
  return exchange.state.phones.inbox(number, max).map((message) => ({
    network_message_id: message.id,
    from: message.from,
    text: message.text,
    received_at: message.receivedAt,
    copies: message.copies,
  }));
}

function showTyping(exchange: Exchange, number: string) {
  const { phones } = exchange.state;
  const signals = phones.typing(number).map(({ from, action, at }) => ({ from, action, at: at.toISOString() }));
  return { typing_now: phones.typingNow(number, new Date()), signals };
}

const showReadMarks = (exchange: Exchange, number: string) =>
  exchange.state.phones
    .readMarks(number)
    .map(({ id, by, at }) => ({ network_message_id: id, by, at: at.toISOString() }));

/** A plain text needs no report, as in older journals. */
function reportIn(report: PersonReport): PersonReport | undefined {
  const isPlain = Object.entries(report).every(
    ([field, value]) => value === undefined || value === (field === 'kind' ? 'message' : 'number'),
  );
  return isPlain ? undefined : report;
}

function writeMessage(exchange: Exchange, number: string, body: z.infer<typeof writeBody>): Answer {
  const { to, text, network_message_id: id, ...report } = body;
  const writer = requirePhone(exchange, number);
  // Devices hear of it if the number of their own phone writes.
  const [from, hears] = report.kind === 'sent-elsewhere' ? [to, writer] : [writer, to];
  if (exchange.state.devices.ofNumber(hears).length === 0)
    throw new RequestError(404, `no device is linked to ${hears}`);
  return answer(201, { network_message_id: exchange.write(from, hears, text, { id, report: reportIn(report) }) });
}

async function readJournal(exchange: Exchange, query: Asked['query']): Promise<Answer> {
  const { after, limit: max, device_id } = parse(journalQuery, query);
  const { lines, nextAfter } = await exchange.journal.read(after, max, device_id);
  return { status: 200, json: `{"entries":[${lines.join(',')}],"next_after":${nextAfter}}` };
}

function faultJson({ id, fault: asked, effectiveAt, remaining }: ArmedFault) {
  return { id, ...asked, remaining, effective_at: effectiveAt.toISOString() };
}

function linked(device: string | null): Answer {
  if (device === null) throw new RequestError(404, 'no device shows this code now');
  return ok({ device_id: device });
}

function requireLinkablePhone(exchange: Exchange, number: string): string {
  const phone = requirePhone(exchange, number);
  if (exchange.state.banOf(phone)) throw new RequestError(409, `${phone} is banned`);
  return phone;
}

function requirePhone(exchange: Exchange, number: string): string {
  const phone = parsePhone(number);
  if (!exchange.state.phones.exists(phone)) throw new RequestError(404, `${phone} is not on the network`);
  return phone;
}

function parsePhone(number: string): string {
  return parse(z.object({ number: phoneNumber }), { number }).number;
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new RequestError(422, problems.join('; '));
}

function ok(body: unknown): Answer {
  return answer(200, body);
}

function answer(status: number, body: unknown): Answer {
  return { status, json: JSON.stringify(body) };
}
