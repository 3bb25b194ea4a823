import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { backlog } from '../messages/backlog.js';

export const deviceHealths = ['well', 'slowed', 'restricted', 'down'] as const;

/** The activity of a device. A list of devices includes it on request. */
export const deviceActivity = z
  .object({
    linked: z.boolean(),
    state_since: timestamp,
    last_connected_at: timestamp.nullable(),
    pairing_method: z
      .enum(['qr', 'pairing_code'])
      .nullable()
      .meta({ description: 'How the device is being linked. Null: it is not being linked.' }),
    backlog,
    health: z.object({
      level: z.enum(deviceHealths).meta({
        description:
          '`down`: the device should be connected and is not. `restricted`: messages to new contacts wait. `slowed`: the network warned, or at least one in ten of the newest messages failed or got no answer. `well`: none of these.',
      }),
      sent: z.int().meta({
        description: "How many of the account's newest 5,000 messages of the last 24 hours this device sent.",
      }),
      failed: z.int(),
      unknown: z.int(),
    }),
  })
  .meta({ id: 'DeviceActivity' });
