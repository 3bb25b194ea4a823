import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import { backlog } from '../messages/backlog.js';

export const deviceHealths = ['well', 'slowed', 'restricted', 'down'] as const;

/** What a list of devices shows of each besides, when it is asked to. */
export const deviceActivity = z
  .object({
    linked: z.boolean(),
    state_since: timestamp,
    last_connected_at: timestamp.nullable(),
    pairing_method: z
      .enum(['qr', 'pairing_code'])
      .nullable()
      .meta({ description: 'How it is being linked; null while it is not.' }),
    backlog,
    health: z.object({
      level: z.enum(deviceHealths).meta({
        description:
          '`down`: it should be connected and is not. `restricted`: messages to new contacts wait. `slowed`: one in ten or more of its newest messages failed or got no answer, or the network warned. Else `well`.',
      }),
      sent: z.int().meta({
        description: "How many of the account's newest 5,000 messages of the last 24 hours this device sent.",
      }),
      failed: z.int(),
      unknown: z.int(),
    }),
  })
  .meta({ id: 'DeviceActivity' });
