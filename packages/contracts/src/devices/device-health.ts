/** The health of a device's number: a word, the reasons for it, and the days that it is made from. */
import { z } from 'zod';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';

/** The best first. */
export const healthWords = ['good', 'watch', 'at_risk', 'restricted'] as const;
export type HealthWord = (typeof healthWords)[number];

/** Each reason with its sentence. */
export const healthReasons = {
  banned: 'The network has banned the account, for good or for some time.',
  network_restriction: 'The network forbids the account to write to new contacts at present.',
  network_warning: 'The network warns that the account writes to many new contacts.',
  failures: 'Many messages of the last 7 days failed, or the network refused them. Check the numbers in the list.',
  opt_outs: 'Many recipients of the last 7 days opted out. Write to people who asked for it, and less often.',
  fewer_delivered:
    'Fewer messages reach a phone within a day than before. People may have blocked the number. Send less for some days.',
} as const;
export type HealthReason = keyof typeof healthReasons;
export const healthReasonWords = Object.keys(healthReasons) as [HealthReason, ...HealthReason[]];

/** The word counts so many UTC days, with the present one, and compares them with the days before. */
export const healthDays = { recent: 7, shown: 30, kept: 90 } as const;
/** The word looks at shares only from so many messages on. */
export const healthFewest = 50;

export const healthWord = z.enum(healthWords).meta({
  description:
    'The health of the number. `restricted`: the network banned the account, or forbids new contacts now. `at_risk`: too many messages failed, too many people opted out, or far fewer messages arrive than before. `watch`: half of that, or a warning of the network. `good`: none of these, or too few messages to tell.',
});

const count = z.int().nonnegative();

const healthDay = z.object({
  day: z.iso.date().meta({ description: 'A UTC day.', example: '2026-11-26' }),
  sent: count.meta({ description: 'The network took them.' }),
  delivered: count.meta({ description: 'Those among `sent` that reached a phone by the end of the next day.' }),
  failed: count.meta({ description: 'They failed for another reason than a refusal.' }),
  refused: count.meta({ description: 'The network refused them.' }),
  unknown: count.meta({ description: 'The network never answered.' }),
  answers: count.meta({ description: 'Messages that people wrote to the device, without groups.' }),
  opted_out: count.meta({ description: 'People who opted out by writing to the device, or after its marketing.' }),
});

export const deviceHealth = z
  .object({
    device_id: deviceId,
    health: healthWord,
    reasons: z
      .array(
        z.object({
          reason: z.enum(healthReasonWords),
          level: z.enum(['watch', 'at_risk', 'restricted']),
          percent: z.number().nullable().meta({
            description:
              'The share of the messages: those that failed, those after which people opted out, or by how many points fewer arrived. Null: the reason has none.',
            example: 12.5,
          }),
          advice: z.string().meta({ description: 'A sentence that explains the reason.' }),
        }),
      )
      .meta({ description: 'The reasons for the word, the most serious first.' }),
    counted_at: timestamp
      .nullable()
      .meta({ description: 'When the newest day was counted. Null: no day has been counted yet.' }),
    days: z.array(healthDay).meta({ description: 'The last 30 UTC days, oldest first, with the present one.' }),
  })
  .meta({ id: 'DeviceHealth' });
