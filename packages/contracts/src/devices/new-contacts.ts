import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';

export const newContacts = z.object({
  waiting: z
    .object({
      reason: z.string().meta({
        description:
          "`daily_limit` is the device's own allowance; `second_warning` is a second warning of the network; anything else is what the network says.",
        example: 'daily_limit',
      }),
      until: timestamp
        .nullable()
        .meta({ description: 'When they go out by themselves; null: once a setting changes.' }),
    })
    .nullable()
    .meta({
      description:
        'Set while messages to people whom the device neither wrote to nor heard from wait. Messages to anybody else go out.',
    }),
  allowance: z
    .int()
    .nullable()
    .meta({ description: 'How many new contacts it may write to within 24 hours, as it stands now; null: no limit.' }),
  used_today: z
    .int()
    .meta({ description: 'New contacts written to within 24 hours; they count against the allowance.' }),
  left: z
    .int()
    .nullable()
    .meta({ description: 'How many more new contacts a message of any priority may go to now; null: no limit.' }),
  left_for_codes: z.int().nullable().meta({
    description:
      'How many more new contacts a message of priority `otp` may go to now: it may use what is kept for codes, too.',
  }),
  paused_until: timestamp.nullable().meta({
    description:
      'With the policy `automatic`, between two new contacts: when the next may be written to. Codes do not wait.',
  }),
  warning: z.enum(['first', 'second']).nullable().meta({
    description:
      'The network warns that the account writes to many new contacts. The automatic allowance is halved by a first warning, and nothing after a second.',
  }),
  advice: z
    .string()
    .nullable()
    .meta({ description: 'What a limit that is looser than the automatic one risks; null where it is not.' }),
  network_quota: z
    .object({ used: z.int(), total: z.int(), resets_at: timestamp.nullable() })
    .nullable()
    .meta({ description: 'New chats as the network counts them, where it does.' }),
});
