/** Finds the recipient of a message to a conversation, and the quoted message. */
import { type AccountId, ApiError, type DeviceId, type SendInput } from '@kurir/contracts';
import { findQuoted } from '@kurir/database';
import { requireRecipient } from '../conversations/require-recipient.js';
import type { Api } from '../operations/api.js';

type Place = { readonly accountId: AccountId; readonly deviceId: DeviceId };

async function withRecipient({ database }: Api, place: Place, input: SendInput): Promise<SendInput> {
  if (input.conversationId === undefined) return input;
  return { ...input, recipient: await requireRecipient(database, place, input.conversationId) };
}

async function withQuoted({ database, accountKeys }: Api, place: Place, input: SendInput): Promise<SendInput> {
  if (input.replyTo === undefined) return input;
  const replyTo = await findQuoted(database, accountKeys, { ...place, recipient: input.recipient }, input.replyTo);
  if (replyTo === null)
    throw new ApiError(
      'INVALID_REQUEST',
      'reply_to: is no message between this device and this person. Use a message_id, or the job_id of a message that was sent.',
    );
  return { ...input, content: { ...input.content, replyTo } };
}

/** Throws the refusal of the message. */
export const resolveChat = async (api: Api, place: Place, input: SendInput): Promise<SendInput> =>
  withQuoted(api, place, await withRecipient(api, place, input));
