/**
 * A person opts out of marketing, or in again, by one word. The suppression, the end of what waits, the event and the
 * confirmation belong to the transaction that stores the message. So the network hears of it only after all of that.
 */
import {
  textContent,
  type InboundId,
  type InboundReport,
  isSandbox,
  newId,
  type OptOutSettings,
  optOutWishOf,
  type OptOutWish,
} from '@kurir/contracts';
import type pg from 'pg';
import type { SealingKeys } from '../accounts/account-keys.js';
import { storeMessages } from '../messages/store-messages.js';
import { readSuppressed, recipientKeyOf } from '../recipients/suppressed.js';
import { liftSuppressionsIn, suppressIn } from '../suppressions/suppress.js';
import type { OpenConversation } from './find-conversation.js';
import type { InboundPlace } from './inbound-places.js';
import { tellStatement } from './inbound-statements.js';

export type WrittenWish = { readonly wish: OptOutWish; readonly messageId: InboundId };

/** Null: the report is no such word. */
export function wishOf(report: InboundReport, settings: OptOutSettings): OptOutWish | null {
  if (report.kind !== 'message' || report.chat.type !== 'direct' || report.content.type !== 'text') return null;
  return optOutWishOf(report.content.text, settings);
}

/** The number of the person, and the id by which the network names one who hides it. */
const recipientsOf = ({ phone, userId, chatId }: OpenConversation): readonly [string, ...string[]] =>
  phone === null ? [userId ?? chatId] : userId === null ? [phone] : [phone, userId];

/** One reply for each change. It costs no quota. */
async function confirm(
  client: pg.PoolClient,
  { accountId, deviceId, network, optOut }: InboundPlace,
  [recipient]: readonly [string, ...string[]],
  { wish, messageId }: WrittenWish,
  accountKeys: SealingKeys,
): Promise<void> {
  const text = wish === 'stop' ? optOut.stopReply : optOut.startReply;
  const recipientKey = recipientKeyOf(accountKeys.fingerprintKey, recipient);
  const isSuppressed = await readSuppressed(client, [{ accountId, recipientKey }]);
  if (text === null || isSuppressed({ accountId, recipientKey }, 'transactional')) return;
  const message = {
    id: newId('msg'),
    accountId,
    deviceId,
    keyId: 'kurir' as const,
    requestId: messageId,
    repeatKey: Buffer.alloc(0),
    position: 0,
    input: {
      content: textContent(text),
      recipient,
      clientRef: null,
      priority: 'normal',
      category: 'transactional',
      ttlSeconds: null,
      sendAt: null,
    } as const,
  };
  await storeMessages(client, {
    keys: [],
    granted: [{ message, network, periodId: null, accountKeys, window: null }],
    periods: [],
  });
}

/** In the transaction of the message. A wish that changes nothing has no event and no confirmation. */
export async function applyWish(
  client: pg.PoolClient,
  place: InboundPlace,
  conversation: OpenConversation,
  written: WrittenWish,
  keys: SealingKeys,
): Promise<void> {
  const { accountId } = place;
  const { wish, messageId } = written;
  const recipients = recipientsOf(conversation);
  const changed =
    wish === 'stop'
      ? (
          await suppressIn(client, keys, {
            accountId,
            recipients,
            scope: 'marketing',
            reason: 'keyword',
            sourceId: messageId,
            actor: null,
          })
        ).added.length
      : await liftSuppressionsIn(client, keys, {
          accountId,
          recipients,
          scope: 'marketing',
          onlyOfSandbox: isSandbox(place.network),
        });
  if (changed === 0) return;
  const kind = wish === 'stop' ? 'contact.opted_out' : 'contact.opted_in';
  await client.query({ name: 'tell-of-report', text: tellStatement, values: [conversation.id, messageId, kind] });
  await confirm(client, place, recipients, written, keys);
}
