/** The costs of sending at the relay. Messages to known recipients need no query and use up no pre-key. */
import type { Network } from './network.js';

export type RelayCosts = {
  readonly messages: number;
  readonly usyncQueries: number;
  readonly preKeyFetches: number;
  readonly oneTimePreKeysUsed: number;
  readonly retryReceipts: number;
};

export async function readRelayCosts({ url }: Network): Promise<RelayCosts> {
  // The relay's own tests check this shape.
  return (await (await fetch(`${url}/counters`)).json()) as RelayCosts;
}

/**
 * Throws if the relay did not receive each message exactly once, or if a message cost a query, a pre-key or a retry.
 */
export function checkRelayCosts(before: RelayCosts, after: RelayCosts, messages: number): void {
  const sent = after.messages - before.messages;
  if (sent !== messages) throw new Error(`${messages} messages were to be sent, the network saw ${sent}`);
  for (const name of ['usyncQueries', 'preKeyFetches', 'oneTimePreKeysUsed', 'retryReceipts'] as const) {
    const cost = after[name] - before[name];
    if (cost !== 0) throw new Error(`${messages} messages to known recipients cost ${cost} ${name}`);
  }
}
