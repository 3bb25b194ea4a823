import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';

export const newContacts = z.object({
  waiting: z
    .object({
      reason: z.string().meta({
        description:
          "`daily_limit`: the device's own allowance is used up. `second_warning`: the network has warned a second time. Any other word comes from the network.",
        example: 'daily_limit',
      }),
      until: timestamp
        .nullable()
        .meta({ description: 'When Kurir sends them by itself. Null: after somebody changes a setting.' }),
    })
    .nullable()
    .meta({
      description:
        'Set while messages to new contacts wait. A new contact is somebody whom the device has neither written to nor heard from. Messages to anybody else go out.',
    }),
  allowance: z.int().nullable().meta({
    description: 'How many new contacts the device may write to within 24 hours, at present. Null: no limit.',
  }),
  used_today: z.int().meta({
    description: 'How many new contacts the device wrote to in the last 24 hours. They count against the allowance.',
  }),
  left: z
    .int()
    .nullable()
    .meta({ description: 'How many more new contacts a message of any priority may go to now. Null: no limit.' }),
  left_for_codes: z.int().nullable().meta({
    description:
      'How many more new contacts a message of priority `otp` may go to now. It may also use the part that is kept for one-time codes. Null: no limit.',
  }),
  paused_until: timestamp.nullable().meta({
    description:
      'With the policy `automatic`: when the pause between two new contacts ends. One-time codes do not wait for it. Null: there is no pause now.',
  }),
  warning: z.enum(['first', 'second']).nullable().meta({
    description:
      'The network warns that the account writes to many new contacts. A first warning halves the automatic allowance. After a second one it is 0.',
  }),
  advice: z
    .string()
    .nullable()
    .meta({ description: 'The risk of a limit that is looser than the automatic one. Null: the limit is not looser.' }),
  network_quota: z
    .object({ used: z.int(), total: z.int(), resets_at: timestamp.nullable() })
    .nullable()
    .meta({ description: "The network's own count of new chats. Null: the network gives none." }),
});
