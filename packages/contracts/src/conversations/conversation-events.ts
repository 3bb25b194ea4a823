/** The data of the events of a conversation. A field whose value was erased since is null. */
import { z } from 'zod';
import { deviceId, jobId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { conversationId, inboundId, shownContent, shownPerson } from './shown-content.js';

const chat = z
  .object({
    id: conversationId.meta({ description: 'The id of the conversation, to which you can send an answer.' }),
    type: z.enum(['direct', 'group']),
  })
  .meta({ id: 'Chat' });

const networkMessageId = z.string().nullable().meta({ description: "The network's id of the message." });
const receivedAt = timestamp.meta({ description: 'When Kurir stored it.' });
const sentAt = timestamp.meta({ description: 'When it was written, by the clock of the network.' });
const offline = z.boolean().meta({ description: 'The network kept it while the device was away.' });

const about = {
  message_id: inboundId.nullable().meta({ description: 'Set if a person wrote it, and Kurir has it.' }),
  job_id: jobId.nullable().meta({ description: 'Set if it is one of your messages.' }),
};

export const replyTo = z
  .object({ ...about, text: z.string().nullable().meta({ description: 'The part of it that the answer shows.' }) })
  .nullable()
  .meta({ description: 'The message that it answers.' });

const target = z
  .object({ ...about, network_message_id: networkMessageId })
  .meta({ description: 'The message that it is about.' });

const ofEvery = {
  message_id: inboundId,
  network_message_id: networkMessageId,
  device_id: deviceId,
  chat,
  sent_at: sentAt,
  received_at: receivedAt,
};
const written = { ...shownContent, reply_to: replyTo, forwarded: z.boolean(), offline };

const ofContact = {
  conversation_id: conversationId,
  device_id: deviceId,
  user_id: z.string().nullable(),
  phone: z.string().nullable(),
};
const wish = z.object({
  ...ofContact,
  message_id: inboundId.meta({ description: 'The message in which the person asked for it.' }),
});

/** By type of event. */
export const conversationData = {
  'message.received': z.object({ ...ofEvery, from: shownPerson, ...written }),
  'message.edited': z.object({ ...ofEvery, from: shownPerson, target, ...shownContent }),
  'message.deleted': z.object({ ...ofEvery, from: shownPerson, target }),
  'message.reaction': z.object({
    ...ofEvery,
    from: shownPerson,
    target,
    emoji: z.string().nullable().meta({ description: 'Null: the person took the reaction back, or it is erased.' }),
  }),
  'message.undecryptable': z.object({ ...ofEvery, from: shownPerson, offline }),
  'message.sent_elsewhere': z.object({
    ...ofEvery,
    to: shownPerson.nullable().meta({ description: 'The other person. Null: in a group.' }),
    ...written,
  }),
  'contact.identified': z.object(ofContact),
  'contact.opted_out': wish,
  'contact.opted_in': wish,
} as const;
