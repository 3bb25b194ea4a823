/** A message or a typing signal goes to a number or to a conversation. */
import { z } from 'zod';
import { isConversationId } from '../fields/id-forms.js';
import { phoneDestination } from '../fields/phone-destination.js';

export const recipientFields = {
  phone_destination: phoneDestination.optional(),
  conversation_id: z.string().refine(isConversationId, 'must be the id of a conversation').optional().meta({
    description:
      'Send to the person of this conversation, also if the number is hidden. The device is that of the conversation.',
  }),
};

type Recipient = { readonly phone_destination?: string | undefined; readonly conversation_id?: string | undefined };

export function checkRecipient(body: Recipient, context: z.RefinementCtx): void {
  const isGiven = [body.phone_destination, body.conversation_id].filter((field) => field !== undefined);
  if (isGiven.length === 1) return;
  const [path, message] =
    isGiven.length === 0
      ? ['phone_destination', 'is required, unless there is a conversation_id']
      : ['conversation_id', 'does not go with phone_destination'];
  context.addIssue({ code: 'custom', path: [path], message });
}
