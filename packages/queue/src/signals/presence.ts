/**
 * Typing: a request to the worker that holds the device, and its reply, over Redis publish/subscribe. Nothing is
 * stored, and typing does not wait for messages. The internal key seals each text. So no phone number passes through
 * Redis, and no stranger can type.
 */
import { randomBytes } from 'node:crypto';
import { type DeviceId, isDeviceId, limits } from '@kurir/contracts';
import { open, seal } from '@kurir/signing';
import { z } from 'zod';
import { presenceChannel, replyChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { publishIfHeard } from '../redis/publish.js';
import { subscribe } from '../redis/subscribe.js';

export type PresenceCall = {
  readonly deviceId: DeviceId;
  /** The worker that holds the device. */
  readonly owner: string;
  readonly recipient: string;
  readonly action: 'start' | 'stop';
};

/**
 * - `taken`: the connection of the session took it.
 * - `not-connected`: the worker has no live session of the device.
 * - `timeout`: nobody answered.
 * - `unavailable`: Redis is away.
 */
export type PresenceAnswer = 'taken' | 'not-connected' | 'timeout' | 'unavailable';

export type PresenceHandler = (call: Omit<PresenceCall, 'owner'>) => Promise<'taken' | 'not-connected'>;

const request = z.object({
  device: z.string().refine(isDeviceId),
  recipient: z.string(),
  action: z.enum(['start', 'stop']),
  worthUntil: z.number(),
});

const envelope = z.object({ id: z.string(), replyTo: z.string(), sealed: z.string() });
const reply = z.object({ id: z.string(), answer: z.enum(['taken', 'not-connected']) });

const aadOf = (id: string, replyTo: string) => `presence|${id}|${replyTo}`;

function parseJson<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    // The text is not JSON, so it is not ours.
    return null;
  }
}

type Waiter = (answer: PresenceAnswer) => void;

/** A process has one subscription for all its replies. The first call opens it. */
type Replies = { readonly channel: string; readonly waiters: Map<string, Waiter>; readonly ready: Promise<void> };
const repliesOf = new WeakMap<QueueConnection, Replies>();

function openReplies(connection: QueueConnection): Replies {
  const known = repliesOf.get(connection);
  if (known !== undefined) return known;
  const waiters = new Map<string, Waiter>();
  const channel = replyChannel(connection, randomBytes(8).toString('hex'));
  const ready = subscribe(connection, channel, (text) => {
    const answered = parseJson(reply, text);
    if (answered !== null) waiters.get(answered.id)?.(answered.answer);
  });
  const replies = { channel, waiters, ready };
  repliesOf.set(connection, replies);
  return replies;
}

/**
 * A worker that reconnects to Redis receives nothing for a moment. So this repeats the request until somebody listens.
 */
async function publishUntilHeard(
  connection: QueueConnection,
  channel: string,
  text: string,
  deadline: number,
): Promise<void> {
  while (performance.now() < deadline) {
    if (await publishIfHeard(connection, channel, text)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Asks the worker that holds the device to show or stop typing. Never rejects. */
export async function callPresence(
  connection: QueueConnection,
  call: PresenceCall,
  timeoutMs: number,
): Promise<PresenceAnswer> {
  const deadline = performance.now() + timeoutMs;
  if (connection.commands.status !== 'ready') return 'unavailable';
  const replies = openReplies(connection);
  const id = randomBytes(12).toString('hex');
  const worthUntil = Date.now() + limits.presenceWorthlessAfterMs;
  const plain = JSON.stringify({ device: call.deviceId, recipient: call.recipient, action: call.action, worthUntil });
  const sealed = seal(connection.options.internalKeys[0], plain, aadOf(id, replies.channel)).toString('base64');
  return new Promise<PresenceAnswer>((resolve) => {
    const finish: Waiter = (answer) => {
      clearTimeout(timer);
      replies.waiters.delete(id);
      resolve(answer);
    };
    const timer = setTimeout(finish, timeoutMs, 'timeout');
    replies.waiters.set(id, finish);
    const text = JSON.stringify({ id, replyTo: replies.channel, sealed });
    replies.ready
      .then(() => publishUntilHeard(connection, presenceChannel(connection, call.owner), text, deadline))
      .catch(() => finish('unavailable'));
  });
}

function openWithAny({ options }: QueueConnection, { id, replyTo, sealed }: z.output<typeof envelope>): Buffer | null {
  const box = Buffer.from(sealed, 'base64');
  for (const key of options.internalKeys) {
    const opened = open(key, box, aadOf(id, replyTo));
    if (opened !== null) return opened;
  }
  return null;
}

async function answerCall(connection: QueueConnection, text: string, handle: PresenceHandler): Promise<void> {
  const call = parseJson(envelope, text);
  if (call === null) return;
  const opened = openWithAny(connection, call);
  const asked = opened === null ? null : parseJson(request, opened.toString('utf8'));
  if (asked === null || Date.now() > asked.worthUntil) return;
  const answer = await handle({ deviceId: asked.device, recipient: asked.recipient, action: asked.action });
  await connection.commands.publish(call.replyTo, JSON.stringify({ id: call.id, answer }));
}

/** Handles typing requests for the devices of this worker until the connection is closed. */
export async function servePresence(
  connection: QueueConnection,
  worker: string,
  handle: PresenceHandler,
  onError: (error: unknown) => void,
): Promise<void> {
  await subscribe(connection, presenceChannel(connection, worker), (text) => {
    answerCall(connection, text, handle).catch(onError);
  });
}
