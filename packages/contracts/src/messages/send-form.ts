import { z } from 'zod';
import { phoneDestination } from '../fields/phone-destination.js';
import { sendFields } from './send-request.js';

/** The dashboard's form for a message: the body of `sendMessage`, and the device for the header X-Device-Id. */
export const sendForm = sendFields
  .omit({ conversation_id: true, reply_to: true })
  .extend({ device_id: z.string(), phone_destination: phoneDestination });
