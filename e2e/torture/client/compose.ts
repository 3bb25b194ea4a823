/**
 * Composes the requests of the client: one-time codes, single messages, scheduled messages and bulks. The seed decides.
 */
import { type DevicePlan, isPolite, regularsOf, strangersOf, unknownNumberOf } from '../plan/device-plan.js';
import type { Random } from '../plan/random.js';
import type { Asked, Priority } from '../records/client-record.js';
import { textOf } from '../records/message-text.js';

export type Composed =
  | { readonly kind: 'single'; readonly messages: readonly [Asked] }
  | { readonly kind: 'bulk'; readonly messages: readonly Asked[] };

/**
 * The number of requests of each kind. One-time codes are about a third of the messages, and bulks are most of the
 * rest.
 */
const mix: readonly Priority[] = [
  ...Array.from({ length: 30 }, () => 'otp' as const),
  ...Array.from({ length: 10 }, () => 'normal' as const),
  ...Array.from({ length: 3 }, () => 'bulk' as const),
];
const bulkSize = [10, 30] as const;
const unknownNumber = 0.01;
const scheduled = 0.3;
const shortLived = 0.5;
/** The share of requests for polite devices. It is small, so that their paces catch up after a fault. */
const toPolite = 0.15;
/** The share of a polite device's messages that go to people who may be new. */
const toStrangers = 0.25;
/** A message over the limit waits for a day or until it expires. This is soon enough for the end of the attack. */
const strangerTtlSeconds = [30, 40] as const;

type Recipient = { readonly number: string; readonly isStranger: boolean };

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

/**
 * Returns a function that composes the next request. Its refs continue after the `asked` messages of an interrupted
 * run.
 */
export function createComposer(random: Random, devicePlan: DevicePlan, asked: number): (now: number) => Composed {
  let made = asked;

  function chooseDevice(): number {
    const { devicesEach, politeEach } = devicePlan;
    if (politeEach > 0 && random.chance(toPolite)) return random.whole(devicesEach - politeEach, devicesEach - 1);
    return random.whole(0, devicesEach - politeEach - 1);
  }

  /** A number that is not on the network never becomes a contact. For a polite device it stays a stranger. */
  function chooseRecipient(account: number, device: number): Recipient {
    const index = account * devicePlan.devicesEach + device;
    const polite = isPolite(devicePlan, device);
    if (random.chance(unknownNumber)) return { number: unknownNumberOf(index), isStranger: polite };
    const isStranger = polite && random.chance(toStrangers);
    return { number: random.pick(isStranger ? strangersOf(index) : regularsOf(index)), isStranger };
  }

  function chooseTtl(priority: Priority, isStranger: boolean): number | null {
    if (isStranger) return random.whole(...strangerTtlSeconds);
    if (priority !== 'otp') return null;
    return random.chance(shortLived) ? random.whole(30, 60) : 300;
  }

  function compose(now: number, priority: Priority, account: number, device: number): Asked {
    made++;
    const isLater = priority === 'normal' && random.chance(scheduled);
    const { number, isStranger } = chooseRecipient(account, device);
    return {
      ref: `m${made}`,
      account,
      device,
      recipient: number,
      priority,
      ttlSeconds: chooseTtl(priority, isStranger),
      sendAt: isLater && !isStranger ? now + random.whole(2_000, 12_000) : null,
      askedAt: now,
    };
  }

  return (now) => {
    const priority = random.pick(mix);
    const account = random.whole(0, devicePlan.accounts - 1);
    const device = chooseDevice();
    if (priority !== 'bulk') return { kind: 'single', messages: [compose(now, priority, account, device)] };
    const length = random.whole(...bulkSize);
    const messages = Array.from({ length }, () => compose(now, priority, account, device));
    return { kind: 'bulk', messages };
  };
}
