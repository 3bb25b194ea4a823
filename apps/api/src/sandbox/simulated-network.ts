/** Calls the HTTP interface of the simulated network (packages/network-simulator/PROTOCOL.md). */
import { ApiError } from '@kurir/contracts';
import { z } from 'zod';
import type { Api } from '../operations/api.js';

const timeoutMs = 5_000;

const inbox = z.array(
  z.object({ network_message_id: z.string(), from: z.string(), text: z.string(), received_at: z.string() }),
);
const typing = z.object({ typing_now: z.array(z.string()) });
const written = z.object({ network_message_id: z.string() });

export type InboxMessage = z.output<typeof inbox>[number];

const unavailable = (cause?: unknown) =>
  new ApiError('SERVICE_UNAVAILABLE', 'The simulated network does not answer. Try again shortly.', {
    cause,
    retryAfterSeconds: 2,
  });

export function requireSimulator({ simulatorUrl }: Pick<Api, 'simulatorUrl'>): string {
  if (simulatorUrl !== null) return simulatorUrl;
  throw new ApiError('NOT_IN_SANDBOX', 'This gateway has no simulated network. Use a device of a real network.');
}

async function ask(url: string, body?: object): Promise<Response> {
  const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return await fetch(url, { ...(body === undefined ? {} : sent), signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw unavailable(cause);
  }
}

async function read<T>(answer: Response, schema: z.ZodType<T>): Promise<T> {
  if (answer.ok) return schema.parse(await answer.json());
  await answer.body?.cancel();
  throw unavailable(new Error(`the simulated network answered ${answer.status}`));
}

const phoneUrl = (base: string, number: string) => `${base}/phones/${encodeURIComponent(number)}`;

/** Returns the newest messages of a phone from all senders, the oldest of them first. */
export const readInbox = async (base: string, number: string, limit: number): Promise<InboxMessage[]> =>
  read(await ask(`${phoneUrl(base, number)}/inbox?limit=${limit}`), inbox);

/** Returns the numbers that are typing to a phone now. */
export const readTyping = async (base: string, number: string): Promise<string[]> =>
  (await read(await ask(`${phoneUrl(base, number)}/typing`), typing)).typing_now;

/** Lets the phone write to a device. Returns null if no device is linked to `to`, or the phone does not exist. */
export async function writeFrom(base: string, number: string, to: string, text: string): Promise<string | null> {
  const answer = await ask(`${phoneUrl(base, number)}/messages`, { to, text });
  if (answer.status !== 404) return (await read(answer, written)).network_message_id;
  await answer.body?.cancel();
  return null;
}

/** Lets the phone scan a QR text or type a pairing code. Returns false if the code is no longer valid. */
export async function useCode(base: string, number: string, how: 'scan' | 'pair', code: string): Promise<boolean> {
  const answer = await ask(`${phoneUrl(base, number)}/${how}`, { code });
  await answer.body?.cancel();
  if (answer.ok) return true;
  if (answer.status === 404) return false;
  throw unavailable(new Error(`the simulated phone answered ${answer.status}`));
}
