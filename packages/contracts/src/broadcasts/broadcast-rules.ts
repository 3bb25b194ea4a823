/** The fields that keep a broadcast from annoying people: its hours, its most messages a person, and its guards. */
import { z } from 'zod';
import { deviceId } from '../fields/id-fields.js';
import { limits } from '../http/limits.js';
import type { MessageCategory } from '../messages/message-categories.js';

const windowZones = ['recipient', 'account'] as const;

/** Minutes of the day as people write them. */
const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 08:00')
  .transform((text) => {
    const [hours = 0, minutes = 0] = text.split(':').map(Number);
    return hours * 60 + minutes;
  });

const shownWindow = z.object({ from: z.string(), to: z.string(), zone: z.enum(windowZones) });

/** A window in minutes, as its answer shows it. */
export const showWindow = ({ from, to, zone }: SendWindow): z.infer<typeof shownWindow> => ({
  from: clockOf(from),
  to: clockOf(to),
  zone,
});

/** Minutes of the local day, of each recipient or of the account. */
export type SendWindow = { readonly from: number; readonly to: number; readonly zone: (typeof windowZones)[number] };

const percent = z.int().min(1).max(100).nullable().optional();

/** The hours in which people get marketing. */
export const usualWindow: SendWindow = { from: 8 * 60, to: 21 * 60, zone: 'recipient' };

/** In these hours, marketing may reach people at night. Null: any hour. */
export const exceedsUsualHours = (window: SendWindow | null): boolean =>
  window === null || window.from < usualWindow.from || window.to > usualWindow.to;

export const confirmAnyHour = z.boolean().optional().meta({
  description:
    'Must be true for marketing whose window is null, or begins before 08:00 or ends after 21:00: it may reach people at night.',
});

const usualGuards = { failed: 20, optedOut: 3 };
const usualMaxPerDay = 1;

export const ruleFields = {
  window: z
    .strictObject({ from: clock, to: clock, zone: z.enum(windowZones).optional() })
    .refine(({ from, to }) => to - from >= limits.windowMinMinutes, {
      path: ['to'],
      message: `must be at least ${limits.windowMinMinutes} minutes after from`,
    })
    .transform(({ from, to, zone = 'recipient' }) => ({ from, to, zone }))
    .nullable()
    .optional()
    .meta({
      description:
        'The hours of the recipient, or of the account, in which messages go out. Left out: 08:00 to 21:00 of the recipient for marketing, any hour for the rest. Null: any hour. Marketing in other hours than the usual ones must be confirmed with `confirm_any_hour`: see the start.',
      example: { from: '09:00', to: '17:00' },
    }),
  max_per_person_a_day: z.int().min(1).max(limits.maxPerPersonADay).nullable().optional().meta({
    description:
      'A person who got so many marketing messages of the account within 24 hours is skipped. 1 if left out. Null: nobody is skipped.',
  }),
  guards: z
    .strictObject({ failed_percent: percent, opted_out_percent: percent })
    .optional()
    .meta({
      description: `The broadcast pauses if so many of the last ${limits.guardOutcomes} messages of a device failed, or so many of their recipients opted out. 20 and 3 if left out. Null: never.`,
    }),
};

export const shownRules = {
  window: shownWindow.nullable().meta({ description: 'The hours in which its messages go out. Null: any hour.' }),
  max_per_person_a_day: z.int().nullable(),
  guards: z.object({ failed_percent: z.int().nullable(), opted_out_percent: z.int().nullable() }),
  tripped: z
    .object({ what: z.enum(['failed', 'opted_out']), device_id: deviceId, count: z.int() })
    .nullable()
    .meta({ description: `Paused by \`guard\`: so many of the last ${limits.guardOutcomes} messages of a device.` }),
};

const rules = z.object(ruleFields);
type Given = z.infer<typeof rules>;

const valueOr = <T>(value: T | undefined, usual: T): T => (value === undefined ? usual : value);

export const rulesOf = ({ window, max_per_person_a_day: most, guards = {} }: Given, category: MessageCategory) => ({
  window: valueOr(window, category === 'marketing' ? usualWindow : null),
  maxPerDay: valueOr<number | null>(most, usualMaxPerDay),
  guardFailed: valueOr<number | null>(guards.failed_percent, usualGuards.failed),
  guardOptedOut: valueOr<number | null>(guards.opted_out_percent, usualGuards.optedOut),
});

export const changedRulesOf = ({ window, max_per_person_a_day: most, guards = {} }: Given) => ({
  ...(window === undefined ? {} : { window }),
  ...(most === undefined ? {} : { maxPerDay: most }),
  ...(guards.failed_percent === undefined ? {} : { guardFailed: guards.failed_percent }),
  ...(guards.opted_out_percent === undefined ? {} : { guardOptedOut: guards.opted_out_percent }),
});
