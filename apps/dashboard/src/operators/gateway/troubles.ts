/** Derives from the state of the gateway what an operator has to do now. */
import { formatSpan } from '../../format/format.js';
import type { Gateway } from './gateway.js';
import type { gatewayTexts } from './texts.js';

type Words = (typeof gatewayTexts)['en' | 'id']['troubles'];

/** A code that waits longer has probably been given up by the person who asked for it. */
const oldCodeSeconds = 30;
/** The same limits as those of the alerts. */
const longTransactionSeconds = 60;
const badClockSeconds = 30;

/** One sentence for each trouble. Empty: nothing needs a person. */
export function troublesOf(gateway: Gateway, t: Words): string[] {
  const { redis, webhooks } = gateway;
  const found: (string | false)[] = [
    gateway.workers === 0 && t.noWorkers,
    gateway.devices_unheld > 0 && t.unheld(gateway.devices_unheld),
    redis.state === 'down' && t.redisDown,
    redis.state === 'read_only' && t.redisReadOnly,
    redis.state === 'full' && t.redisFull,
    oldCode(gateway, t),
    // A disabled webhook is its owner's to enable, and may stay so for ever.
    webhooks.failing > 0 && t.webhooks(webhooks.failing),
    gateway.oldest_transaction_seconds > longTransactionSeconds &&
      t.longTransaction(formatSpan(gateway.oldest_transaction_seconds * 1_000)),
    Math.abs(gateway.clock_skew_seconds) > badClockSeconds &&
      t.clock(formatSpan(Math.abs(gateway.clock_skew_seconds) * 1_000)),
  ];
  return found.filter((sentence) => sentence !== false);
}

function oldCode({ queue }: Gateway, t: Words): string | false {
  const age = queue.find(({ priority }) => priority === 'otp')?.oldest_seconds ?? 0;
  return age > oldCodeSeconds && t.oldCode(formatSpan(age * 1_000));
}
