import { z } from 'zod';

export const backlog = z
  .object({
    otp: z.int(),
    normal: z.int(),
    bulk: z.int(),
    scheduled: z.int().meta({ description: 'Messages whose `send_at` is in the future.' }),
  })
  .meta({ description: 'How many messages wait to be sent. No number goes above 100,000.' });
