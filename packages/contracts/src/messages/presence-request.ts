import { z } from 'zod';
import { checkRecipient, recipientFields } from './recipient-fields.js';

export const presenceRequest = z
  .strictObject({ action: z.enum(['start', 'stop']), ...recipientFields })
  .meta({ id: 'PresenceRequest' })
  .superRefine(checkRecipient)
  .transform((body) => ({
    action: body.action,
    /** Empty until the conversation is looked up. */
    recipient: body.phone_destination ?? '',
    ...(body.conversation_id === undefined ? {} : { conversationId: body.conversation_id }),
  }));
