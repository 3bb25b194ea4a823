/** The record of what the receivers of webhooks and the readers of the feed got. A resumed run goes on with it. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';

/** One event that a receiver took, or that the feed showed. */
export type Delivery = {
  readonly account: number;
  readonly id: string;
  readonly subjectId: string;
  readonly sequence: number;
  /** The hash of the body. */
  readonly body: string;
  /** If a person wrote it: the network's id, and the hash of the text. */
  readonly letter?: { readonly networkMessageId: string; readonly text: string };
};

export type DeliveryLog = { readonly deliveries: readonly Delivery[]; add(delivery: Delivery): void };

export const hashOf = (body: string): string => createHash('sha256').update(body).digest('base64url').slice(0, 16);

export function openDeliveryLog(path: string): DeliveryLog {
  const deliveries: Delivery[] = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        // This program wrote the file.
        .map((line) => JSON.parse(line) as Delivery)
    : [];
  return {
    deliveries,
    add(delivery) {
      deliveries.push(delivery);
      appendFileSync(path, `${JSON.stringify(delivery)}\n`);
    },
  };
}

/** An event as the body of a webhook or a page of the feed shows it. */
export type ShownEvent = {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly subject: { readonly id: string };
  readonly data: { readonly network_message_id?: string | null; readonly text?: string };
};

export const deliveryOf = (account: number, event: ShownEvent, body: string): Delivery => ({
  account,
  id: event.id,
  subjectId: event.subject.id,
  sequence: event.sequence,
  body: hashOf(body),
  ...(event.type === 'message.received' && {
    letter: { networkMessageId: event.data.network_message_id ?? '', text: hashOf(event.data.text ?? '') },
  }),
});
