import { z } from 'zod';
import { sendFields } from './send-request.js';

/** The dashboard's form for a message: the body of `sendMessage`, and the device for the header X-Device-Id. */
export const sendForm = sendFields.extend({ device_id: z.string() });
