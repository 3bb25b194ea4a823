/** What several answers are made of, the signed api's and the dashboard's alike. */
import { z } from 'zod';
import { deviceStates, messagePriorities, messageStatuses } from './message-status.js';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-21T09:00:00.000Z' });
export const jobId = z
  .string()
  .meta({ description: 'Id of the accepted message.', example: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const deviceId = z.string().meta({ example: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const device = z
  .object({
    device_id: deviceId,
    name: z.string(),
    network: z.string().meta({ example: 'whatsapp' }),
    state: z.enum(deviceStates),
    state_reason: z.string().nullable().meta({ description: 'Why it is in this state, where there is more to say.' }),
    phone_number: z.string().nullable().meta({ description: 'Of the linked account, digits with country code.' }),
    pairing: z
      .object({ code: z.string(), valid_until: timestamp })
      .nullable()
      .meta({ description: 'While it is being linked: the newest code to show as a QR or to type. It changes.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Device' });
export const quotaText = z.string().meta({ description: 'Numeric text, or `Unlimited`.', example: '1000' });

export const shownStatus = z.enum([...messageStatuses, 'scheduled']);

export const job = z
  .object({
    job_id: jobId,
    status: shownStatus,
    reason: z.string().nullable().meta({ description: 'Why it failed, waits or is unknown.' }),
    network_message_id: z.string().nullable(),
    device_id: deviceId,
    phone_destination: z.string(),
    priority: z.enum(messagePriorities),
    client_ref: z.string().nullable(),
    send_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Job' });

/** No U+0000 and nothing long: what is compared with stored text must be text that could be stored. */
export const plainText = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 plain characters');
