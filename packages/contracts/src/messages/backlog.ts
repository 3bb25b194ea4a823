import { z } from 'zod';

export const backlog = z
  .object({
    otp: z.int(),
    normal: z.int(),
    bulk: z.int(),
    scheduled: z.int().meta({ description: 'Those whose `send_at` lies ahead.' }),
  })
  .meta({ description: 'Messages that wait to be sent. Each number counts up to 100,000.' });
