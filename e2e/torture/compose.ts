/** What the client asks for: one-time codes, single messages, some of them for later, and bulks. The seed decides. */
import type { Asked, Priority } from './client-record.js';
import type { Random } from './random.js';

export type Composed =
  | { readonly kind: 'single'; readonly messages: readonly [Asked] }
  | { readonly kind: 'bulk'; readonly messages: readonly Asked[] };

/** Requests of each kind among 43; of 100 messages, 30 are one-time codes and 60 are in bulks of 20. */
const mix: readonly Priority[] = [
  ...Array.from({ length: 30 }, () => 'otp' as const),
  ...Array.from({ length: 10 }, () => 'normal' as const),
  ...Array.from({ length: 3 }, () => 'bulk' as const),
];
const bulkSize = [10, 30] as const;
const recipientsOfDevice = 6;
const unknownNumber = 0.01;
const scheduled = 0.3;
const shortLived = 0.5;

export type Fleet = { readonly customers: number; readonly devicesEach: number };

const digits = (value: number, length: number) => String(value).padStart(length, '0');

function recipientOf(random: Random, device: number): string {
  // The simulator knows every number but those that end in 0000.
  if (random.chance(unknownNumber)) return `62813${digits(device, 4)}0000`;
  return `62813${digits(device, 4)}${digits(random.whole(1, recipientsOfDevice), 2)}1`;
}

/** The text that belongs to a `client_ref`: whoever sees it at a phone knows what was asked. */
export const textOf = (ref: string) => `Kode verifikasi Anda untuk ${ref}. Jangan berikan kepada siapa pun.`;

export function refOf(text: string): string | null {
  return /^Kode verifikasi Anda untuk (\S+)\. Jangan/.exec(text)?.[1] ?? null;
}

/** The body of `messages/send`, and of each message of a bulk. */
export function bodyOf(asked: Asked): Record<string, unknown> {
  return {
    message: textOf(asked.ref),
    phone_destination: asked.recipient,
    client_ref: asked.ref,
    priority: asked.priority,
    ...(asked.ttlSeconds === null ? {} : { ttl_seconds: asked.ttlSeconds }),
    ...(asked.sendAt === null ? {} : { send_at: new Date(asked.sendAt).toISOString() }),
  };
}

/** `next` composes ever new requests; refs go on after `asked` messages of an earlier, interrupted run. */
export function createComposer(random: Random, fleet: Fleet, asked: number): (now: number) => Composed {
  let made = asked;

  function compose(now: number, priority: Priority, customer: number, device: number): Asked {
    made++;
    const isLater = priority === 'normal' && random.chance(scheduled);
    return {
      ref: `m${made}`,
      customer,
      device,
      recipient: recipientOf(random, customer * fleet.devicesEach + device),
      priority,
      ttlSeconds: priority !== 'otp' ? null : random.chance(shortLived) ? random.whole(30, 60) : 300,
      sendAt: isLater ? now + random.whole(2_000, 12_000) : null,
      askedAt: now,
    };
  }

  return (now) => {
    const priority = random.pick(mix);
    const customer = random.whole(0, fleet.customers - 1);
    const device = random.whole(0, fleet.devicesEach - 1);
    if (priority !== 'bulk') return { kind: 'single', messages: [compose(now, priority, customer, device)] };
    const length = random.whole(...bulkSize);
    const messages = Array.from({ length }, () => compose(now, priority, customer, device));
    return { kind: 'bulk', messages };
  };
}
