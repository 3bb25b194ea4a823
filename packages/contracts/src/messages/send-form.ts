import { z } from 'zod';
import { sendFields } from './send-request.js';

/** What the dashboard's form to send a message holds: the body of `sendMessage`, and the device that goes in a header. */
export const sendForm = sendFields.extend({ device_id: z.string() });
